import RealPlaces
import Testing

/// Homes that meet at a real SSH server, with the real program.
struct SFTPStoryTests {
  private let meeting: MeetingPlace

  init() throws { meeting = try MeetingPlace() }

  private func url(_ server: OpenSSHServer) -> String {
    "sftp://127.0.0.1:\(server.port)\(server.path)/my sync"
  }

  private func options(_ command: [String]) -> [String] {
    ["--set", "ssh-command=\(command.joined(separator: " "))"]
  }

  @Test(arguments: [OpenSSHServer.Variant.inside, .outside, .plain])
  func `a login somewhere is all that two devices need`(
    variant: OpenSSHServer.Variant
  ) async throws {
    let server = try OpenSSHServer(variant)
    defer { server.stop() }
    try await meeting.twoDevicesMeet(
      at: url(server), options(server.command), in: server.folder)
  }

  @Test func `what goes wrong has a name and a remedy`() async throws {
    let server = try OpenSSHServer()
    defer { server.stop() }
    let laptop = meeting.laptop
    let address = url(server)
    func initialise(_ command: [String]) async throws -> CommandRunner.Outcome {
      try await laptop.run(["init", "--yes", "--remote", "box=\(address)"] + options(command))
    }
    let stranger = try await initialise(server.strangersCommand)
    #expect(stranger.status == 77, "\(stranger.error)")
    try server.forget()
    let unknown = try await initialise(server.command)
    #expect(unknown.status == 76, "\(unknown.error)")
    #expect(unknown.error.contains("fingerprint"))
    let none = try await initialise(["no-such-ssh"])
    #expect(none.status == 69, "\(none.error)")
    #expect(Files.names(in: laptop.path(".config/cloudsync")).isEmpty)
    try server.know(key: "host")
    let done = try await initialise(server.command)
    #expect(done.status == 0, "\(done.error)")
    try await laptop.run("airports", "add", "QQX", "EQXX")
    // Somebody else listens there.
    try server.know(key: "stranger")
    let changed = try await laptop.run("sync")
    #expect(changed.status == 76, "\(changed.error)")
    try server.know(key: "host")
    server.stop()
    let gone = try await laptop.run("sync")
    #expect(gone.status == 69, "\(gone.error)")
    #expect(try await laptop.codes() == ["QQX": "EQXX"])
  }
}
