import SyncKitFormats
import Testing

/// Homes that sync through a server, with the real program on both sides.
struct ServerPairingTests {
  @Test func `two homes pair by code and sync all their domains`() async throws {
    let host = try await ServerHost()
    let laptop = try await host.device(of: "anna")
    let phone = try await host.device(beside: laptop, "phone")
    try await laptop.run("airports", "add", "JFK", "KJFK")
    try await laptop.run("media", "lists", "--add", "Weekend")
    try await laptop.run("bike", "add", "b1", "name=Trail")
    try await laptop.run("settings", "put", "theme", "dark", "--namespace", "app")
    for device in [laptop, phone] {
      let run = try await device.json("sync")
      #expect(run["jobs"]?.array?.count == 5)
    }
    #expect(try await phone.codes() == ["JFK": "KJFK"])
    #expect(try await phone.json("bike", "list")["records"]?.array?.count == 1)
    #expect(try await phone.json("media", "lists")["lists"]?.array?.count == 1)
    let devices = try await phone.json("device", "list")["devices"]?.array ?? []
    #expect(Set(devices.map { $0["name"]?.string }) == ["anna", "phone"])
    #expect(devices.first { $0["self"] == true }?["name"]?.string == "phone")
    // A quiet run moves nothing.
    for job in try await phone.json("sync")["jobs"]?.array ?? [] {
      #expect(job["pushed"] == 0 && job["pulled"] == 0)
    }
    let test = try await phone.json("remote", "test", "home")
    #expect(test["reachable"] == true)
    #expect(try await host.process.stop() == 0)
    let offline = try await phone.run("sync", "--json")
    #expect(offline.status == 69)
  }

  @Test func `a code is valid for one device`() async throws {
    let host = try await ServerHost()
    let link = try await host.invite("anna")
    let first = try TestDevice()
    #expect(try await first.run("init", "--yes", "--unencrypted", "--join", link).status == 0)
    // Running it again finds everything in place, and asks for nothing.
    #expect(try await first.run("init", "--yes", "--unencrypted", "--join", link).status == 0)
    let second = try TestDevice()
    let refused = try await second.run("init", "--yes", "--unencrypted", "--join", link, "--json")
    #expect(refused.status == 77 && refused.failure["code"] == "remote.code-spent")
    // A device that was not admitted leaves nothing behind.
    #expect(try await second.run("status").output.contains("home") == false)
  }

  @Test func `a revoked device keeps its data and receives nothing more`() async throws {
    let host = try await ServerHost()
    let laptop = try await host.device(of: "anna")
    let phone = try await host.device(beside: laptop, "phone")
    try await laptop.run("airports", "add", "JFK", "KJFK")
    for device in [laptop, phone] { try await device.run("sync") }
    #expect(try await laptop.run("device", "revoke", "phone").status == 0)
    let refused = try await phone.run("sync", "--json")
    #expect(refused.status == 77 && refused.failure["code"] == "remote.signed-out")
    #expect(try await phone.codes() == ["JFK": "KJFK"])
    // Paired again, it continues.
    let pairing = try await laptop.json("device", "pair")
    let again = try await phone.run(
      "remote", "add", "--unencrypted", "home", host.url, "--join", pairing["code"]?.string ?? "")
    #expect(again.status == 0, "\(again.error)")
    #expect(try await phone.run("sync").status == 0)
  }

  @Test func `watchers carry an edit from one home to the other`() async throws {
    let host = try await ServerHost()
    let laptop = try await host.device(of: "anna")
    let phone = try await host.device(beside: laptop, "phone")
    let watchers = try [laptop, phone].map { try RunningCommand("watch", "--jsonl", on: $0) }
    for watcher in watchers {
      try await watcher.wait(for: "the connection") { watcher in
        watcher.documents.contains { $0["event"] == "connected" }
      }
    }
    try await laptop.run("airports", "add", "JFK", "KJFK")
    try await watchers[1].wait(for: "the edit") { watcher in
      watcher.documents.contains { $0["event"] == "sync" && ($0["pulled"]?.int ?? 0) > 0 }
    }
    #expect(try await phone.codes() == ["JFK": "KJFK"])
    // A sync by a timer may run beside it.
    let sync = try await phone.run("sync", "--lock-wait", "30s")
    #expect(sync.status == 0, "\(sync.error)")
    for watcher in watchers { #expect(try await watcher.stop() == 143) }
  }

  @Test func `a watcher reports a lost connection, and local work goes on`() async throws {
    let host = try await ServerHost()
    let laptop = try await host.device(of: "anna")
    let watcher = try RunningCommand("watch", "--jsonl", on: laptop)
    try await watcher.wait(for: "the connection") { watcher in
      watcher.documents.contains { $0["event"] == "connected" }
    }
    try await host.process.stop()
    try await watcher.wait(for: "the loss") { watcher in
      watcher.documents.contains { $0["event"] == "disconnected" }
    }
    #expect(try await laptop.run("airports", "add", "JFK", "KJFK").status == 0)
    #expect(try await watcher.stop() == 143)
  }
}
