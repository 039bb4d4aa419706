import SyncKitFormats
import SQLiteFile
import SyncKit
import SyncKitTesting
import SyncWire
import Testing

@testable import SyncKitServer

/// What a device or a token makes ends with it, however it ends.
@Suite struct DescentTests {
  @Test func `what a device made ends with it, through any number of tokens`() async throws {
    try await TestServer.run { server in
      let ada = try await server.person("Ada")
      let phone = try await server.paired(with: ada, "phone")
      let hidden = try await server.made(phone.token, "hidden", "manage")
      let deeper = try await server.made(hidden, "deeper", "manage")
      let deepest = try await server.made(deeper, "deepest", "read")
      let own = try await server.made(ada.token, "backup", "read")
      let codes = [
        try await server.code(phone.token), try await server.code(hidden),
        try await server.code(deeper),
      ]
      _ = try await server.push([TestSegments(zone: "paul").segment(1)], ada.token)
      let share = try await server.ask(
        "POST", "/v1/shares", ada.token,
        ShareRequest(domain: TestSegments.domain, zone: "paul", title: "Paul").json)
      let invitation = try Invitation(
        json: try await server.ask(
          "POST", "/v1/shares/\(share["id"]?.string ?? "")/invitations", deeper,
          InvitationRequest(role: .writer, name: "Thief").json))

      let path = "/v1/devices/phone"
      let told = try Ended(json: try await server.ask("GET", path + "/made", ada.token))
      let ended = try Ended(json: try await server.ask("DELETE", path, ada.token))
      #expect(told == ended)
      #expect(Set(ended.tokens.map(\.name)) == ["hidden", "deeper", "deepest"])
      #expect(ended.codes == 3)
      #expect(ended.invitations.map(\.participant.name) == ["Thief"])
      #expect(ended.invitations.map(\.share.name) == ["Paul"])

      for token in [phone.token, hidden, deeper, deepest] {
        #expect(try await server.get("/v1/account", token).status == 401)
      }
      #expect(try await server.get("/v1/account", own).status == 200)
      for code in codes {
        let join = JoinRequest(code: code, device: WireName(id: "ghost", name: "Ghost"))
        #expect(try await server.send("POST", "/v1/join", json: join.json).status == 410)
      }
      let eve = try await server.person("Eve")
      let accepted = try await server.send(
        "POST", "/v1/invitations/accept", token: eve.token,
        json: ["secret": .string(invitation.secret)])
      #expect(accepted.status == 410)
    }
  }

  @Test func `a device and a guest that came in by it stay, and are named`() async throws {
    try await TestServer.run { server in
      let ada = try await server.person("Ada")
      let eve = try await server.person("Eve")
      let phone = try await server.paired(with: ada, "phone")
      let hidden = try await server.made(phone.token, "hidden", "manage")
      let ghost = try await server.join(server.code(hidden), "ghost")
      _ = try await server.push([TestSegments(zone: "paul").segment(1)], ada.token)
      var thief = ada
      thief.token = hidden
      try await server.share("paul", of: thief, with: eve, as: .reader)
      // The token by which they came in has ended before; they are the phone's doing all the same.
      let id = try #require(TokenText(hidden)).id
      let first = try Ended(json: try await server.ask("DELETE", "/v1/tokens/\(id)", ada.token))
      let ended = try Ended(json: try await server.ask("DELETE", "/v1/devices/phone", ada.token))
      for ended in [first, ended] {
        #expect(ended.joined.map(\.id) == ["ghost"])
        #expect(ended.guests.map(\.participant.name) == ["Eve"])
      }
      #expect(try await server.get("/v1/account", ghost.token).status == 200)
      #expect(try await server.feed(eve.token).segments.count == 1)
    }
  }

  @Test func `no token outlives or outranks the one that made it`() async throws {
    try await TestServer.run { server in
      let ada = try await server.person("Ada")
      let day: Int64 = 86_400_000
      let now = server.clock.now
      func end(_ maker: String, _ expires: Int64?) async throws -> Int64? {
        var body: JSONObject = ["name": "x", "scope": "manage"]
        if let expires { body["expires"] = .int(expires) }
        let made = try WireToken(
          json: try await server.ask("POST", "/v1/tokens", maker, .object(body)))
        return made.expires
      }
      // The device's own would end in 180 days.
      #expect(try await end(ada.token, nil) == now + 180 * day)
      #expect(try await end(ada.token, now + 900 * day) == now + 180 * day)
      #expect(try await end(ada.token, now + day) == now + day)
      let eternal =
        try await server.administration.makeToken(
          for: ada.account.id, name: "host", scope: .manage
        ).secret ?? ""
      #expect(try await end(eternal, nil) == now + 365 * day)
      #expect(try await end(eternal, now + 900 * day) == now + 900 * day)

      let short = try await server.made(ada.token, "short", "manage", expires: now + day)
      #expect(try await end(short, now + 900 * day) == now + day)
      for scope in ["read", "sync"] {
        let narrow = try await server.made(ada.token, scope, scope)
        let wider = try await server.send(
          "POST", "/v1/tokens", token: narrow, json: ["name": "x", "scope": "manage"])
        #expect(wider.status == 403)
      }
    }
  }

  @Test func `a device let in by a token that ends does not outlive it, however it is used`()
    async throws
  {
    try await TestServer.run { server in
      let ada = try await server.person("Ada")
      let hour: Int64 = 3_600_000
      let short = try await server.made(
        ada.token, "short", "manage", expires: server.clock.now + 48 * hour)
      let code = try await server.code(short)
      let ghost = try await server.join(code, "ghost")
      // Its codes bear the same end, too.
      let second = try await server.join(server.code(ghost.token), "second")
      server.clock.advance(by: 47 * hour)
      for token in [ghost.token, second.token] {
        #expect(try await server.get("/v1/account", token).status == 200)
      }
      await server.state.usage.flush()
      try await server.state.storage.probe()
      server.clock.advance(by: hour)
      for token in [short, ghost.token, second.token] {
        #expect(try await server.get("/v1/account", token).status == 401)
      }
      // A code of a token about to end is no longer good than the token.
      let brief = try await server.made(
        ada.token, "brief", "manage", expires: server.clock.now + 60_000)
      let late = try PairingCode(json: try await server.ask("POST", "/v1/pairings", brief))
      #expect(late.expires == server.clock.now + 60_000)
    }
  }

  @Test func `a device that joins again begins without what it made before`() async throws {
    try await TestServer.run { server in
      let ada = try await server.person("Ada")
      let phone = try await server.paired(with: ada, "phone")
      let hidden = try await server.made(phone.token, "hidden", "manage")
      let again = try await server.paired(with: ada, "phone")
      #expect(try await server.get("/v1/account", hidden).status == 401)
      #expect(try await server.get("/v1/account", again.token).status == 200)
    }
  }

  @Test func `a token that the host ends takes along what it made`() async throws {
    try await TestServer.run { server in
      let ada = try await server.person("Ada")
      let made = try await server.administration.makeToken(
        for: ada.account.id, name: "host", scope: .manage)
      let child = try await server.made(made.secret ?? "", "child", "sync")
      let code = try await server.code(made.secret ?? "")
      let ended = try await server.administration.revoke(token: made.id)
      #expect(ended.tokens.map(\.name) == ["child"] && ended.codes == 1)
      #expect(try await server.get("/v1/account", child).status == 401)
      let join = JoinRequest(code: code, device: WireName(id: "ghost", name: "Ghost"))
      #expect(try await server.send("POST", "/v1/join", json: join.json).status == 410)
    }
  }

  @Test func `lists and the audit name the maker of each thing`() async throws {
    try await TestServer.run { server in
      let ada = try await server.person("Ada")
      let phone = try await server.paired(with: ada, "phone")
      let hidden = try await server.made(phone.token, "hidden", "manage")
      _ = try await server.made(hidden, "deeper", "read")
      let listed = try await server.ask("GET", "/v1/tokens", ada.token)["tokens"]?.array ?? []
      let tokens = try listed.map { try WireToken(json: $0) }
      let deeper = try #require(tokens.first { $0.name == "deeper" })
      #expect(deeper.by?.id == "phone" && deeper.maker == TokenText(hidden)?.id)
      #expect(tokens.filter { $0.device != nil }.allSatisfy { $0.by == nil })
      let devices = try await server.ask("GET", "/v1/devices", ada.token)["devices"]?.array ?? []
      let joined = try devices.map { try WireDevice(json: $0) }
      let by = Dictionary(uniqueKeysWithValues: joined.map { ($0.device.id, $0.by?.id) })
      #expect(by == [ada.device: nil, "phone": ada.device])

      _ = try await server.ask("DELETE", "/v1/devices/phone", ada.token)
      let audit = try await server.ask("GET", "/v1/audit", ada.token)["entries"]?.array ?? []
      let entries = try audit.map { try AuditEntry(json: $0) }
      let ends = entries.filter { $0.action == "token.revoke" }
      #expect(Set(ends.map(\.name)) == ["hidden", "deeper"])
      #expect(ends.allSatisfy { $0.device == ada.device && $0.token == nil })
      let made = try #require(entries.first { $0.action == "token.make" && $0.name == "deeper" })
      #expect(made.device == "phone" && made.token == TokenText(hidden)?.id)
      #expect(made.deviceName == "A device" && made.tokenName == "hidden")
      #expect(entries.first { $0.action == "device.remove" }?.name == "A device")
    }
  }

  @Test func `a file of the first version is taken over`() async throws {
    let folder = try temporaryFolder()
    defer { removeFolder(folder) }
    let path = try ServerFile.prepare(folder)
    let connection = try Connection(path)
    try connection.run(ServerSchema.versions[0])
    try connection.run(
      """
      INSERT INTO accounts(id, name, created) VALUES('a', 'Ada', 1);
      INSERT INTO devices(account, id, name, joined) VALUES('a', 'laptop', 'Laptop', 1);
      PRAGMA application_id=\(0x6373_7276); PRAGMA user_version=1
      """)
    connection.close()
    let (storage, administration) = try SQLiteServerStorageTests.open(folder)
    #expect(try await administration.accounts().map(\.account.name) == ["Ada"])
    let code = try await administration.invite(to: "a")
    let joined = try await storage.join(
      JoinRequest(code: code.code, device: WireName(id: "phone", name: "Phone")), address: "test")
    let token = try #require(TokenText(joined.token))
    let devices = try await storage.devices(Caller(token, needs: .read, address: "test"))
    #expect(devices.map(\.device.id) == ["laptop", "phone"])
    #expect(try await administration.check().problems.isEmpty)
    try await administration.close()
    try await storage.close()
  }
}

extension TestServer {
  /// A code with which one more device joins, made with a token.
  func code(_ token: String) async throws -> String {
    try PairingCode(json: try await ask("POST", "/v1/pairings", token)).code
  }

  /// One more device of an account.
  func paired(with person: Person, _ device: String) async throws -> Person {
    try await join(code(person.token), device)
  }

  /// The text of a token that is made with another one.
  func made(
    _ maker: String, _ name: String, _ scope: String, expires: Int64? = nil
  ) async throws -> String {
    var body: JSONObject = ["name": .string(name), "scope": .string(scope)]
    if let expires { body["expires"] = .int(expires) }
    return try await ask("POST", "/v1/tokens", maker, .object(body))["token"]?.string ?? ""
  }
}
