import RealPlaces
import SyncKitFormats
import Testing

/// A real server whose clock is wrong, with the real program.
struct WrongRemoteClockTests {
  private let meeting: MeetingPlace

  init() throws { meeting = try MeetingPlace() }

  @Test(arguments: [("+3h", "3 hours behind", 10_800), ("-20m", "20 minutes ahead of", -1_200)])
  func `adding and testing a remote say how far its clock is from this device's`(
    offset: String, words: String, seconds: Int64
  ) async throws {
    let server = try WebDAVServer(.apache, clock: offset)
    defer { server.process.stop() }
    let laptop = meeting.laptop
    let url =
      "webdav:" + server.address.replacing("://", with: "://\(WebDAVServer.user)@") + "/sync"
    let added = try await laptop.run(
      "remote", "add", "cloud", url, "--domains", "airports", "--unencrypted", "--password-file",
      try meeting.secretFile(WebDAVServer.password))
    #expect(added.status == 0, "\(added.error)")
    let sentence = "The clock of this device is \(words) that of 'cloud'"
    #expect(added.error.contains(sentence), "\(added.error)")
    #expect(added.error.contains("timedatectl"))
    let test = try await laptop.run("remote", "test", "cloud")
    #expect(test.status == 0 && test.error.contains(sentence), "\(test.error)")
    let document = try await laptop.json("remote", "test", "cloud")
    let ahead = try #require(document["clockAhead"]?.int)
    #expect(abs(ahead - seconds) < 60)
    let doctor = try await laptop.run("doctor", "--json").document["checks"]?.array ?? []
    let warnings = doctor.filter { $0["check"] == "clock" && $0["outcome"] == "warning" }
    #expect(warnings.count == 1 && warnings[0]["message"]?.string == sentence, "\(warnings)")
  }

  @Test func `a clock that is right is no matter`() async throws {
    let server = try WebDAVServer(.apache)
    defer { server.process.stop() }
    let laptop = meeting.laptop
    let url =
      "webdav:" + server.address.replacing("://", with: "://\(WebDAVServer.user)@") + "/sync"
    let made = try await laptop.run(
      "init", "--yes", "--unencrypted", "--remote", "cloud=\(url)", "--password-file",
      try meeting.secretFile(WebDAVServer.password))
    #expect(made.status == 0 && !made.error.contains("clock"), "\(made.error)")
    #expect(try await laptop.json("remote", "test", "cloud")["clockAhead"] == 0)
  }
}
