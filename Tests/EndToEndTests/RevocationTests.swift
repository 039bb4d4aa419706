import SyncKitFormats
import SegmentFormat
import SyncKit
import Testing

/// A lost device loses access with everything that it made, as seen by the account's owner and by the thief.
struct RevocationTests {
  /// The token that a device got when it joined.
  private func token(of device: TestDevice) throws -> String {
    let file = device.path(".local/share/cloudsync/tokens/home")
    return String(try Files.text(file).prefix { $0 != "\n" })
  }

  private func post(
    _ host: ServerHost, _ path: String, _ token: String, _ body: String = ""
  ) async throws -> CurlAnswer {
    try await CurlAnswer.ask(
      host.machine, host.url + path, token: token, "--request", "POST", "--header",
      "Content-Type: application/json", "--data", body)
  }

  @Test func `a thief's tokens and codes end with the device, and the owner sees them first`()
    async throws
  {
    let host = try await ServerHost()
    let laptop = try await host.device(of: "anna")
    let phone = try await host.device(beside: laptop, "phone")
    let stolen = try token(of: phone)
    let made = try await post(
      host, "/v1/tokens", stolen, "{\"name\": \"hidden\", \"scope\": \"manage\"}")
    let hidden = made.document["token"]?.string ?? ""
    let code = try await post(host, "/v1/pairings", hidden).document["code"]?.string ?? ""
    let ghost = try TestDevice()
    let early = try await post(host, "/v1/pairings", hidden).document["code"]?.string ?? ""
    let letIn = try await ghost.run(
      "init", "--yes", "--unencrypted", "--device", "ghost", "--join", early, "--remote",
      "home=\(host.url)")
    #expect(letIn.status == 0, "\(letIn.error)")

    let list = try await laptop.json("device", "list")
    #expect(list["tokens"]?.array?.map { $0["name"]?.string } == ["hidden"])
    #expect(list["tokens"]?[0]?["by"]?["name"] == "phone")
    let known = list["devices"]?.array?.first { $0["name"] == "ghost" }
    #expect(known?["by"]?["name"] == "phone")
    #expect(try await laptop.run("device", "list").output.contains("token (manage), made by phone"))

    let rehearsed = try await laptop.run("device", "revoke", "phone", "--dry-run")
    #expect(rehearsed.error.contains("would end with it: the token 'hidden' (manage)"))
    #expect(
      try await CurlAnswer.ask(host.machine, host.url + "/v1/account", token: hidden).status == 200)

    let revoked = try await laptop.run("device", "revoke", "phone")
    #expect(revoked.status == 0)
    #expect(
      revoked.error.contains("ended with it: the token 'hidden' (manage)"), "\(revoked.error)")
    #expect(revoked.error.contains("an open code"))
    #expect(revoked.error.contains("'ghost' joined with a code from 'phone' and remains"))
    for token in [stolen, hidden] {
      let answer = try await CurlAnswer.ask(host.machine, host.url + "/v1/account", token: token)
      #expect(answer.status == 401)
    }
    let late = try TestDevice()
    let refused = try await late.run(
      "init", "--yes", "--unencrypted", "--join", code, "--remote", "home=\(host.url)", "--json")
    #expect(refused.status == 77 && refused.failure["code"] == "remote.code-spent")

    #expect(try await laptop.run("device", "revoke", "ghost").status == 0)
    #expect(try await ghost.run("sync").status == 77)
    let audit = try await laptop.json("account", "audit")["entries"]?.array ?? []
    let actions = audit.compactMap { $0["action"]?.string }
    #expect(actions.contains("token.make") && actions.contains("code.end"), "\(actions)")

    // Removed devices are still shown by name.
    let paired = audit.first { $0["action"] == "device.pair" && $0["token"] != .null }
    #expect(paired?["device"]?["name"] == "phone" && paired?["tokenName"] == "hidden")
    let table = try await laptop.run("account", "audit").output
    #expect(table.contains("phone by the token 'hidden'"), "\(table)")
    #expect(table.contains("an open code") || table.contains("1 open code"), "\(table)")
  }

  @Test func `a list of devices shows which are signed out, and no revoked token`()
    async throws
  {
    let host = try await ServerHost()
    let laptop = try await host.device(of: "anna")
    let phone = try await host.device(beside: laptop, "phone")
    let tablet = try await host.device(beside: phone, "tablet")
    try await host.machine.run(
      "token", "create", "short", "--scope", "read", "--account", "anna", "--expires", "1s")
    #expect(try await laptop.run("device", "revoke", "phone").status == 0)
    let tokens = try await laptop.json("account", "tokens")["tokens"]?.array ?? []
    let own = try await tablet.json("device", "list")["devices"]?.array?.first {
      $0["self"] == true
    }
    let id = tokens.first { $0["device"] == own?["id"] }?["id"]?.string ?? ""
    #expect(try await host.machine.run("token", "revoke", id).status == 0)
    try await Task.sleep(for: .seconds(1))

    let list = try await laptop.json("device", "list")
    #expect(list["tokens"]?.array?.isEmpty == true, "\(list)")
    let found = list["devices"]?.array?.first { $0["name"] == "tablet" }
    #expect(found?["signedOut"] == true && found?["by"]?["name"] == "phone")
    let table = try await laptop.run("device", "list").output
    #expect(table.contains("signed out, joined by phone"), "\(table)")
    for words in [["account", "tokens"], ["token", "list", "--account", "anna"]] {
      let device = words[0] == "account" ? laptop : host.machine
      let ended = try await device.run(words).output.split(separator: "\n")
        .first { $0.contains("short") }
      #expect(ended?.contains("ended") == true, "\(words)")
    }

    // The command in the hint admits the device again.
    let refused = try await tablet.run("sync")
    #expect(refused.status == 77)
    #expect(refused.error.contains("cloudsync remote add NAME \(host.url) --join CODE"))
    let code = try await laptop.json("device", "pair")["code"]?.string ?? ""
    let back = try await tablet.run(
      "remote", "add", "--unencrypted", "home", host.url, "--join", code)
    #expect(back.status == 0, "\(back.error)")
    #expect(try await tablet.run("sync").status == 0)
  }

  @Test func `the account's owner finds and removes segments that no device can read`() async throws
  {
    let host = try await ServerHost()
    let laptop = try await host.device(of: "anna")
    try await laptop.run("airports", "add", "JFK", "KJFK")
    #expect(try await laptop.run("sync").status == 0)
    let info = SegmentInfo(
      domain: "airports", zone: .home, series: ReplicaID(high: 66, low: 6), first: 1, last: 1,
      previous: ContentHash(high: 1, low: 1), head: ContentHash(high: 2, low: 2),
      base: VersionVector(), operations: 1, deletions: 0, newest: 1)
    let segment = try DeflateSegmentCoding().segment(info, changes: [[0, 1, 2]])
    let size = UInt32(segment.bytes.count)
    let file = host.machine.path("bad")
    try Files.write(
      (0..<4).map { UInt8(truncatingIfNeeded: size >> (24 - 8 * $0)) } + segment.bytes, to: file)
    let stored = try await CurlAnswer.ask(
      host.machine, host.url + "/v1/domains/airports/segments", token: try token(of: laptop),
      "--request", "POST", "--header", "Content-Type: application/vnd.cloudsync.segments",
      "--data-binary", "@\(file)")
    #expect(stored.document["results"]?[0]?["status"] == "stored", "\(stored.body)")

    let synced = try await laptop.run("sync")
    #expect(synced.status == 0 && synced.error.contains("is damaged"), "\(synced.error)")
    let verified = try await laptop.run("verify", "--remotes", "--json")
    #expect(verified.status == 65, "\(verified.error)")
    #expect(verified.failure["hint"]?.string?.contains("--repair") == true, "\(verified.error)")
    let checked = try await host.machine.run("server", "check")
    #expect(checked.status == 65 && checked.error.contains("of 'anna' in airports/home"))
    let repaired = try await laptop.run("verify", "--remotes", "--repair")
    #expect(repaired.status == 0, "\(repaired.error)")
    #expect(repaired.error.contains("removed 1 segment from 'home'"), "\(repaired.error)")
    #expect(try await laptop.run("verify", "--remotes").status == 0)
    #expect(try await host.machine.run("server", "check").status == 0)
    let audit = try await laptop.json("account", "audit", "--limit", "1")["entries"]
    #expect(audit?[0]?["action"] == "segment.clear")
  }

  @Test func `a device is revoked together with those that joined through it, on request`()
    async throws
  {
    let host = try await ServerHost()
    let laptop = try await host.device(of: "anna")
    let phone = try await host.device(beside: laptop, "phone")
    let tablet = try await host.device(beside: phone, "tablet")
    let watch = try await host.device(beside: tablet, "watch")
    let revoked = try await laptop.json("device", "revoke", "phone", "--with-joined")
    #expect(revoked["withJoined"]?.array?.map { $0["name"]?.string } == ["tablet", "watch"])
    for device in [phone, tablet, watch] { #expect(try await device.run("sync").status == 77) }
    #expect(try await laptop.run("sync").status == 0)
  }

  @Test func `the owner lists and revokes tokens from a device`() async throws {
    let host = try await ServerHost()
    let laptop = try await host.device(of: "anna")
    try await host.machine.run("token", "create", "reports", "--scope", "read", "--account", "anna")
    let tokens = try await laptop.json("account", "tokens")["tokens"]?.array ?? []
    #expect(tokens.contains { $0["name"] == "reports" && $0["by"] == .null })
    #expect(tokens.contains { $0["device"]?.string != nil })
    let ended = try await laptop.json("account", "tokens", "revoke", "reports")
    #expect(ended["name"] == "reports" && ended["ended"]?["codes"] == 0)
    #expect(try await laptop.run("account", "tokens", "revoke", "reports").status == 66)
    let account = try await laptop.json("account")
    #expect(account["name"] == "anna" && account["quota"]?["bytes"] == .null)
  }
}
