import SyncKitFormats
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A watcher that runs as long as the machine, whatever happens.
struct WatchTests {
  private func watch(_ device: TestDevice, _ more: String...) async throws -> RunningCommand {
    let watcher = try RunningCommand(["watch", "--jsonl"] + more, on: device)
    try await watcher.waits(for: "started")
    return watcher
  }

  @Test
  func
    `a watcher finds a restarted server again, and edits made meanwhile arrive`()
    async throws
  {
    let machine = try TestDevice()
    let first = try await ServerProcess.start(machine)
    let link =
      try await machine.json(
        "server", "invite", "anna", "--url", first.url, "--data", machine.path("server"))["link"]?
      .string ?? ""
    let laptop = try TestDevice()
    #expect(try await laptop.run("init", "--yes", "--unencrypted", "--join", link).status == 0)
    let code = try await laptop.json("device", "pair")["link"]?.string ?? ""
    let phone = try TestDevice()
    #expect(try await phone.run("init", "--yes", "--unencrypted", "--join", code).status == 0)
    let watchers = [try await watch(laptop), try await watch(phone)]
    for watcher in watchers { try await watcher.waits(for: "connected") }

    try await first.end(SIGKILL)
    for watcher in watchers { try await watcher.waits(for: "disconnected") }
    try await laptop.run("airports", "add", "JFK", "KJFK")
    let second = try await ServerProcess.start(machine, ["--listen", "127.0.0.1:\(first.port)"])
    #expect(second.port == first.port)
    try await watchers[1].wait(for: "the edit") { _ in
      try await phone.codes() == ["JFK": "KJFK"]
    }
    // And live again, in both directions.
    for watcher in watchers { try await watcher.waits(for: "connected", times: 2) }
    try await phone.run("airports", "add", "ZRH", "LSZH")
    try await watchers[0].wait(for: "the answer") { _ in
      try await laptop.codes() == ["JFK": "KJFK", "ZRH": "LSZH"]
    }
    for watcher in watchers { #expect(try await watcher.stop() == 143) }
    try await second.end()
  }

  @Test func `two paired homes sync every domain`() async throws {
    let host = try await ServerHost()
    let laptop = try await host.device(of: "anna")
    let phone = try await host.device(beside: laptop, "phone")
    let watchers = [try await watch(laptop), try await watch(phone)]
    for watcher in watchers { try await watcher.waits(for: "connected") }
    for words in [
      ["airports", "add", "JFK", "KJFK"], ["media", "lists", "--add", "Weekend"],
      ["bike", "add", "b1", "name=Trail"],
      ["settings", "put", "theme", "dark", "--namespace", "app"],
      ["health", "subject", "add", "Paul"], ["health", "scope", "Paul", "synced"],
    ] {
      let outcome = try await laptop.run(words)
      #expect(outcome.status == 0, "\(words): \(outcome.error)")
    }
    let lists = [
      (["airports", "list"], "records"), (["media", "lists"], "lists"),
      (["bike", "list"], "records"),
      (["settings", "list", "--namespace", "app"], "records"),
      (["health", "subject", "list"], "subjects"),
    ]
    for (words, key) in lists {
      try await watchers[1].wait(for: words[0]) { _ in
        // A namespace that has not arrived yet is unknown.
        let outcome = try await phone.run(words + ["--json"])
        return outcome.status == 0 && outcome.document[key]?.array?.count == 1
      }
    }
    // And back.
    try await phone.run("bike", "set", "b1", "name=Road")
    try await phone.run("airports", "rm", "JFK")
    try await watchers[0].wait(for: "the way back") { _ in
      let bike = try await laptop.document(["bike", "list"])["records"]?[0]
      let codes = try await laptop.codes()
      return bike?["fields"]?["name"] == "Road" && codes.isEmpty
    }
    for watcher in watchers { #expect(try await watcher.stop() == 143) }
  }

  @Test func `a folder notifies at once, disappears and comes back`() async throws {
    let devices = try await TwoDevices()
    // No poll comes this soon in a test.
    for device in [devices.first, devices.second] {
      #expect(try await device.run("config", "set", "defaults.poll", "1h").status == 0)
    }
    let watchers = [try await watch(devices.first), try await watch(devices.second)]
    for watcher in watchers { try await watcher.waits(for: "connected") }
    #expect(try await devices.first.run("airports", "add", "JFK", "KJFK").status == 0)
    do {
      try await watchers[1].wait(for: "the edit") { _ in
        try await devices.second.codes() == ["JFK": "KJFK"]
      }
    } catch {
      // Says which of the two has missed it.
      let other = watchers[0].output + watchers[0].error
      let states = [
        try await devices.first.run("status", "--json").output,
        try await devices.second.run("status", "--json").output,
      ]
      Issue.record("\(error)\nThe other: \(other)\n\(states.joined(separator: "\n"))")
      throw error
    }
    // Unplugged.
    try #require(rename(devices.shared, devices.shared + ".away") == 0)
    for watcher in watchers { try await watcher.waits(for: "disconnected") }
    #expect(try await devices.first.run("airports", "add", "ZRH", "LSZH").status == 0)
    try await watchers[0].wait(for: "the failure") { watcher in
      watcher.documents.contains { $0["error"]?["code"] == "remote.unavailable" }
    }
    #expect(!Files.names(in: devices.shared + ".away").isEmpty)
    #expect(Files.names(in: devices.shared).isEmpty, "nothing is made in place of the folder")
    try #require(rename(devices.shared + ".away", devices.shared) == 0)
    try await watchers[1].wait(for: "the edit that waited") { _ in
      try await devices.second.codes() == ["JFK": "KJFK", "ZRH": "LSZH"]
    }
    for watcher in watchers { #expect(try await watcher.stop() == 143) }
  }

  @Test func `processes that share a file notify each other`() async throws {
    let base = try TestDevice()
    let devices = try (0..<3).map { try TestDevice(in: base.home, name: "home\($0)") }
    for device in devices {
      let outcome = try await device.run(
        "init", "--yes", "--unencrypted", "--domains", "airports,bike", "--remote",
        "family=sqlite:\(base.path("family.sqlite"))")
      #expect(outcome.status == 0, "\(outcome.error)")
    }
    var watchers: [RunningCommand] = []
    for device in devices { watchers.append(try await watch(device)) }
    let codes = ["WAA": "KWAA", "WBB": "KWBB", "WCC": "KWCC"]
    for (device, code) in zip(devices, codes.sorted(by: <)) {
      try await device.run("airports", "add", code.key, code.value)
    }
    for (device, watcher) in zip(devices, watchers) {
      try await watcher.wait(for: "all edits") { _ in try await device.codes() == codes }
    }
    for watcher in watchers { #expect(try await watcher.stop() == 143) }
  }

  @Test func `a machine with two remotes relays from a folder to a server and back`() async throws {
    let host = try await ServerHost()
    let box = try await host.device(of: "anna")
    let phone = try await host.device(beside: box, "phone")
    let traveller = try TestDevice()
    let folder = "file:\(traveller.path("stick"))"
    let made = try await traveller.run(
      "init", "--yes", "--unencrypted", "--device", "traveller", "--remote", "stick=\(folder)")
    #expect(made.status == 0, "\(made.error)")
    try await traveller.run("airports", "add", "JFK", "KJFK")
    try await traveller.run("bike", "add", "b1", "name=Trail")
    #expect(try await traveller.run("sync").status == 0)
    let both = try await box.run("remote", "add", "--unencrypted", "stick", folder, "--adopt")
    #expect(both.status == 0, "\(both.error)")
    let watcher = try await watch(box)
    let other = try await watch(phone)
    try await other.wait(for: "what the folder brings") { _ in
      let codes = try await phone.codes()
      let bikes = try await phone.document(["bike", "list"])["records"]?.array
      return codes == ["JFK": "KJFK"] && bikes?.count == 1
    }
    try await phone.run("airports", "add", "ZRH", "LSZH")
    try await watcher.wait(for: "the way back") { _ in
      try await traveller.run("sync")
      return try await traveller.codes() == ["JFK": "KJFK", "ZRH": "LSZH"]
    }
    for watcher in [watcher, other] { #expect(try await watcher.stop() == 143) }
  }

  @Test func `a changed configuration takes effect without a restart`() async throws {
    let devices = try await TwoDevices()
    let (laptop, phone) = (devices.first, devices.second)
    #expect(try await laptop.run("config", "set", "domains.bike.enabled", "false").status == 0)
    let watcher = try await watch(laptop)
    #expect(!watcher.domains.contains("bike"))
    try await phone.run("bike", "add", "b1", "name=Trail")
    try await phone.run("sync")
    // Switched off, the domain is local only: edits stay, and remote changes wait.
    try await laptop.run("bike", "add", "b2", "name=Road")
    #expect(try await laptop.run("config", "set", "domains.bike.enabled", "true").status == 0)
    try await watcher.wait(for: "the domain") { $0.domains.contains("bike") }
    try await watcher.wait(for: "its records") { _ in
      try await laptop.document(["bike", "list"])["records"]?.array?.count == 2
    }
    // An invalid configuration is reported, and the watcher goes on.
    let file = laptop.path(".config/cloudsync/config.yaml")
    let good = try Files.read(file)
    try Files.write(good + Array("nonsense: 1\n".utf8), to: file)
    try await watcher.waits(for: "configuration")
    try Files.write(good, to: file)
    try await watcher.wait(for: "the old one") { watcher in
      watcher.documents.count { $0["event"] == "started" } >= 3
    }
    // And a signal makes a service read it.
    watcher.signal(SIGHUP)
    try await watcher.wait(for: "another look") { watcher in
      watcher.documents.count { $0["event"] == "started" } >= 4
    }
    #expect(try await watcher.stop() == 143)
  }

  @Test func `a paused domain is skipped until it is resumed`() async throws {
    let devices = try await TwoDevices()
    let (laptop, phone) = (devices.first, devices.second)
    let watcher = try await watch(laptop)
    #expect(try await laptop.run("pause", "airports").status == 0)
    try await watcher.wait(for: "the pause") { watcher in
      !watcher.domains.contains("airports")
    }
    try await laptop.run("airports", "add", "JFK", "KJFK")
    let run = try await laptop.json("sync", "--domain", "airports", "--lock-wait", "30s")
    #expect(run["jobs"]?[0]?["result"] == "skipped" && run["jobs"]?[0]?["reason"] == "paused")
    let paused = try await laptop.json("status", "airports")["domains"]?[0]
    #expect(paused?["state"] == "paused" && paused?["pending"] == 1)
    #expect(try await laptop.run("status", "airports", "--check").status == 0)
    try await phone.run("sync")
    #expect(try await phone.codes().isEmpty)
    #expect(try await laptop.run("resume").status == 0)
    try await watcher.wait(for: "the edit that waited") { _ in
      try await phone.run("sync")
      return try await phone.codes() == ["JFK": "KJFK"]
    }
    #expect(try await watcher.stop() == 143)
  }

  @Test func `a watcher goes on with a store that is restored under it`()
    async throws
  {
    let devices = try await TwoDevices()
    let (laptop, phone) = (devices.first, devices.second)
    try await laptop.run("airports", "add", "JFK", "KJFK")
    try await devices.sync()
    // No poll comes this soon in a test.
    #expect(try await laptop.run("config", "set", "defaults.poll", "1h").status == 0)
    let watcher = try await watch(laptop)
    let backup = laptop.path("backup.zip")
    #expect(try await laptop.run("backup", "create", "--unencrypted", backup).status == 0)
    try await watcher.wait(for: "a moment without a run") { _ in
      try await laptop.run("backup", "restore", backup, "--yes").status == 0
    }
    for (iata, icao) in [("ZRH", "LSZH"), ("HEL", "EFHK")] {
      #expect(try await laptop.run("airports", "add", iata, icao).status == 0)
      try await watcher.wait(for: iata) { _ in
        try await phone.run("sync")
        return try await phone.codes()[iata] == icao
      }
    }
    #expect(try await watcher.stop() == 143)
  }

  @Test func `it ends on a signal, and leaves nothing to repair`() async throws {
    for (signal, status) in [(SIGINT, Int32(130)), (SIGTERM, 143)] {
      let devices = try await TwoDevices()
      let watcher = try await watch(devices.first)
      try await devices.first.run("airports", "add", "JFK", "KJFK")
      #expect(try await watcher.stop(signal) == status)
      #expect(try await devices.first.run("sync").status == 0)
      #expect(try await devices.first.run("verify").status == 0)
    }
  }
}

/// The reasons for changed records, from a watcher and the log.
struct ChangeReasonTests {
  @Test func `each change has its reason and its records, in JSON, in text and in the log`()
    async throws
  {
    let devices = try await TwoDevices()
    let (laptop, phone) = (devices.first, devices.second)
    try await phone.run("airports", "add", "JFK", "KJFK")
    try await phone.run("sync")
    let watcher = try RunningCommand("watch", "--jsonl", "--domain", "airports", on: laptop)
    try await watcher.wait(for: "the first sync") { $0.changes("initialSync") == ["mapping/JFK"] }
    try await laptop.run("airports", "add", "ZRH", "LSZH")
    try await watcher.wait(for: "what was sent") { $0.changes("local") == ["mapping/ZRH"] }
    try await phone.run("sync")
    try await phone.run("airports", "add", "HEL", "EFHK")
    try await phone.run("airports", "rm", "JFK")
    try await phone.run("sync")
    try await watcher.wait(for: "another device") {
      $0.changes("remote") == ["mapping/HEL", "mapping/JFK"]
    }
    #expect(try await watcher.stop() == 143)

    let entries = try await laptop.json("log")["entries"]?.array ?? []
    let reasons = entries.flatMap { $0["changes"]?.array ?? [] }
    #expect(reasons.map { $0["reason"] } == ["remote", "local", "initialSync"])
    #expect(reasons.map { $0["count"]?.int } == [2, 1, 1])
    #expect(reasons[0]["records"]?.array == ["mapping/HEL", "mapping/JFK"])
    let text = try await laptop.run("log")
    #expect(text.output.contains("changed by another device: mapping/HEL, mapping/JFK"))
    #expect(text.output.contains("received by the first sync: mapping/JFK"))
    #expect(text.output.contains("sent from this device: mapping/ZRH"))
    // The first edits of others, on a device that has synced before, come from another device.
    let late = try await phone.json("log")["entries"]?.array ?? []
    #expect(late.flatMap { $0["changes"]?.array ?? [] }.contains { $0["reason"] == "remote" })
  }

  @Test func `the first sync counts as the first even after local edits`()
    async throws
  {
    let devices = try await TwoDevices()
    try await devices.first.run("airports", "add", "JFK", "KJFK")
    try await devices.first.run("sync")
    try await devices.second.run("airports", "add", "ZRH", "LSZH")
    try await devices.second.run("sync")
    let entries = try await devices.second.json("log")["entries"]?.array ?? []
    let reasons = entries.flatMap { $0["changes"]?.array ?? [] }.map { $0["reason"]?.string ?? "" }
    #expect(reasons.sorted() == ["initialSync", "local"])
  }

  @Test func `a tree that another device withdraws is reported as erased`() async throws {
    let devices = try await TwoDevices()
    let (laptop, phone) = (devices.first, devices.second)
    try await laptop.run("bike", "add", "b1", "name=Trail")
    try await devices.sync()
    try await laptop.run("bike", "scope", "b1", "local")
    try await laptop.run("sync")
    let watcher = try RunningCommand("watch", "--domain", "bike", on: phone)
    try await watcher.wait(for: "the reason") {
      $0.output.contains("bike: made local on another device: ")
    }
    #expect(try await watcher.stop() == 143)
    let entries = try await phone.json("log", "--domain", "bike")["entries"]?.array ?? []
    let changes = entries.flatMap { $0["changes"]?.array ?? [] }
    #expect(changes.contains { $0["reason"] == "erased" }, "\(entries.map { $0.text() })")
  }

  @Test
  func `a failed run says whether the account, the quota, the network or something else failed`()
    async throws
  {
    let devices = try await TwoDevices()
    let laptop = devices.first
    try await laptop.run("airports", "add", "JFK", "KJFK")
    try await laptop.run("sync")
    func reason() async throws -> JSON? {
      #expect(try await laptop.run("sync", "--domain", "airports").status != 0)
      return try await laptop.json("log", "--limit", "1")["entries"]?[0]?["reason"]
    }
    // Another vault has replaced ours.
    try #require(rename(devices.shared, devices.shared + ".ours") == 0)
    let stranger = try TestDevice()
    try await stranger.run(
      "init", "--yes", "--unencrypted", "--remote", "folder=file:\(devices.shared)")
    try await stranger.run("sync")
    #expect(try await reason() == "account")
    Files.remove(devices.shared)
    #expect(try await reason() == "offline")
    let watcher = try RunningCommand("watch", "--jsonl", "--domain", "airports", on: laptop)
    try await watcher.wait(for: "the reason") { watcher in
      watcher.documents.contains { $0["event"] == "sync" && $0["reason"] == "offline" }
    }
    #expect(try await watcher.stop() == 143)
    try #require(rename(devices.shared + ".ours", devices.shared) == 0)
    try await laptop.run("airports", "add", "ZRH", "LSZH")
    try await laptop.run("config", "set", "remotes.folder.quota.bytes", "10B")
    #expect(try await reason() == "quota")
    #expect(try await laptop.run("log", "--limit", "1").output.contains("quota: "))
  }
}

/// A watcher that receives a signal first sends the latest edits.
struct WatchFlushTests {
  @Test(arguments: [(SIGTERM, Int32(143)), (SIGINT, Int32(130))])
  func `an edit just before the signal is sent before the end`(
    signal: Int32, status: Int32
  )
    async throws
  {
    let devices = try await TwoDevices()
    let (laptop, phone) = (devices.first, devices.second)
    // Without the signal it would be sent in an hour.
    try await laptop.run("config", "set", "defaults.debounce", "1h")
    let watcher = try RunningCommand("watch", "--jsonl", on: laptop)
    try await watcher.wait(for: "a quiet moment") { watcher in
      watcher.documents.contains { $0["event"] == "connected" }
    }
    try await laptop.run("airports", "add", "JFK", "KJFK")
    try await laptop.run("media", "lists", "--add", "Weekend")
    #expect(try await watcher.stop(signal) == status)
    #expect(watcher.documents.contains { $0["event"] == "stopping" })
    try await phone.run("sync")
    #expect(try await phone.codes() == ["JFK": "KJFK"])
    #expect(try await phone.json("media", "lists")["lists"]?.array?.count == 1)
  }

  @Test func `a missing remote delays the end by only a few seconds, and nothing is lost`()
    async throws
  {
    let devices = try await TwoDevices()
    let (laptop, phone) = (devices.first, devices.second)
    try await laptop.run("config", "set", "defaults.debounce", "1h")
    let watcher = try RunningCommand("watch", "--jsonl", on: laptop)
    try await watcher.wait(for: "a quiet moment") { watcher in
      watcher.documents.contains { $0["event"] == "connected" }
    }
    try #require(rename(devices.shared, devices.shared + ".away") == 0)
    try await laptop.run("airports", "add", "JFK", "KJFK")
    #expect(try await watcher.stop() == 143)
    try #require(rename(devices.shared + ".away", devices.shared) == 0)
    try await devices.sync()
    #expect(try await phone.codes() == ["JFK": "KJFK"])
  }
}

extension RunningCommand {
  /// The records that it has reported with a reason so far.
  fileprivate func changes(_ reason: String) -> [String] {
    documents.filter { $0["event"] == "changed" && $0["reason"]?.string == reason }
      .flatMap { $0["records"]?.array ?? [] }.compactMap(\.string).sorted()
  }

  /// The domains that it watches now.
  fileprivate var domains: [JSON] {
    documents.last { $0["event"] == "started" }?["domains"]?.array ?? []
  }

  /// Waits until it has reported an event a number of times.
  func waits(for event: String, times: Int = 1) async throws {
    try await wait(for: event) { watcher in
      watcher.documents.count { $0["event"]?.string == event } >= times
    }
  }
}

extension TestDevice {
  /// The output of a command that must succeed.
  fileprivate func document(_ arguments: [String]) async throws -> JSON {
    let outcome = try await run(arguments + ["--json"])
    try #require(outcome.status == 0, "\(arguments): \(outcome.error)")
    return outcome.document
  }
}
