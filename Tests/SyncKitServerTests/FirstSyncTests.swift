import SyncKitFormats
import SyncKit
import SyncWire
import Testing

@testable import SyncKitServer

@Suite struct FirstSyncTests {
  @Test func `a device joins by a code, and the code is spent`() async throws {
    try await TestServer.run { server in
      let account = try await server.administration.makeAccount("Ada")
      let code = try await server.administration.invite(to: account.id)
      let ada = try await server.join(code.code.lowercased(), "laptop")
      #expect(ada.account == account)
      let state = try AccountState(json: try await server.ask("GET", "/v1/account", ada.token))
      #expect(state.account.name == "Ada")
      #expect(state.scopes == [.read, .sync, .manage])
      let again = JoinRequest(code: code.code, device: WireName(id: "other", name: "Other"))
      let refused = try await server.send("POST", "/v1/join", json: again.json)
      #expect(refused.status == 410)
      #expect(refused.error == "gone")
    }
  }

  @Test func `what one device stores another one finds in the feed and fetches`() async throws {
    try await TestServer.run { server in
      let ada = try await server.person("Ada")
      let segments = try (1...3).map { try TestSegments().segment($0) }
      let results = try await server.push(segments, ada.token)
      #expect(results.map(\.status) == [.stored, .stored, .stored])
      let code = try PairingCode(json: try await server.ask("POST", "/v1/pairings", ada.token))
      let phone = try await server.join(code.code, "phone")
      let page = try await server.feed(phone.token)
      #expect(!page.isContinuation)
      #expect(!page.hasMore)
      #expect(page.segments.map(\.cursor) == results.map { $0.cursor ?? 0 })
      let fetched = try await server.fetch(page.segments.map(\.cursor), phone.token)
      #expect(fetched == segments.map(\.bytes))
      let next = try await server.feed(phone.token, epoch: page.epoch, after: page.cursor)
      #expect(next.isContinuation)
      #expect(next.segments.isEmpty)
    }
  }

  @Test func `storing again changes nothing`() async throws {
    try await TestServer.run { server in
      let ada = try await server.person("Ada")
      let segment = try TestSegments().segment(1)
      let first = try await server.push([segment, segment], ada.token)
      #expect(first.map(\.status) == [.stored, .known])
      let again = try await server.push([segment], ada.token)
      #expect(again == [StoreResult(.known, cursor: first[0].cursor)])
    }
  }

  @Test func `an account remembers the ids of its vaults`() async throws {
    try await TestServer.run { server in
      let ada = try await server.person("Ada")
      let id = "0f0e0d0c-0b0a-4908-8706-050403020100"
      for _ in 0..<2 { _ = try await server.ask("PUT", "/v1/vault/\(id)", ada.token) }
      let vault = try await server.ask("GET", "/v1/vault", ada.token)
      #expect(vault["roots"] == [.string(id)])
    }
  }

  @Test func `a withdrawn zone is empty and takes nothing any more`() async throws {
    try await TestServer.run { server in
      let ada = try await server.person("Ada")
      let gone = try TestSegments(zone: "gone").segment(1)
      let kept = try TestSegments(zone: "kept").segment(1)
      _ = try await server.push([gone, kept], ada.token)
      let word = Confirmations([ReplicaID(high: 1, low: 2): VersionVector()])
      let answer = try await server.send(
        "PUT", "/v1/domains/tests/zones/gone/erasure", token: ada.token,
        json: ["confirmations": ErasureConfirmations(word).json])
      #expect(answer.status == 204)
      let page = try await server.feed(ada.token)
      #expect(page.segments.map(\.zone) == ["kept"])
      #expect(page.erased == ["gone": word])
      let late = try await server.push([gone], ada.token)
      #expect(late.map(\.status) == [.erased])
    }
  }
}
