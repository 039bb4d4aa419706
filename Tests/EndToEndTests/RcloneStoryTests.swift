import RealPlaces
import Testing

/// Homes that meet through the person's own rclone, over services that rclone reaches in ways of their own.
struct RcloneStoryTests {
  /// A version of rclone: that of Debian, some years older, and a new one.
  enum Version: String, CaseIterable, Sendable {
    case debian, new

    var program: String {
      get throws { self == .debian ? "/usr/bin/rclone" : try peer("rclone") }
    }
  }

  private let meeting: MeetingPlace

  init() throws { meeting = try MeetingPlace() }

  /// Sets up a remote in the configuration of each device, where rclone itself looks for it.
  private func configure(
    _ name: String, _ type: String, _ values: [String], _ version: Version
  ) async throws {
    for device in [meeting.laptop, meeting.phone] {
      let made = try await CommandRunner.run(
        ["config", "create", name, type] + values + ["--obscure"], program: version.program,
        environment: ["HOME": device.home, "PATH": "/usr/bin:/bin"], folder: device.home)
      try #require(made.status == 0, "\(made.error)")
    }
  }

  @Test(arguments: Version.allCases)
  func `two devices meet through rclone's own encryption`(version: Version) async throws {
    let folder = meeting.base.path("drive")
    try await configure(
      "secret", "crypt",
      ["remote", folder, "password", "two words: 50% \u{00E9}", "password2", "salt of the two"],
      version)
    try await meeting.twoDevicesMeet(
      at: "rclone:secret:my/sync", ["--set", "rclone=\(try version.program)"])
    let kept = try #require(ServedFolder(folder))
    #expect(!kept.files.isEmpty)
    // Names and contents are rclone's.
    for name in kept.files {
      #expect(!name.contains("my/sync") && !name.hasSuffix(".seg"), "\(name)")
      #expect(kept.read(name)?.starts(with: Array("RCLONE".utf8)) == true, "\(name)")
    }
  }

  @Test(arguments: Version.allCases)
  func `two devices meet through rclone at a WebDAV server`(version: Version) async throws {
    let server = try WebDAVServer(.apache)
    defer { server.process.stop() }
    try await configure(
      "cloud", "webdav",
      [
        "url", server.address, "vendor", "other", "user", WebDAVServer.user, "pass",
        WebDAVServer.password,
      ], version)
    try await meeting.twoDevicesMeet(
      at: "rclone:cloud:My Files/cloudsync", ["--set", "rclone=\(try version.program)"],
      in: server.folder, secret: WebDAVServer.password)
  }
}
