import SyncKitFormats
import Testing

/// Accounts on a server as hosts and users see them, with the real program on both sides.
struct ServerHostingTests {
  @Test func `an account is created, limited, locked, copied and removed`() async throws {
    let host = try await ServerHost()
    let machine = host.machine
    #expect(try await machine.run("server", "account", "add", "Anna").status == 0)
    let again = try await machine.run("server", "account", "add", "ANNA", "--json")
    #expect(again.status == 65 && again.failure["message"]?.string?.contains("Anna") == true)
    // A typing error of the host creates no second account.
    let invited = try await machine.json("server", "invite", "anna", "--url", host.url)
    #expect(invited["created"] == false && invited["account"]?["name"] == "Anna")
    let laptop = try TestDevice()
    let joined = try await laptop.run(
      "init", "--yes", "--unencrypted", "--device", "laptop", "--join",
      invited["link"]?.string ?? "")
    #expect(joined.status == 0, "\(joined.error)")
    try await laptop.run("airports", "add", "JFK", "KJFK")
    #expect(try await laptop.run("sync").status == 0)

    // Quotas: data that does not fit is refused, and none of it is stored.
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
      "init", "--yes", "--unencrypted", "--join", code, "--remote", "home=\(host.url)", "--json")
    #expect(second.status == 73, "\(second.error)")

    // Locked: the device reports it, and local work goes on.
    #expect(try await machine.run("server", "account", "lock", "anna").status == 0)
    let locked = try await laptop.run("sync", "--json", "--domain", "airports")
    #expect(locked.status == 77 && locked.failure["code"] == "remote.locked", "\(locked.error)")
    let logged = try await laptop.run("log", "--json").output
    #expect(logged.contains("\"account\""), "\(logged)")
    #expect(try await laptop.run("airports", "add", "HEL", "EFHK").status == 0)
    try await machine.run("server", "account", "unlock", "anna")
    #expect(try await laptop.run("sync").status == 0)

    // Removed, with a copy that a new device can start from.
    let asked = try await machine.run("server", "account", "remove", "anna")
    #expect(asked.status == 64, "Neither a copy nor its refusal was named: \(asked.error)")
    let copy = machine.path("copy")
    let removed = try await machine.run(
      "server", "account", "remove", "anna", "--export", copy, "--yes")
    #expect(removed.status == 0, "\(removed.error)")
    #expect(try await laptop.run("sync").status == 77)
    let successorField = try TestDevice()
    #expect(
      try await successorField.run(
        "init", "--yes", "--unencrypted", "--remote", "copy=file:\(copy)"
      ).status == 0)
    #expect(try await successorField.run("sync").status == 0)
    #expect(try await successorField.codes() == ["JFK": "KJFK", "ZRH": "LSZH", "HEL": "EFHK"])
    let audit = try await machine.json("server", "audit")["entries"]?.array ?? []
    #expect(
      audit.first?["action"] == "account.remove" && audit.first?["account"]?["name"] == "Anna")
  }

  @Test func `open invitations are listed and withdrawn`() async throws {
    let host = try await ServerHost()
    let link = try await host.invite("anna")
    let open = try await host.machine.json("server", "invitations")["invitations"]?.array ?? []
    #expect(open.count == 1 && open[0]["kind"] == "account")
    let id = open[0]["id"]?.string ?? ""
    #expect(try await host.machine.run("server", "invitations", "end", id).status == 0)
    #expect(try await host.machine.run("server", "invitations", "end", id).status == 66)
    let device = try TestDevice()
    #expect(try await device.run("init", "--yes", "--unencrypted", "--join", link).status == 77)
  }

  @Test func `a restored backup lists who has access again, and accepts no old code`()
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
        "init", "--yes", "--unencrypted", "--device", name, "--join", try await invite("anna"))
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
    #expect(restored.error.contains("ended 1 open code or invitation from the backup"))
    server = try await ServerProcess.start(machine, ["--listen", "127.0.0.1:\(port)"])
    let stranger = try TestDevice()
    #expect(try await stranger.run("init", "--yes", "--unencrypted", "--join", carl).status == 77)
    #expect(try await phone.run("sync").status == 0, "the warning is no empty one")
    try await server.end()

    #expect(
      try await machine.run(
        ["server", "restore", machine.path("b"), "--yes", "--sign-out-all"] + data
      ).status == 0)
    server = try await ServerProcess.start(machine, ["--listen", "127.0.0.1:\(port)"])
    for device in [laptop, phone] { #expect(try await device.run("sync").status == 77) }
    let back = try await laptop.run(
      "remote", "add", "--unencrypted", "home", "http://127.0.0.1:\(port)", "--join",
      try await invite("anna"))
    #expect(back.status == 0, "\(back.error)")
    #expect(try await laptop.run("sync").status == 0)
    try await server.end()
  }

  @Test func `a restored backup lists the access that was withdrawn since and is restored`()
    async throws
  {
    let machine = try TestDevice()
    let server = try await ServerProcess.start(machine)
    let port = server.port
    let data = ["--data", machine.path("server")]
    func join(_ device: TestDevice, _ name: String) async throws {
      let made = try await machine.run(
        ["server", "invite", name, "--url", "http://127.0.0.1:\(port)", "--json"] + data)
      let link = try JSON(parsing: made.output)["link"]?.string ?? ""
      let joined = try await device.run(
        "init", "--yes", "--unencrypted", "--device", name, "--join", link)
      #expect(joined.status == 0, "\(joined.error)")
    }
    let (anna, ben) = (try TestDevice(), try TestDevice())
    try await join(anna, "anna")
    try await join(ben, "ben")
    for name in ["carl", "dora"] {
      #expect(try await machine.run(["server", "account", "add", name] + data).status == 0)
    }
    try await anna.run("health", "subject", "add", "Paul")
    let shared = try await anna.json("health", "share", "Paul", "--with", "ben", "--yes")
    let link = shared["invitations"]?[0]?["link"]?.string ?? ""
    #expect(try await ben.run("share", "accept", link).status == 0)
    #expect(try await machine.run(["server", "backup", machine.path("b")] + data).status == 0)

    #expect(try await anna.run("share", "remove", "Paul", "ben").status == 0)
    for words in [["lock", "carl"], ["remove", "dora", "--no-export", "--yes"]] {
      #expect(try await machine.run(["server", "account"] + words + data).status == 0)
    }
    // The owner learns the fate of the guest, by name.
    let audit = try await anna.json("account", "audit")["entries"]?.array ?? []
    let told = audit.filter { $0["action"]?.string?.hasPrefix("share.") == true }
    #expect(
      told.map { "\($0["action"]?.string ?? "") \($0["name"]?.string ?? "")" } == [
        "share.remove ben, 'Paul'", "share.accept ben, 'Paul'", "share.invite ben, 'Paul'",
        "share.make Paul",
      ])
    #expect(told.count > 1 && told[1]["address"] == "guest" && told[1]["device"] == .null)
    try await server.end()

    let restored = try await machine.run(
      ["server", "restore", machine.path("b"), "--yes", "--sign-out-all"] + data)
    #expect(restored.status == 0)
    for sentence in [
      "'carl' is unlocked again, though it was locked after the backup",
      "'dora' exists again, though it was removed after the backup",
      "ben takes part in 'Paul' of anna again, though that ended after the backup",
    ] {
      #expect(restored.error.contains(sentence), "\(restored.error)")
    }
    let notes = try await machine.run(["server", "audit", "--json"] + data)
    let actions = try JSON(parsing: notes.output)["entries"]?.array?.map { $0["action"]?.string }
    #expect(actions?.contains("server.restore") == true, "\(notes.output)")
    // Except for devices no access was withdrawn since.
    let again = try await machine.run(
      ["server", "restore", machine.path("b"), "--yes"] + data)
    for words in ["is unlocked again", "exists again", "takes part"] {
      #expect(!again.error.contains(words), "\(again.error)")
    }
  }

  @Test func `a host learns if an invitation is unusable or exceeds a limit`() async throws {
    let host = try await ServerHost()
    let machine = host.machine
    #expect(try await machine.run("server", "account", "add", "anna").status == 0)
    #expect(try await machine.run("server", "account", "lock", "anna").status == 0)
    for words in [
      ["server", "invite", "anna"],
      ["token", "create", "x", "--scope", "read", "--account", "anna"],
    ] {
      let made = try await machine.run(words)
      #expect(made.status == 0)
      #expect(made.error.contains("'anna' is locked; devices get in after"), "\(made.error)")
    }
    for _ in 1..<20 { _ = try await machine.run("server", "invite", "anna", "--quiet") }
    let full = try await machine.run("server", "invite", "anna", "--json")
    #expect(full.status == 73, "\(full.error)")
    #expect(full.failure["message"]?.string?.contains("20 open codes") == true)
    #expect(full.failure["hint"]?.string?.contains("server invitations") == true)
    let odd = try await machine.run("server", "account", "quota", "anna", "--bytes", "3k", "--json")
    #expect(odd.status == 64 && odd.failure["hint"]?.string?.contains("10GB") == true)
  }
}
