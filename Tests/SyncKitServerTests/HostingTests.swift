import SyncKitFormats
import HTTPTypes
import SyncKit
import SyncKitTesting
import SyncWire
import Testing

@testable import SyncKitServer

/// What a host does with accounts, as their devices meet it.
@Suite struct HostingTests {
  @Test func `names that read the same are one name`() async throws {
    try await TestServer.run { server in
      let administration = server.administration
      let anna = try await administration.makeAccount("Ann\u{E9} Stra\u{DF}e")
      for name in [
        "ann\u{E9} strasse", "ANNE\u{301} STRASSE", "Anne\u{301}  Stra\u{DF}e",
        " Ann\u{E9} Stra\u{DF}e ",
        "Ann\u{E9}\u{A0}Stra\u{17F}se", "\u{FF21}nn\u{E9}\u{3000}\u{FF33}tra\u{DF}e",
      ] {
        await #expect(throws: SyncError.self, "'\(name)'") {
          try await administration.makeAccount(name)
        }
        #expect(try await administration.account(name) == anna, "'\(name)'")
      }
      for name in ["Anne Strasse", "Ann\u{E9}Strasse", "Ann\u{E9} Strase"] {
        #expect(try await administration.account(name) == nil, "'\(name)'")
        _ = try await administration.makeAccount(name)
      }
      // To another form of the own name is no clash; to that of another account it is.
      try await administration.rename(anna.id, to: "ann\u{E9} strasse")
      await #expect(throws: SyncError.self) {
        try await administration.rename(anna.id, to: "ANNE STRASSE")
      }
    }
  }

  @Test func `an account from before names had outlines is found by its name as well`() async throws
  {
    try await TestServer.run { server in
      let administration = server.administration
      let anna = try await administration.makeAccount("Ann\u{E9}")
      try await administration.storage.write { tables in
        try tables.run("UPDATE accounts SET outline=NULL")
      }
      #expect(try await administration.account("ANNE\u{301}") == anna)
      await #expect(throws: SyncError.self) { try await administration.makeAccount("ann\u{E9}") }
      try await administration.rename(anna.id, to: "Zoe")
      #expect(try await administration.account("zoe")?.id == anna.id)
      #expect(try await administration.account("Ann\u{E9}") == nil)
    }
  }

  @Test(arguments: ["a\u{202E}b", "a\u{2066}b", "a\u{200B}b", "\u{FEFF}ab", "a\u{AD}b", "\u{200D}"])
  func `a name with invisible marks is refused everywhere`(name: String) async throws {
    try await TestServer.run { server in
      let ada = try await server.person("Ada")
      await #expect(throws: SyncError.self) { try await server.administration.makeAccount(name) }
      let renamed = try await server.send(
        "PATCH", "/v1/devices/\(ada.device)", token: ada.token, json: ["name": .string(name)])
      #expect(renamed.status == 422)
      let made = try await server.send(
        "POST", "/v1/tokens", token: ada.token, json: ["name": .string(name), "scope": "read"])
      #expect(made.status == 422)
      let join = JoinRequest(
        code: try await server.code(ada.token), device: WireName(id: "phone", name: name))
      #expect(try await server.send("POST", "/v1/join", json: join.json).status == 422)
      // Emoji and scripts that need joiners have them.
      for good in ["\u{1F469}\u{200D}\u{1F4BB}", "\u{645}\u{6CC}\u{200C}\u{62E}"] {
        _ = try await server.ask(
          "PATCH", "/v1/devices/\(ada.device)", ada.token, ["name": .string(good)])
      }
    }
  }

  @Test func `a locked account is told so on every route, and no device joins it`() async throws {
    try await TestServer.run { server in
      let ada = try await server.person("Ada")
      let ben = try await server.person("Ben")
      _ = try await server.push([TestSegments(zone: "paul").segment(1)], ada.token)
      try await server.share("paul", of: ada, with: ben, as: .reader)
      let code = try await server.code(ada.token)
      let program = try await server.token(.read, of: ada)
      #expect(try await server.administration.setLocked(true, ada.account.id))
      #expect(try await !server.administration.setLocked(true, ada.account.id))
      for route in ServerRoutes.table where route.scope != nil && route.path != "/v1/events" {
        var path = route.path
        for part in route.parameters { path = path.replacing("{\(part)}", with: "x") }
        let answer = try await server.send(
          route.method.rawValue, path, token: ada.token, json: route.body == .json ? [:] : nil)
        // What cannot be read is refused before any account is looked for.
        #expect([403, 404, 415, 422].contains(answer.status), "\(route.path): \(answer.text)")
        if answer.status == 403 { #expect(answer.error == "locked", "\(route.path)") }
      }
      #expect(try await server.get("/v1/account", program).error == "locked")
      let join = JoinRequest(code: code, device: WireName(id: "phone", name: "Phone"))
      let refused = try await server.send("POST", "/v1/join", json: join.json)
      #expect(refused.status == 403 && refused.error == "locked")
      // A wrong token learns nothing of it.
      let wrong = TokenText(.token, from: server.environment).text
      #expect(try await server.get("/v1/account", wrong).error == "unauthenticated")
      // Whom it shares with goes on.
      #expect(try await server.feed(ben.token).segments.count == 1)
      #expect(try await server.administration.setLocked(false, ada.account.id))
      #expect(try await server.get("/v1/account", ada.token).status == 200)
      _ = try await server.join(code, "phone")
    }
  }

  @Test func `a locked account's streams of news end`() async throws {
    try await TestServer.run { server in
      let ada = try await server.person("Ada")
      let identity = try await server.state.storage.identity(
        Caller(try #require(TokenText(ada.token)), needs: .read, address: "test"))
      let listener = try #require(server.state.news.listen(identity))
      try await server.administration.setLocked(true, ada.account.id)
      while let word = await listener.next() { #expect(word == .beat) }
    }
  }

  @Test func `devices beyond what the host lets an account have are 507`() async throws {
    try await TestServer.run { server in
      let ada = try await server.person("Ada")
      try await server.administration.setQuota(
        of: ada.account.id, maximumBytes: nil, maximumRecords: nil, maximumDevices: 2)
      _ = try await server.paired(with: ada, "phone")
      let join = JoinRequest(
        code: try await server.code(ada.token), device: WireName(id: "tablet", name: "Tablet"))
      let refused = try await server.send("POST", "/v1/join", json: join.json)
      #expect(refused.status == 507 && refused.text.contains("may have 2"), "\(refused.text)")
      _ = try await server.paired(with: ada, "phone")
      let state = try AccountState(json: try await server.ask("GET", "/v1/account", ada.token))
      #expect(state.usedDevices == 2 && state.maximumDevices == 2)
    }
  }

  @Test func `each thing that the host does is in both audits, and outlives the account`()
    async throws
  {
    try await TestServer.run { server in
      let administration = server.administration
      let ada = try await server.person("Ada")
      try await administration.rename(ada.account.id, to: "Ada L.")
      try await administration.setQuota(
        of: ada.account.id, maximumBytes: 1_000, maximumRecords: nil)
      try await administration.setLocked(true, ada.account.id)
      try await administration.setLocked(false, ada.account.id)
      let code = try await administration.invite(to: ada.account.id)
      let open = try await administration.invitations()
      #expect(open.map(\.kind) == [.account])
      _ = try await administration.end(invitation: open[0].id)
      let join = JoinRequest(code: code.code, device: WireName(id: "late", name: "Late"))
      #expect(try await server.send("POST", "/v1/join", json: join.json).status == 410)
      let actions = [
        "account.add", "account.invite", "account.rename", "account.quota", "account.lock",
        "account.unlock", "account.invite", "invitation.end",
      ]
      let audit = try await server.ask("GET", "/v1/audit", ada.token)["entries"]?.array ?? []
      let own = audit.filter { $0["address"] == "local" }.compactMap { $0["action"]?.string }
      #expect(own.reversed() == actions)
      try await administration.removeAccount(ada.account.id)
      #expect(try await server.get("/v1/account", ada.token).status == 401)
      let notes = try await administration.notes(limit: 100)
      #expect(notes.map(\.action).reversed() == actions + ["account.remove"])
      #expect(notes.first?.account?.name == "Ada L.")
    }
  }

  @Test func `the host sees every kind of open invitation, with its maker`() async throws {
    try await TestServer.run { server in
      let ada = try await server.person("Ada")
      _ = try await server.push([TestSegments(zone: "paul").segment(1)], ada.token)
      _ = try await server.code(ada.token)
      let share = try await server.ask(
        "POST", "/v1/shares", ada.token,
        ShareRequest(domain: "tests", zone: "paul", title: "Paul").json)
      _ = try await server.ask(
        "POST", "/v1/shares/\(share["id"]?.string ?? "")/invitations", ada.token,
        InvitationRequest(role: .reader, name: "Ben").json)
      _ = try await server.administration.invite(to: ada.account.id)
      let open = try await server.administration.invitations()
      #expect(Set(open.map(\.kind)) == [.account, .pairing, .share])
      #expect(open.first { $0.kind == .share }?.guest?.name == "Ben")
      #expect(open.first { $0.kind == .pairing }?.by == "A device")
      for invitation in open { _ = try await server.administration.end(invitation: invitation.id) }
      #expect(try await server.administration.invitations().isEmpty)
      server.clock.advance(by: 8 * 86_400_000)
    }
  }
}
