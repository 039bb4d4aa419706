import SyncKitFormats
import SyncKit
import SyncKitTesting
import SyncWire
import Testing

@testable import SyncKitServer

/// How much there may be of each thing, and that a refusal names the limit.
@Suite struct LimitTests {
  /// A policy under which three of everything are as many as there may be.
  private static var three: ServerPolicy {
    var policy = ServerPolicy()
    policy.maximumDevices = 3
    policy.maximumTokens = 3
    policy.maximumCodes = 3
    policy.maximumRoots = 3
    policy.maximumErasures = 3
    policy.maximumShares = 3
    policy.maximumParticipants = 3
    policy.maximumDomains = 3
    return policy
  }

  private func expectLimit(_ answer: TestServer.Answer, _ what: String) {
    #expect(answer.status == 422, "\(what): \(answer.status) \(answer.text)")
    let code = answer.error ?? ""
    #expect(code.hasPrefix("too-many"), "\(what): \(answer.text)")
    #expect(answer.json["error"]?["message"]?.string?.contains("3") == true, "\(answer.text)")
  }

  @Test func `erasures are limited in each domain, and what is erased may still be confirmed`()
    async throws
  {
    try await TestServer.run(policy: Self.three) { server in
      let ada = try await server.person("Ada")
      func erase(_ zone: String, of domain: String = "tests") async throws -> TestServer.Answer {
        try await server.send(
          "PUT", "/v1/domains/\(domain)/zones/\(zone)/erasure", token: ada.token,
          json: ["confirmations": []])
      }
      for zone in ["a", "b", "c"] { #expect(try await erase(zone).status == 204) }
      expectLimit(try await erase("d"), "erasures")
      #expect(try await erase("a").status == 204)
      #expect(try await erase("d", of: "others").status == 204)
      #expect(try await server.feed(ada.token).erased.count == 3)
    }
  }

  @Test func `vault ids, tokens, open codes, devices and shares are limited`() async throws {
    try await TestServer.run(policy: Self.three) { server in
      let ada = try await server.person("Ada")
      func root(_ digit: Int) async throws -> TestServer.Answer {
        try await server.send(
          "PUT", "/v1/vault/0f0e0d0c-0b0a-4908-8706-05040302010\(digit)", token: ada.token)
      }
      for digit in 1...3 { #expect(try await root(digit).status == 204) }
      #expect(try await root(1).status == 204)
      expectLimit(try await root(4), "vault ids")
      // A manager of the account makes room again.
      let one = "/v1/vault/0f0e0d0c-0b0a-4908-8706-050403020101"
      let narrow = try await server.token(.sync, of: ada)
      #expect(try await server.send("DELETE", one, token: narrow).status == 403)
      #expect(try await server.send("DELETE", one, token: ada.token).status == 204)
      #expect(try await server.send("DELETE", one, token: ada.token).status == 404)
      #expect(try await root(4).status == 204)
      let listed = try await server.ask("GET", "/v1/tokens", ada.token)["tokens"]?.array ?? []
      for token in listed where token["name"] == "Test" {
        _ = try await server.ask("DELETE", "/v1/tokens/\(token["id"]?.string ?? "")", ada.token)
      }

      func code() async throws -> TestServer.Answer {
        try await server.send("POST", "/v1/pairings", token: ada.token)
      }
      var codes: [String] = []
      for _ in 1...3 { codes.append(try await code().json["code"]?.string ?? "") }
      expectLimit(try await code(), "codes")
      for device in ["one", "two"] { _ = try await server.join(codes.removeFirst(), device) }
      let fourth = JoinRequest(code: codes[0], device: WireName(id: "three", name: "Three"))
      expectLimit(try await server.send("POST", "/v1/join", json: fourth.json), "devices")
      // The code was not spent, and a device that is known needs no more room.
      _ = try await server.join(codes[0], "two")

      func share(_ zone: ZoneID) async throws -> TestServer.Answer {
        _ = try await server.push([TestSegments(zone: zone).segment(1)], ada.token)
        return try await server.send(
          "POST", "/v1/shares", token: ada.token,
          json: ShareRequest(domain: "tests", zone: zone, title: "T").json)
      }
      for zone in ["a", "b", "c"] as [ZoneID] { #expect(try await share(zone).status == 201) }
      expectLimit(try await share("d"), "shares")
    }
  }

  @Test func `tokens are limited, those of devices included`() async throws {
    try await TestServer.run(policy: Self.three) { server in
      let ada = try await server.person("Ada")
      func make() async throws -> TestServer.Answer {
        try await server.send(
          "POST", "/v1/tokens", token: ada.token, json: ["name": "x", "scope": "read"])
      }
      for _ in 1...2 { #expect(try await make().status == 201) }
      expectLimit(try await make(), "tokens")
      // A token that is over takes no room.
      server.clock.advance(by: 100 * 86_400_000)
      _ = try await server.get("/v1/account", ada.token)
      await server.state.usage.flush()
      try await server.state.storage.probe()
      server.clock.advance(by: 100 * 86_400_000)
      #expect(try await make().status == 201)
    }
  }

  @Test func `domains and participants are limited`() async throws {
    try await TestServer.run(policy: Self.three) { server in
      let ada = try await server.person("Ada")
      func push(_ domain: String) async throws -> TestServer.Answer {
        var bytes: [UInt8] = []
        SegmentFrames.append(
          try TestSegments(zone: "paul", domain: domain).segment(1).bytes, to: &bytes)
        return try await server.send(
          "POST", "/v1/domains/\(domain)/segments", token: ada.token, body: bytes,
          type: WireProtocol.segments)
      }
      for domain in ["tests", "b", "c"] { #expect(try await push(domain).status == 200) }
      expectLimit(try await push("d"), "domains")
      let share = try await server.ask(
        "POST", "/v1/shares", ada.token,
        ShareRequest(domain: "tests", zone: "paul", title: "T").json)
      func invite() async throws -> TestServer.Answer {
        try await server.send(
          "POST", "/v1/shares/\(share["id"]?.string ?? "")/invitations", token: ada.token,
          json: InvitationRequest(role: .reader, name: "Guest").json)
      }
      for _ in 1...3 { #expect(try await invite().status == 201) }
      expectLimit(try await invite(), "participants")
    }
  }
}
