import RealPlaces
import SyncKitFormats
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Homes that meet at a real WebDAV server, with the real program.
struct WebDAVStoryTests {
  private let meeting: MeetingPlace
  private let desktop: TestDevice

  init() throws {
    meeting = try MeetingPlace()
    desktop = try TestDevice(in: meeting.base.home, name: "desktop")
  }

  private var laptop: TestDevice { meeting.laptop }

  /// The URL of a folder of the server, as a person types it.
  private func url(_ server: WebDAVServer) -> String {
    "webdav:" + server.address.replacing("://", with: "://\(WebDAVServer.user)@")
      + "/My Files/cloudsync"
  }

  /// A file with the password, which nobody else can read.
  private func passwordFile(_ text: String = WebDAVServer.password) throws -> String {
    try meeting.secretFile(text)
  }

  @Test(arguments: WebDAVServer.Kind.allCases)
  func `an account somewhere is all that two devices need`(kind: WebDAVServer.Kind) async throws {
    let server = try WebDAVServer(kind)
    defer { server.process.stop() }
    try await meeting.twoDevicesMeet(
      at: url(server), ["--password-file", try passwordFile()], in: server.folder,
      secret: WebDAVServer.password)
  }

  @Test func `a device that has the folder itself takes part`() async throws {
    let server = try WebDAVServer(.apache)
    defer { server.process.stop() }
    let password = try passwordFile()
    _ = try await laptop.json(
      "init", "--yes", "--device", "laptop", "--remote", "cloud=\(url(server))",
      "--password-file", password, "--unencrypted")
    try await laptop.run("airports", "add", "QQX", "EQXX")
    try await TestDevice.sync(laptop)
    // What the server keeps is what a cloud drive's client brings.
    _ = try await desktop.json(
      "init", "--yes", "--device", "desktop", "--unencrypted", "--remote",
      "drive=file:\(server.folder)/My Files/cloudsync")
    try await desktop.run("airports", "add", "QQY", "EQYY")
    try await TestDevice.sync(desktop)
    #expect(try await desktop.codes() == ["QQX": "EQXX", "QQY": "EQYY"])
    chmod("\(server.folder)/My Files/cloudsync/airports", 0o777)
    try await TestDevice.sync(laptop)
    #expect(try await laptop.digest() == desktop.digest())
  }

  @Test func `what goes wrong has a name and a remedy`() async throws {
    let server = try WebDAVServer(.apache)
    let wrong = try await laptop.run(
      "init", "--yes", "--remote", "cloud=\(url(server))", "--password-file",
      try passwordFile("wrong"))
    #expect(wrong.status == 77)
    #expect(wrong.error.contains("app password"))
    #expect(Files.names(in: laptop.path(".config/cloudsync")).isEmpty)
    let inTheAddress = try await laptop.run(
      "init", "--yes", "--remote", "cloud=webdav:https://anna:secret@cloud.example.org/x")
    #expect(inTheAddress.status == 64)
    #expect(!inTheAddress.error.contains("secret@"))
    let none = try await laptop.run("init", "--yes", "--remote", "cloud=\(url(server))")
    #expect(none.status == 77)
    #expect(none.error.contains("--password-file"))
    _ = try await laptop.json(
      "init", "--yes", "--remote", "cloud=\(url(server))", "--password-file", try passwordFile())
    try await laptop.run("airports", "add", "QQX", "EQXX")
    server.process.stop()
    let gone = try await laptop.run("sync")
    #expect(gone.status == 69)
    #expect(gone.error.contains("cannot be reached"))
    #expect(try await laptop.codes() == ["QQX": "EQXX"])
  }

  @Test(arguments: ["webdav", "rclone"])
  func `the guides do what they say`(_ guide: String) async throws {
    try await GuideRunner(guide).check()
  }

  @Test func `a Nextcloud is recognised by its address`() async throws {
    let outcome = try await laptop.run(
      "remote", "add", "cloud", "https://127.0.0.1:9/remote.php/dav/files/anna@example.org/sync",
      "--dry-run", "--unencrypted")
    #expect(outcome.status == 69, "\(outcome.error)")
    #expect(!outcome.error.contains("cloudsync server"))
  }
}
