import RealPlaces
import SFTPTransport
import SegmentFormat
import SyncKit
import Testing

/// What keeps a device from a server, each with a code and a remedy.
@Suite struct Refusals {
  private func failure(
    _ place: SFTPPlace, _ command: [String]? = nil, silence: Duration = .seconds(45),
    change: (inout SFTPAccess) -> Void = { _ in }
  ) async throws -> SyncError {
    var access = place.access(command)
    access.silence = silence
    change(&access)
    let store = SFTPBlobStore(server: SFTPServer(access), path: place.server.path)
    do {
      try await store.prepare(creating: false)
    } catch let error as SyncError {
      return error
    }
    throw PlaceFailure("it was let in")
  }

  @Test func aHostKeyThatHasChangedIsRefused() async throws {
    let place = try SFTPPlace()
    try place.server.know(key: "stranger")
    let error = try await failure(place)
    #expect(error.code == .remoteHostKey && error.code.exit == 76 && !error.code.isRetryable)
    #expect(error.message.contains("another host key"))
    #expect(error.hint?.contains("ssh-keygen -R") == true)
    #expect(place.pauseCount == 0)
  }

  @Test func aHostKeyThatIsUnknownIsRefused() async throws {
    let place = try SFTPPlace()
    try place.server.forget()
    let error = try await failure(place)
    #expect(error.code == .remoteHostKey)
    #expect(error.message.contains("not known"))
    #expect(error.hint?.contains("ssh -F") == true)
  }

  @Test func aKeyThatTheServerDoesNotKnowIsDenied() async throws {
    let place = try SFTPPlace()
    let error = try await failure(place, try place.server.strangersCommand)
    #expect(error.code == .remoteDenied)
    #expect(error.cause?.contains("Permission denied (publickey") == true)
  }

  @Test func withoutAServerItIsUnavailable() async throws {
    let place = try SFTPPlace()
    let port = try PlaceProcess.freePort()
    let error = try await failure(place) { $0.port = port }
    #expect(error.code == .remoteUnavailable)
    #expect(error.cause?.contains("Connection refused") == true)
    let lost = try await failure(place) { $0.host = "no-such-host.invalid" }
    #expect(lost.code == .remoteUnavailable)
  }

  @Test func aServerWithoutSFTPSaysWhatIsMissing() async throws {
    let error = try await failure(SFTPPlace(.none))
    #expect(error.code == .remoteUnavailable)
    #expect(error.hint?.contains("turn on SFTP") == true)
  }

  @Test func aReadOnlyServerIsDenied() async throws {
    let place = try SFTPPlace(.readOnly)
    let store = place.store()
    try await store.prepare(creating: false)
    #expect(
      await code { _ = try await store.put("a/b.seg", [1], replacing: false) } == .remoteDenied)
    #expect(await code { try await store.tryPutting(1, in: "a") } == .remoteDenied)
  }

  @Test func aClientThatIsNotInstalledIsMissing() async throws {
    let error = try await failure(SFTPPlace(), ["no-such-program"])
    #expect(error.code == .programMissing && error.code.exit == 69)
  }

  @Test func aClientThatDoesNotUnderstandIsMisused() async throws {
    let place = try SFTPPlace()
    let error = try await failure(place, place.server.command + ["-o", "NoSuchOption=1"])
    #expect(error.code == .configInvalid)
  }

  @Test func aLoginThatPrintsTextIsNamed() async throws {
    let error = try await failure(SFTPPlace(), ["sh", "-c", "echo Welcome to the box; sleep 60"])
    #expect(error.code == .remoteProtocol)
    #expect(error.cause?.contains("Welcome to the box") == true)
  }

  @Test(arguments: [
    "\\033[33mWelcome to the box\\033[0m\\n", "\\n \\033[1mWelcome to the box\\n",
    "\\342\\234\\223 Welcome to the box\\n",
  ])
  func aLoginThatPrintsColoursIsNamed(_ words: String) async throws {
    let error = try await failure(SFTPPlace(), ["sh", "-c", "printf '\(words)'; sleep 60"])
    #expect(error.code == .remoteProtocol)
    #expect(error.message.contains("prints text"))
    #expect(error.cause?.contains("Welcome to the box") == true)
  }

  @Test func aLoginThatPrintsAnEmptyLineIsNamed() async throws {
    // The first packet of the server follows.
    let words = "\\n\\000\\000\\000\\005\\002\\000\\000\\000\\003"
    let error = try await failure(SFTPPlace(), ["sh", "-c", "printf '\(words)'; sleep 60"])
    #expect(error.code == .remoteProtocol)
    #expect(error.message.contains("prints text"))
  }

  @Test func aServerThatSaysNothingIsGivenUp() async throws {
    let error = try await failure(
      SFTPPlace(), ["sh", "-c", "sleep 60"], silence: .milliseconds(200))
    #expect(error.code == .remoteUnavailable)
    #expect(error.message.contains("did not answer"))
  }

  @Test(.timeLimit(.minutes(5)))
  func aClientThatTakesNothingAnyMoreIsNotWaitedFor() async throws {
    // It holds on to its output, so that only what cannot be written tells.
    let error = try await failure(
      SFTPPlace(), ["sh", "-c", "exec 0<&-; sleep 120"], silence: .seconds(3_600))
    #expect(error.code == .remoteUnavailable)
  }

  @Test func aNameThatIsAnOptionIsNoServer() async throws {
    let error = try await failure(SFTPPlace()) { $0.host = "-oProxyCommand=touch /tmp/x" }
    #expect(error.code == .configInvalid)
  }

  @Test func aFullDiskIsToldFromOtherFailures() async throws {
    guard let medium = try SmallDisk() else { return }
    let place = try SFTPPlace(.inside, on: medium.path)
    let store = place.store()
    #expect(
      await code { _ = try await store.put("a/b.seg", SFTPPlace.bytes(4 << 20), replacing: false) }
        == .remoteDiskFull)
    #expect(place.files().isEmpty)
    #expect(await code { try await store.tryPutting(4 << 20, in: "a") } == .remoteDiskFull)
    #expect(place.files().isEmpty)
    #expect(try await store.put("a/b.seg", [1], replacing: false))
  }
}
