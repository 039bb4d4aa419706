import Formats
import HTTPTransport
import LoopbackServer
import SyncKit
import SyncWire
import Testing

/// Whose an account is.
@Suite struct AttachTests {
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
    consent: Acquaintance.Consent = .none, mayWrite: Bool = true
  ) async throws -> Set<String> {
    try await HTTPTransport(.test(server.url)).attach(
      Acquaintance(
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

  @Test func `somebody else's account is refused, unless both are one's own`() async throws {
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

  @Test func `a root that is no id is a broken answer`() async throws {
    let server = try server(["../../etc"])
    defer { server.stop() }
    let error = await failure { _ = try await attach(server) }
    #expect(error?.code == .remoteProtocol)
  }
}
