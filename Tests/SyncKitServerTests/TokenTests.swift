import SyncKitFormats
import SyncKit
import SyncKitTesting
import SyncWire
import Testing

@testable import SyncKitServer

@Suite struct TokenTests {
  @Test func `a token does what its scope says until it ends`() async throws {
    try await TestServer.run { server in
      let ada = try await server.person("Ada")
      let made = try WireToken(
        json: try await server.ask(
          "POST", "/v1/tokens", ada.token,
          ["name": "Backup", "scope": "read", "expires": .int(server.clock.now + 60_000)]))
      let secret = try #require(made.secret)
      #expect(try await server.get("/v1/vault", secret).status == 200)
      #expect(try await server.get("/v1/tokens", secret).status == 403)
      server.clock.advance(by: 60_000)
      #expect(try await server.get("/v1/vault", secret).status == 401)
      let listed = try await server.ask("GET", "/v1/tokens", ada.token)
      let found = listed["tokens"]?.array?.first { $0["id"]?.string == made.id }
      #expect(found?["name"] == "Backup")
      #expect(found?["token"] == nil, "a secret is told once")
    }
  }

  @Test func `a token that cannot be is refused`() async throws {
    try await TestServer.run { server in
      let ada = try await server.person("Ada")
      let past: JSON = ["name": "Old", "scope": "read", "expires": 5]
      let broken: [JSON] = [
        past, ["name": "", "scope": "read"], ["name": "x", "scope": "all"], ["scope": "read"],
        ["name": "a\nb", "scope": "read"], ["name": "x", "scope": "read", "expires": "soon"],
      ]
      for json in broken {
        let answer = try await server.send("POST", "/v1/tokens", token: ada.token, json: json)
        #expect(answer.status == 422, "\(json): \(answer.text)")
      }
    }
  }

  @Test func `a device whose token is used stays, and one that is silent for long does not`()
    async throws
  {
    try await TestServer.run { server in
      let ada = try await server.person("Ada")
      for _ in 0..<3 {
        server.clock.advance(by: 100 * 86_400_000)
        #expect(try await server.get("/v1/account", ada.token).status == 200)
        await server.state.usage.flush()
        // The note is written beside the answer; this one is behind it.
        try await server.state.storage.probe()
      }
      let devices = try await server.ask("GET", "/v1/devices", ada.token)
      #expect(devices["devices"]?[0]?["lastSeen"]?.int == server.clock.now)
      server.clock.advance(by: 181 * 86_400_000)
      #expect(try await server.get("/v1/account", ada.token).status == 401)
    }
  }

  @Test func `a removed device is out at once`() async throws {
    try await TestServer.run { server in
      let ada = try await server.person("Ada")
      let code = try PairingCode(json: try await server.ask("POST", "/v1/pairings", ada.token))
      let phone = try await server.join(code.code, "phone")
      _ = try await server.ask("DELETE", "/v1/devices/phone", ada.token)
      #expect(try await server.get("/v1/account", phone.token).status == 401)
      let gone = try await server.send("DELETE", "/v1/devices/phone", token: ada.token)
      #expect(gone.status == 404)
      let audit = try await server.ask("GET", "/v1/audit", ada.token)
      let actions = audit["entries"]?.array?.compactMap { $0["action"]?.string }
      #expect(
        actions == [
          "device.remove", "device.join", "device.pair", "device.join", "account.invite",
          "account.add",
        ])
    }
  }

  @Test func `a device that joins again keeps its name and loses its old token`() async throws {
    try await TestServer.run { server in
      let ada = try await server.person("Ada")
      let code = try PairingCode(json: try await server.ask("POST", "/v1/pairings", ada.token))
      let again = try await server.join(code.code, ada.device)
      #expect(try await server.get("/v1/account", ada.token).status == 401)
      let devices = try await server.ask("GET", "/v1/devices", again.token)
      #expect(devices["devices"]?.array?.count == 1)
      #expect(devices["devices"]?[0]?["self"] == true)
    }
  }

  @Test func `a pairing code lasts ten minutes`() async throws {
    try await TestServer.run { server in
      let ada = try await server.person("Ada")
      let code = try PairingCode(json: try await server.ask("POST", "/v1/pairings", ada.token))
      #expect(code.code.utf8.count == 9)
      server.clock.advance(by: 600_000)
      let late = JoinRequest(code: code.code, device: WireName(id: "phone", name: "Phone")).json
      let answer = try await server.send("POST", "/v1/join", json: late)
      #expect(answer.status == 410)
    }
  }

  @Test func `five wrong codes a minute are tried from one address and no sixth`() async throws {
    try await TestServer.run(rates: RequestRates()) { server in
      let account = try await server.administration.makeAccount("Ada")
      let code = try await server.administration.invite(to: account.id)
      func attempt(_ code: String) async throws -> TestServer.Answer {
        let request = JoinRequest(code: code, device: WireName(id: "d", name: "D")).json
        return try await server.send("POST", "/v1/join", json: request)
      }
      for _ in 0..<5 { #expect(try await attempt("AAAA-AAAA").status == 410) }
      let sixth = try await attempt(code.code)
      #expect(sixth.status == 429, "also the right one has to wait")
      let seconds = try #require(Int(sixth.headers["retry-after"] ?? ""))
      #expect(sixth.json["error"]?["retryAfter"]?.int == Int64(seconds))
      server.clock.advance(by: Int64(seconds) * 1_000)
      #expect(try await attempt(code.code).status == 201)
    }
  }

  @Test func `a token that asks too often waits as long as asked`() async throws {
    var rates = RequestRates.none
    rates.token = .init(perMinute: 60, burst: 3)
    try await TestServer.run(rates: rates) { server in
      let ada = try await server.person("Ada")
      let bob = try await server.person("Bob")
      for _ in 0..<3 { #expect(try await server.get("/v1/vault", ada.token).status == 200) }
      let refused = try await server.get("/v1/vault", ada.token)
      #expect(refused.status == 429)
      #expect(refused.headers["retry-after"] == "1")
      #expect(try await server.get("/v1/vault", bob.token).status == 200)
      server.clock.advance(by: 1_000)
      #expect(try await server.get("/v1/vault", ada.token).status == 200)
    }
  }

  @Test func `guessing tokens ends in waiting`() async throws {
    var rates = RequestRates.none
    rates.failures = .init(perMinute: 10, burst: 10)
    try await TestServer.run(rates: rates) { server async throws -> Void in
      for _ in 0..<10 {
        let guess = TokenText(.token, from: server.environment).text
        #expect(try await server.get("/v1/vault", guess).status == 401)
      }
      let guess = TokenText(.token, from: server.environment).text
      #expect(try await server.get("/v1/vault", guess).status == 429)
    }
  }

  @Test(TestDatabase.onlyInFolder)
  func `nothing that the server keeps holds a secret`() async throws {
    try await TestServer.run { server in
      let ada = try await server.person("Ada")
      let code = try PairingCode(json: try await server.ask("POST", "/v1/pairings", ada.token))
      let token = try #require(TokenText(ada.token))
      for file in ["server.sqlite", "server.sqlite-wal"] {
        let bytes = try readFile("\(server.folder)/\(file)")
        let secrets = [
          Array(ada.token.utf8), Array(ada.token.dropFirst(18).prefix(52).utf8), token.secret,
          Array(code.code.utf8), Array(code.code.utf8.filter { $0 != UInt8(ascii: "-") }),
        ]
        for (index, secret) in secrets.enumerated() {
          #expect(!bytes.contains(secret), "secret \(index) is in \(file)")
        }
        #expect(file != "server.sqlite-wal" || bytes.contains(Array(token.id.utf8)))
      }
    }
  }
}
