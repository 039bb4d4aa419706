import Formats
import Testing

/// Accounts on a server as their host and their people meet them, with the real program on both sides.
struct ServerHostingTests {
  @Test func `an account is made, limited, locked, copied and removed`() async throws {
    let host = try await ServerHost()
    let machine = host.machine
    #expect(try await machine.run("server", "account", "add", "Anna").status == 0)
    let again = try await machine.run("server", "account", "add", "ANNA", "--json")
    #expect(again.status == 65 && again.failure["message"]?.string?.contains("Anna") == true)
    // A typing error of the host makes no second account.
    let invited = try await machine.json("server", "invite", "anna", "--url", host.url)
    #expect(invited["created"] == false && invited["account"]?["name"] == "Anna")
    let laptop = try TestDevice()
    let joined = try await laptop.run(
      "init", "--yes", "--device", "laptop", "--join", invited["link"]?.string ?? "")
    #expect(joined.status == 0, "\(joined.error)")
    try await laptop.run("airports", "add", "JFK", "KJFK")
    #expect(try await laptop.run("sync").status == 0)

    // Quotas: what does not fit is told, and nothing of it is there.
    #expect(try await machine.run("server", "account", "quota", "anna", "--bytes", "1").status == 0)
    try await laptop.run("airports", "add", "ZRH", "LSZH")
    let full = try await laptop.run("sync", "--json", "--domain", "airports")
    #expect(full.status == 73 && full.failure["code"] == "remote.quota", "\(full.error)")
    #expect(full.failure["cause"]?.string?.contains("may have 1") == true, "\(full.error)")
    let quota = try await laptop.json("account")
    #expect(quota["quota"]?["bytes"] == 1)
    try await machine.run("server", "account", "quota", "anna", "--bytes", "none", "--devices", "1")
    #expect(try await laptop.run("sync").status == 0)
    let code = try await laptop.json("device", "pair")["code"]?.string ?? ""
    let phone = try TestDevice()
    let second = try await phone.run(
      "init", "--yes", "--join", code, "--remote", "home=\(host.url)", "--json")
    #expect(second.status == 73, "\(second.error)")

    // Locked: told so, and local work goes on.
    #expect(try await machine.run("server", "account", "lock", "anna").status == 0)
    let locked = try await laptop.run("sync", "--json", "--domain", "airports")
    #expect(locked.status == 77 && locked.failure["code"] == "remote.locked", "\(locked.error)")
    #expect(try await laptop.run("airports", "add", "HEL", "EFHK").status == 0)
    try await machine.run("server", "account", "unlock", "anna")
    #expect(try await laptop.run("sync").status == 0)

    // Removed, with a copy that a new device can begin with.
    let asked = try await machine.run("server", "account", "remove", "anna")
    #expect(asked.status == 64, "Neither a copy nor its refusal was named: \(asked.error)")
    let copy = machine.path("copy")
    let removed = try await machine.run(
      "server", "account", "remove", "anna", "--export", copy, "--yes")
    #expect(removed.status == 0, "\(removed.error)")
    #expect(try await laptop.run("sync").status == 77)
    let heir = try TestDevice()
    #expect(try await heir.run("init", "--yes", "--remote", "copy=file:\(copy)").status == 0)
    #expect(try await heir.run("sync").status == 0)
    #expect(try await heir.codes() == ["JFK": "KJFK", "ZRH": "LSZH", "HEL": "EFHK"])
    let audit = try await machine.json("server", "audit")["entries"]?.array ?? []
    #expect(
      audit.first?["action"] == "account.remove" && audit.first?["account"]?["name"] == "Anna")
  }

  @Test func `open invitations are listed and ended`() async throws {
    let host = try await ServerHost()
    let link = try await host.invite("anna")
    let open = try await host.machine.json("server", "invitations")["invitations"]?.array ?? []
    #expect(open.count == 1 && open[0]["kind"] == "account")
    let id = open[0]["id"]?.string ?? ""
    #expect(try await host.machine.run("server", "invitations", "end", id).status == 0)
    #expect(try await host.machine.run("server", "invitations", "end", id).status == 66)
    let device = try TestDevice()
    #expect(try await device.run("init", "--yes", "--join", link).status == 77)
  }

  @Test func `a restored backup says who gets in again, and lets nobody in by an old code`()
    async throws
  {
    let machine = try TestDevice()
    var server = try await ServerProcess.start(machine)
    let port = server.port
    let data = ["--data", machine.path("server")]
    func invite(_ name: String) async throws -> String {
      let made = try await machine.run(
        ["server", "invite", name, "--url", "http://127.0.0.1:\(port)", "--json"] + data)
      return try JSON(parsing: made.output)["link"]?.string ?? ""
    }
    let (laptop, phone) = (try TestDevice(), try TestDevice())
    for (device, name) in [(laptop, "laptop"), (phone, "phone")] {
      let joined = try await device.run(
        "init", "--yes", "--device", name, "--join", try await invite("anna"))
      #expect(joined.status == 0, "\(joined.error)")
    }
    let carl = try await invite("carl")
    #expect(try await machine.run(["server", "backup", machine.path("b")] + data).status == 0)
    #expect(try await laptop.run("device", "revoke", "phone").status == 0)
    try await server.end()

    let rehearsed = try await machine.run(
      ["server", "restore", machine.path("b"), "--dry-run", "--json"] + data)
    let document = try JSON(parsing: rehearsed.output)
    let ended = document["devices"]?.array?.filter { $0["endedSince"] == true } ?? []
    #expect(ended.map { $0["name"]?.string } == ["phone"])
    #expect(document["invitations"]?.array?.count == 1)
    let restored = try await machine.run(["server", "restore", machine.path("b"), "--yes"] + data)
    #expect(restored.status == 0)
    #expect(
      restored.error.contains("'phone' of anna gets in again, though it was revoked"),
      "\(restored.error)")
    #expect(restored.error.contains("1 open code or invitation of the backup is ended"))
    server = try await ServerProcess.start(machine, ["--listen", "127.0.0.1:\(port)"])
    let stranger = try TestDevice()
    #expect(try await stranger.run("init", "--yes", "--join", carl).status == 77)
    #expect(try await phone.run("sync").status == 0, "the warning is no empty one")
    try await server.end()

    #expect(
      try await machine.run(
        ["server", "restore", machine.path("b"), "--yes", "--sign-out-all"] + data
      ).status == 0)
    server = try await ServerProcess.start(machine, ["--listen", "127.0.0.1:\(port)"])
    for device in [laptop, phone] { #expect(try await device.run("sync").status == 77) }
    let back = try await laptop.run(
      "remote", "add", "home", "http://127.0.0.1:\(port)", "--join", try await invite("anna"))
    #expect(back.status == 0, "\(back.error)")
    #expect(try await laptop.run("sync").status == 0)
    try await server.end()
  }
}
