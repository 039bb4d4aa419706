import SyncKitFormats
import SyncKitHTTP
import LoopbackServer
import SyncKit
import SyncWire
import Testing

/// Whose an account is.
@Suite(.overEveryNetwork) struct AttachTests {
  private static let mine = "0f0e0d0c-0b0a-4908-8706-050403020100"
  private static let other = "11111111-2222-4333-8444-555555555555"

  private func server(_ roots: [String]) throws -> StandIn {
    try StandIn { request, _ in
      request.method == "GET"
        ? .json(["roots": .array(roots.map { .string($0) })]) : .answer(204)
    }
  }

  private func attach(
    _ server: StandIn, vault: Set<String> = [], isKnown: Bool = false,
    consent: RemoteIdentity.Consent = .none, mayWrite: Bool = true
  ) async throws -> Set<String> {
    try await HTTPTransport(.test(server.url)).attach(
      RemoteIdentity(
        vault: vault, isKnown: isKnown, newVault: Self.mine, consent: consent, mayWrite: mayWrite),
      domain: "books")
  }

  @Test func `a new account takes the first vault`() async throws {
    let server = try server([])
    defer { server.stop() }
    #expect(try await attach(server) == [Self.mine])
    #expect(server.requests.map(\.method) == ["GET", "PUT"])
    #expect(server.requests.last?.path == "/v1/vault/\(Self.mine)")
  }

  @Test func `a known account that was emptied is filled again`() async throws {
    let server = try server([])
    defer { server.stop() }
    #expect(try await attach(server, vault: [Self.other], isKnown: true) == [Self.other])
    #expect(server.requests.last?.path == "/v1/vault/\(Self.other)")
  }

  @Test func `another account is refused, unless both are one's own`() async throws {
    let server = try server([Self.other])
    defer { server.stop() }
    let error = await failure { _ = try await attach(server, vault: [Self.mine]) }
    #expect(error?.code == .remoteVault && error?.code.exit == 77)
    #expect(server.requests.map(\.method) == ["GET"])
    let both = try await attach(server, vault: [Self.mine], consent: .adopt)
    #expect(both == [Self.mine, Self.other])
  }

  @Test func `looking writes nothing`() async throws {
    let server = try server([])
    defer { server.stop() }
    _ = try await attach(server, mayWrite: false)
    #expect(server.requests.map(\.method) == ["GET"])
  }

  @Test func `a root that is not an id is a broken answer`() async throws {
    let server = try server(["../../etc"])
    defer { server.stop() }
    let error = await failure { _ = try await attach(server) }
    #expect(error?.code == .remoteProtocol)
  }

  // MARK: With the feed

  /// A server that tells ids with its feed, too.
  private func serverWithFeed(_ roots: [String]) throws -> StandIn {
    try StandIn { request, _ in
      if request.method == "PUT" { return .answer(204) }
      if request.path == "/v1/vault" {
        return .json(["roots": .array(roots.map { .string($0) })])
      }
      return .json(
        FeedPage(
          epoch: "e1", cursor: 7, isContinuation: true, hasMore: false, segments: [], erased: [:],
          access: [:], roots: Set(roots)
        ).json)
    }
  }

  private func meet(
    _ server: StandIn, vault: Set<String>, mayWrite: Bool = true
  ) async throws -> Set<String>? {
    let transport = try HTTPTransport(.test(server.url))
    var identity = RemoteIdentity(
      vault: vault, isKnown: true, newVault: Self.mine, mayWrite: mayWrite)
    identity.isFollowed = true
    #expect(try await transport.attach(identity, domain: "books") == vault)
    return try await transport.inventory(
      of: "books", since: FeedPosition(epoch: "e1", cursor: 7)
    ).vault
  }

  @Test func `a quiet exchange with a known account is one request`() async throws {
    let server = try serverWithFeed([Self.mine])
    defer { server.stop() }
    #expect(try await meet(server, vault: [Self.mine]) == nil)
    #expect(
      server.requests.map(\.path) == ["/v1/domains/books/feed?limit=5000&epoch=e1&after=7"])
  }

  @Test func `another id of a known account is learnt from the feed`() async throws {
    let server = try serverWithFeed([Self.mine, Self.other])
    defer { server.stop() }
    #expect(try await meet(server, vault: [Self.mine]) == [Self.mine, Self.other])
    #expect(server.requests.map(\.method) == ["GET", "GET"])
  }

  @Test func `a known account that became another person's is refused before anything is taken`()
    async throws
  {
    let server = try serverWithFeed([Self.other])
    defer { server.stop() }
    let error = await failure { _ = try await meet(server, vault: [Self.mine]) }
    #expect(error?.code == .remoteVault)
    #expect(server.requests.allSatisfy { $0.method == "GET" })
  }

  @Test func `a known account that was emptied gets its id back with the feed`() async throws {
    let server = try serverWithFeed([])
    defer { server.stop() }
    #expect(try await meet(server, vault: [Self.other]) == [Self.other])
    #expect(server.requests.last?.path == "/v1/vault/\(Self.other)")
    _ = try await meet(server, vault: [Self.other], mayWrite: false)
    #expect(server.requests.count { $0.method == "PUT" } == 1)
  }
}
