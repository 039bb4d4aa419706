import FaultyNetwork
import RealPlaces
import SegmentFormat
import SyncKit
import SyncKitHTTP
import SyncKitTesting
import Testing

@testable import WebDAVTransport

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

@Suite struct WebDAVTrouble {
  let server: WebDAVServer
  let log = RequestLog()

  init() throws { server = try WebDAVServer(.apache) }

  private func expect(
    _ code: SyncError.Code, _ body: () async throws -> Void,
    location: SourceLocation = #_sourceLocation
  ) async {
    do {
      try await body()
      Issue.record("no error", sourceLocation: location)
    } catch let error as SyncError {
      #expect(error.code == code, "\(error)", sourceLocation: location)
      #expect(error.hint?.isEmpty == false, "\(error)", sourceLocation: location)
      #expect(!"\(error)".contains(WebDAVServer.password), sourceLocation: location)
    } catch {
      Issue.record(error, sourceLocation: location)
    }
  }

  @Test func aQuietRunTakesTwoRequestsAndAChangeTwoMore() async throws {
    let transport = BlobTransport(try server.store("counted", log), arrangement: .flat)
    let identity = RemoteIdentity(
      vault: [], isKnown: false, newVault: "0f0e0d0c-0b0a-4908-8706-050403020100")
    _ = try await transport.attach(identity, domain: "airports")
    _ = try await transport.inventory(of: "airports")
    log.forget()
    _ = try await transport.attach(identity, domain: "airports")
    _ = try await transport.inventory(of: "airports")
    // The domain's collection is not there yet, so its listing is a 404.
    #expect(log.methods == ["PROPFIND", "PROPFIND"])
  }

  @Test func theDomainsOfARunListTheTopOnce() async throws {
    let transport = BlobTransport(
      try server.store("shared", log), arrangement: .flat, sharingTopBy: { 0 })
    let identity = RemoteIdentity(
      vault: [], isKnown: false, newVault: "0f0e0d0c-0b0a-4908-8706-050403020100")
    func run(_ domains: [String]) async throws -> [String] {
      log.forget()
      for domain in domains {
        #expect(try await transport.attach(identity, domain: domain) == [identity.newVault])
        _ = try await transport.inventory(of: domain)
      }
      return log.methods
    }
    let domains = ["airports", "bike", "media"]
    _ = try await run(domains)
    for _ in 1...2 {
      #expect(try await run(domains) == Array(repeating: "PROPFIND", count: 4))
    }
  }

  @Test func aServerWithoutMoveGetsBlobsUnderTheirNames() async throws {
    let server = server
    for (number, check) in quickChecks.enumerated() {
      let folder = try #require(ServedFolder("\(server.folder)/\(number)"))
      let contract = TransportContract {
        TestRemote {
          let log = RequestLog()
          return BlobTransport(
            try server.store("\(number)", log) { request, forward in
              // Nor does it know preconditions.
              var request = request
              request.headers.removeAll { $0.name == "If-None-Match" }
              return request.method == "MOVE"
                ? CarriedAnswer(status: 405) : try await forward(request)
            }, arrangement: .flat)
        } empty: {
          folder.empty()
        } cut: {
          folder.cut()
        }
      }
      do {
        try await check(contract)
      } catch {
        Issue.record("\(check): \(error)")
      }
    }
    #expect(ServedFolder(server.folder)?.files.contains { $0.contains(".tmp-") } == false)
  }

  @Test func aServerThatTakesItsOwnAddressForAnotherOneIsGivenAPath() async throws {
    // Apache itself takes no path alone.
    let server = try WebDAVServer(.nginx)
    defer { server.process.stop() }
    let store = try server.store("proxied", log) { request, forward in
      let destination = request.headers.first { $0.name == "Destination" }?.value
      return destination?.hasPrefix("http") == true
        ? CarriedAnswer(status: 502) : try await forward(request)
    }
    try await store.prepare(creating: true)
    #expect(try await store.put("home/a", [1], replacing: false))
    #expect(try await store.put("home/b", [2], replacing: false))
    #expect(try await !store.put("home/b", [3], replacing: false))
    #expect(try await store.get("home/b", upTo: 9) == [2])
    // Found out once, and without a pause.
    #expect(log.methods.filter { $0 == "MOVE" }.count == 4)
    #expect(log.pauses.isEmpty)
  }

  @Test func aMoveWhoseAnswerIsLostHasHappened() async throws {
    let lost = RequestLog()
    let store = try server.store("lost", log) { request, forward in
      let answer = try await forward(request)
      guard request.method == "MOVE", lost.requests.isEmpty else { return answer }
      lost.add(request)
      throw CarrierFailure.unreachable("cut", wasSent: true)
    }
    try await store.prepare(creating: true)
    #expect(try await store.put("home/a", [1], replacing: false))
    #expect(ServedFolder("\(server.folder)/lost")?.files == ["home/a"])
  }

  @Test(arguments: [207, 404, 409])
  func aServerThatMisreadsTheDestinationGetsBlobsUnderTheirNames(status: Int) async throws {
    let store = try server.store("misread", log) { request, forward in
      request.method == "MOVE" ? CarriedAnswer(status: status) : try await forward(request)
    }
    try await store.prepare(creating: true)
    #expect(try await store.put("home/a", [1], replacing: false))
    #expect(try await store.put("home/a", [2], replacing: true))
    #expect(try await !store.put("home/a", [3], replacing: false))
    #expect(try await store.get("home/a", upTo: 9) == [2])
    #expect(ServedFolder("\(server.folder)/misread")?.files == ["home/a"])
    #expect(log.pauses.isEmpty)
  }

  @Test func aMoveThatIsSaidToHavePartsIsLookedAt() async throws {
    let store = try server.store("parts", log) { request, forward in
      let answer = try await forward(request)
      return request.method == "MOVE" ? CarriedAnswer(status: 207) : answer
    }
    try await store.prepare(creating: true)
    // It has happened, so the name is taken, by the blob itself.
    #expect(try await !store.put("home/a", [1], replacing: false))
    #expect(try await store.get("home/a", upTo: 9) == [1])
    #expect(ServedFolder("\(server.folder)/parts")?.files == ["home/a"])
  }

  @Test func itFollowsTheServerWithinItsOriginOnly() async throws {
    let elsewhere = RequestLog()
    let store = try server.store("old%20place", log) { request, forward in
      guard request.path.hasPrefix("/old%20place") else { return try await forward(request) }
      let path = "/new" + request.path.dropFirst("/old%20place".count)
      let host = elsewhere.requests.isEmpty ? "" : "http://files.example.org"
      return CarriedAnswer(status: 301, headers: [("Location", host + path)])
    }
    try await store.prepare(creating: true)
    #expect(try await store.put("home/a", [1], replacing: true))
    #expect(ServedFolder("\(server.folder)/new")?.files == ["home/a"])
    // The new place is remembered.
    #expect(log.requests.filter { $0.path.hasPrefix("/old") }.count == 1)
    elsewhere.add(CarriedRequest(method: "GET", path: "", headers: []))
    let other = try server.store("old%20place", log) { request, _ in
      CarriedAnswer(status: 302, headers: [("Location", "http://files.example.org\(request.path)")])
    }
    await expect(.remoteForeign) { try await other.prepare(creating: false) }
  }

  @Test func aBusyServerIsWaitedForAsItAsks() async throws {
    let refusals = RequestLog()
    let store = try server.store("busy", log) { request, forward in
      guard refusals.requests.count < 2 else { return try await forward(request) }
      refusals.add(request)
      return CarriedAnswer(status: 503, headers: [("Retry-After", "7")])
    }
    try await store.prepare(creating: true)
    #expect(log.pauses.count == 2)
    #expect(log.pauses.allSatisfy { .seconds(7)...Duration.seconds(9) ~= $0 })
    let always = try server.store("busy", log) { _, _ in CarriedAnswer(status: 429) }
    await expect(.remoteRateLimited) { try await always.prepare(creating: false) }
    let broken = try server.store("busy", log) { _, _ in CarriedAnswer(status: 500) }
    await expect(.remoteUnavailable) { try await broken.prepare(creating: false) }
  }

  @Test(arguments: [
    (507, SyncError.Code.remoteQuota), (423, .remoteBusy), (413, .remoteTooLarge),
    (403, .remoteDenied), (401, .remoteDenied), (405, .remoteUnavailable),
  ])
  func whatIsRefusedHasAName(status: Int, code: SyncError.Code) async throws {
    let store = try server.store("refused", log) { request, forward in
      request.method == "PUT" ? CarriedAnswer(status: status) : try await forward(request)
    }
    try await store.prepare(creating: true)
    await expect(code) { _ = try await store.put("home/a", [1], replacing: false) }
    await expect(code) { try await store.tryPutting(10, in: "home") }
    #expect(ServedFolder("\(server.folder)/refused")?.files == [])
  }

  @Test func aWrongPasswordAndAWrongAddressAreNamed() async throws {
    let wrong = try WebDAVBlobStore(
      server.access("x")
    ) { .password(user: WebDAVServer.user, password: "wrong") }
    await expect(.remoteDenied) { try await wrong.prepare(creating: false) }
    let missing = try server.store("never/made", log)
    await expect(.remoteUnavailable) { try await missing.prepare(creating: false) }
    let page = try server.store("page", log) { _, _ in
      CarriedAnswer(status: 200, body: Array("<html>hello</html>".utf8))
    }
    await expect(.remoteForeign) { try await page.prepare(creating: false) }
    let broken = try server.store("broken", log) { _, _ in
      CarriedAnswer(status: 207, body: Array("<multistatus><response>".utf8))
    }
    await expect(.remoteProtocol) { try await broken.prepare(creating: false) }
    server.process.stop()
    await expect(.remoteUnavailable) { try await missing.prepare(creating: false) }
  }

  @Test func aProxyMayHaveAnotherPathInFront() async throws {
    let store = try server.store("rewritten", log) { request, forward in
      let answer = try await forward(request)
      guard request.method == "PROPFIND", answer.status == 207 else { return answer }
      let text = String(decoding: try await answer.bytes(upTo: 1 << 20), as: UTF8.self)
      return CarriedAnswer(
        status: 207, headers: [],
        body: Array(text.replacing("<D:href>/rewritten", with: "<D:href>/in/side").utf8))
    }
    try await store.prepare(creating: true)
    #expect(try await store.put("home/a", [1, 2], replacing: false))
    try await store.prepare(creating: false)
    let top = try await store.list("", .folder)
    #expect(top.folders == ["home"])
    let below = try await store.list("home", .tree)
    #expect(below.blobs == [BlobEntry(name: "home/a", size: 2)])
    #expect(try await store.list("nothing", .tree).blobs.isEmpty)
  }

  @Test func aFolderThatSomebodyRemovesIsMadeAgain() async throws {
    let store = try server.store("removed", log)
    try await store.prepare(creating: true)
    #expect(try await store.put("home/a", [1], replacing: false))
    ServedFolder("\(server.folder)/removed")?.empty()
    #expect(try await store.put("home/b", [2], replacing: false))
    #expect(ServedFolder("\(server.folder)/removed")?.files == ["home/b"])
  }

  @Test func anEmptiedCollectionGoesAndOneThatHoldsAnythingStays() async throws {
    let store = try server.store("emptied", log)
    try await store.prepare(creating: true)
    let folder = "\(server.folder)/emptied"
    for name in ["home/zone/a", "kept/zone/a", "kept/b", "draft/a"] {
      #expect(try await store.put(name, [1], replacing: false))
    }
    for name in ["home/zone/a", "kept/zone/a", "draft/a"] { try await store.delete(name) }
    for name in ["kept/zone/.tmp-of-an-editor", "draft/\(TemporaryName.make(3))"] {
      close(open("\(folder)/\(name)", O_WRONLY | O_CREAT, 0o666))
    }
    for name in ["home", "kept", "draft", "missing"] { try await store.deleteEmpty(name) }
    #expect(ServedFolder(folder)?.files == ["kept/b", "kept/zone/.tmp-of-an-editor"])
    #expect(access("\(folder)/home", F_OK) != 0 && access("\(folder)/draft", F_OK) != 0)
    // It is made again when it is wanted.
    #expect(try await store.put("home/zone/c", [2], replacing: false))
    #expect(try await store.get("home/zone/c", upTo: 10) == [2])
  }

  @Test func unfinishedUploadsOfLongAgoAreRemoved() async throws {
    let store = try server.store("unfinished", log)
    try await store.prepare(creating: true)
    #expect(try await store.put("home/a", [1], replacing: false))
    let folder = "\(server.folder)/unfinished/home"
    for (name, age) in [
      (TemporaryName.make(1), 200_000), (TemporaryName.make(2), 10), (".tmp-of-an-editor", 200_000),
    ] {
      let file = open("\(folder)/\(name)", O_WRONLY | O_CREAT, 0o666)
      close(file)
      // The clock of the store stands where that of the tests does.
      let now = Int(store.connection.server.access.environment.now() / 1_000)
      var times = [timeval(tv_sec: now - age, tv_usec: 0), timeval(tv_sec: now - age, tv_usec: 0)]
      utimes("\(folder)/\(name)", &times)
    }
    chmod(folder, 0o777)
    #expect(try await store.list("home", .tree).blobs.map(\.name) == ["home/a"])
    #expect(
      ServedFolder(folder)?.files == [".tmp-of-an-editor", TemporaryName.make(2), "a"].sorted())
  }

  @Test func overAnOpenConnectionThePasswordIsShownOnRequestOnly() async throws {
    let address = try #require(ServerAddress("http://files.example.org/dav"))
    let log = log
    var access = ServerAccess(
      address: address, environment: .seeded(1), allowsCleartext: true,
      carrier: { _ in
        TwistedCarrier(NoCarrier(), log) { request, _ in
          let isSigned =
            request.digest != nil || request.headers.contains { $0.name == "Authorization" }
          return isSigned
            ? CarriedAnswer(status: 404)
            : CarriedAnswer(
              status: 401,
              headers: [
                ("WWW-Authenticate", "Basic realm=\"a\""),
                ("WWW-Authenticate", "Digest realm=\"a\", nonce=\"b\""),
              ])
        }
      })
    access.retry = RetryPolicy(tries: 1)
    let store = try WebDAVBlobStore(access) { .password(user: "anna", password: "p") }
    await expect(.remoteUnavailable) { try await store.prepare(creating: false) }
    #expect(log.requests.count == 2)
    #expect(log.requests.allSatisfy { !$0.headers.contains { $0.name == "Authorization" } })
    #expect(log.requests.last?.digest == DigestLogin(user: "anna", password: "p"))
    access.allowsCleartext = false
    #expect(throws: SyncError.self) { try WebDAVBlobStore(access) { .none } }
  }
}

/// A carrier that leads nowhere.
private struct NoCarrier: RequestCarrier {
  func carry(_ request: CarriedRequest) async throws -> CarriedAnswer {
    throw CarrierFailure.notHTTP
  }
}
