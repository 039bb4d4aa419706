import RealPlaces
import SyncKitFormats
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Two servers on one PostgreSQL, with the real programs on both sides.
struct SeveralServersTests {
  @Test func `two homes at two servers of one database stay live through every failure`()
    async throws
  {
    let place = try PostgreSQLServer()
    let store = try place.database()
    let machine = try TestDevice()
    let first = try await ServerProcess.start(machine, store: store)
    let second = try await ServerProcess.start(machine, store: store)
    let link =
      try await machine.json(
        "server", "invite", "anna", "--url", first.url, "--store", store)["link"]?.string ?? ""
    let laptop = try TestDevice()
    let joined = try await laptop.run("init", "--yes", "--unencrypted", "--join", link)
    #expect(joined.status == 0, "\(joined.error)")
    // The phone goes to the other server.
    let pairing = try await laptop.json("device", "pair")["code"]?.string ?? ""
    let phone = try TestDevice()
    let paired = try await phone.run(
      "init", "--yes", "--unencrypted", "--device", "phone", "--join", pairing, "--remote",
      "home=\(second.url)")
    #expect(paired.status == 0, "\(paired.error)")
    let watchers = try [laptop, phone].map { try RunningCommand("watch", "--jsonl", on: $0) }
    for watcher in watchers { try await watcher.waits(for: "connected") }

    try await laptop.run("airports", "add", "JFK", "KJFK")
    try await watchers[1].wait(for: "the edit") { _ in
      try await phone.codes() == ["JFK": "KJFK"]
    }

    // The database is gone in the middle, and is there again.
    place.stopAtOnce()
    let away = try await CurlAnswer.ask(machine, "\(first.url)/readyz")
    #expect(away.status == 503, "\(away.body)")
    try await phone.run("airports", "add", "ZRH", "LSZH")
    try place.start()
    let both = ["JFK": "KJFK", "ZRH": "LSZH"]
    try await watchers[0].wait(for: "the edit of before") { _ in
      try await laptop.codes() == both
    }
    #expect(try await CurlAnswer.ask(machine, "\(first.url)/readyz").status == 200)

    // A server is killed; the other one does not notice.
    try await first.end(SIGKILL)
    try await phone.run("airports", "rm", "ZRH")
    #expect(try await phone.run("sync").status == 0)
    let third = try await ServerProcess.start(
      machine, store: store, ["--listen", "127.0.0.1:\(first.port)"])
    try await watchers[0].wait(for: "the removal") { _ in
      try await laptop.codes() == ["JFK": "KJFK"]
    }

    // What one server ends, the other refuses.
    let revoked = try await laptop.run("device", "revoke", "phone")
    #expect(revoked.status == 0, "\(revoked.error)")
    try await Task.sleep(for: .seconds(1))
    let refused = try await phone.run("sync", "--json")
    #expect(refused.status == 77 && refused.failure["code"] == "remote.signed-out")

    for watcher in watchers { try await watcher.stop() }
    for server in [second, third] { #expect(try await server.end() == 0, "\(server.log)") }
    let check = try await machine.run("server", "check", "--store", store)
    #expect(check.status == 0, "\(check.error)")
    place.stop()
  }

  @Test func `two homes stay live at servers behind a pooler in transaction mode`() async throws {
    let place = try PostgreSQLServer()
    let store = try place.database()
    let pooler = try PgBouncer(before: place)
    let pooled = pooler.address(of: store)
    let machine = try TestDevice()
    // Without a way around the pooler nothing starts.
    for session in [[], ["--store-session", pooled]] {
      let refused = try await machine.run(
        ["serve", "--listen", "127.0.0.1:0", "--store", pooled, "--json"] + session)
      expectFailure(refused, 78, "config.invalid")
      #expect(refused.failure["hint"]?.string?.contains("--store-session") == true)
    }
    expectFailure(
      try await machine.run("token", "list", "--data", "x", "--store-session", store, "--json"), 64,
      "usage")
    let variables = ["CLOUDSYNC_SERVER_STORE": pooled, "CLOUDSYNC_SERVER_STORE_SESSION": store]
    #expect(try await machine.run("token", "list", variables: variables).status == 0)
    let lonely = try await machine.run("config", "set", "server.store-session", store)
    #expect(lonely.status == 0, "\(lonely.error)")
    expectFailure(try await machine.run("token", "list", "--json"), 78, "config.invalid")
    #expect(try await machine.run("config", "set", "server.store", pooled).status == 0)
    #expect(try await machine.run("token", "list").status == 0)

    let session = ["--store-session", store]
    let first = try await ServerProcess.start(machine, store: pooled, session)
    let second = try await ServerProcess.start(machine, store: pooled, session)
    let link =
      try await machine.json("server", "invite", "anna", "--url", first.url)["link"]?.string ?? ""
    let laptop = try TestDevice()
    let joined = try await laptop.run("init", "--yes", "--unencrypted", "--join", link)
    #expect(joined.status == 0, "\(joined.error)")
    let pairing = try await laptop.json("device", "pair")["code"]?.string ?? ""
    let phone = try TestDevice()
    let paired = try await phone.run(
      "init", "--yes", "--unencrypted", "--device", "phone", "--join", pairing, "--remote",
      "home=\(second.url)")
    #expect(paired.status == 0, "\(paired.error)")
    let watchers = try [laptop, phone].map { try RunningCommand("watch", "--jsonl", on: $0) }
    for watcher in watchers { try await watcher.waits(for: "connected") }
    try await laptop.run("airports", "add", "JFK", "KJFK")
    try await watchers[1].wait(for: "the edit") { _ in
      try await phone.codes() == ["JFK": "KJFK"]
    }

    // PostgreSQL is started again beneath the pooler, whose clients stay connected.
    place.stopAtOnce()
    let away = try await CurlAnswer.ask(machine, "\(first.url)/readyz")
    #expect(away.status == 503, "\(away.body)")
    try await phone.run("airports", "add", "ZRH", "LSZH")
    try place.start()
    let both = ["JFK": "KJFK", "ZRH": "LSZH"]
    try await watchers[0].wait(for: "the edit of before") { _ in
      try await laptop.codes() == both
    }
    let ready = try await CurlAnswer.ask(machine, "\(first.url)/readyz")
    #expect(ready.status == 200, "\(ready.body)")

    // What one server ends, the other refuses.
    let revoked = try await laptop.run("device", "revoke", "phone")
    #expect(revoked.status == 0, "\(revoked.error)")
    try await Task.sleep(for: .seconds(1))
    let refused = try await phone.run("sync", "--json")
    #expect(refused.status == 77 && refused.failure["code"] == "remote.signed-out")

    for watcher in watchers { try await watcher.stop() }
    // The servers are there by their sessions, so nothing is moved beneath them.
    let folder = machine.path("new")
    let busy = try await machine.run("server", "migrate", folder, "--yes", "--json")
    expectFailure(busy, 75, "store.busy")
    for server in [first, second] { #expect(try await server.end() == 0, "\(server.log)") }
    let moved = try await machine.run("server", "migrate", folder, "--yes")
    #expect(moved.status == 0, "\(moved.error)")
    let closed = try await machine.run(["serve", "--listen", "127.0.0.1:0", "--json"])
    expectFailure(closed, 78, "server.moved")
    pooler.stop()
    place.stop()
  }

  @Test func `commands say what a database cannot have done to it, and what is wrong`() async throws
  {
    let store = try PostgreSQLServer.shared().database()
    let machine = try TestDevice()
    let token = try await machine.run(
      "token", "create", "bot", "--scope", "read", "--store", store)
    #expect(token.status == 0, "\(token.error)")
    let backup = try await machine.run(
      "server", "backup", machine.path("copy"), "--store", store, "--json")
    expectFailure(backup, 64, "usage")
    #expect(backup.failure["hint"]?.string?.contains("pg_dump") == true)
    let restore = try await machine.run(
      "server", "restore", machine.path("copy"), "--yes", "--store", store, "--json")
    expectFailure(restore, 64, "usage")
    #expect(restore.failure["hint"]?.string?.contains("pg_restore") == true)
    let nowhere = ["token", "list", "--store", "postgres://anna:secret@127.0.0.1:1/none"]
    expectFailure(try await machine.run(nowhere + ["--json"]), 69, "store.unavailable")
    let warned = try await machine.run(nowhere).error
    #expect(warned.contains("PGPASSFILE") && !warned.contains("secret"), "\(warned)")
    for wrong in ["/srv/data", "mysql://host/none", "postgres://[", "nonsense=1"] {
      let outcome = try await machine.run("token", "list", "--store", wrong, "--json")
      expectFailure(outcome, 64, "usage")
    }
    let open = try await machine.run(
      "serve", "--listen", "127.0.0.1:0", "--auth", "none", "--store", store, "--json")
    expectFailure(open, 78, "server.unsafe")
    // The configuration names it once for all commands.
    #expect(try await machine.run("config", "set", "server.store", store).status == 0)
    let tokens = try await machine.json("token", "list")
    #expect(tokens["tokens"]?.array?.count == 1)
    #expect(
      try await machine.run("config", "set", "server.store", "postgres://a:secret@b/c").status == 0)
    expectFailure(try await machine.run("token", "list", "--json"), 78, "config.invalid")
  }
}
