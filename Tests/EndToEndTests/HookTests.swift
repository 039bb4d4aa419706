import SyncKitFormats
import LoopbackServer
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The hooks that report a sync.
struct HookTests {
  /// A device with hooks.
  private func device(_ hooks: String) async throws -> TwoDevices {
    let devices = try await TwoDevices()
    let config = devices.first.path(".config/cloudsync/config.yaml")
    try Files.write(try Files.read(config) + Array("hooks:\n\(hooks)\n".utf8), to: config)
    return devices
  }

  private func events(_ device: TestDevice) -> [JSON] {
    ((try? Files.text(device.path("events"))) ?? "").split(separator: "\n").compactMap {
      try? JSON(parsing: String($0))
    }
  }

  @Test func `a command receives the event, and no record`() async throws {
    let when = "[before, start, success, failure, conflict, recovery, after]"
    let devices = try await device(
      "  note: { kind: command, run: [/bin/sh, -c, 'cat >>~/events; echo noise'], when: \(when) }")
    let laptop = devices.first
    try await laptop.run("airports", "add", "JFK", "KJFK")
    let good = try await laptop.run("sync")
    #expect(good.status == 0 && good.output.isEmpty && good.error.isEmpty, "\(good.error)")
    #expect(events(laptop).map { $0["event"]?.string } == ["before", "start", "success", "after"])
    #expect(Set(events(laptop).map { $0["run"]?.string }).count == 1)
    let success = events(laptop).first { $0["event"] == "success" }
    #expect(success?["exit"] == 0 && success?["device"]?["name"] == "laptop")
    #expect(success?["jobs"]?.array?.first { $0["domain"] == "airports" }?["pushed"] == 1)
    for event in events(laptop) {
      expectKeys(event, "cloudsync.event/1", "event", "run", "at", "device", "names")
      #expect(!event.text().contains("JFK"))
    }
    // A failure is reported, and its end as well, each only once.
    try #require(rename(devices.shared, devices.shared + ".away") == 0)
    #expect(try await laptop.run("sync").status == 69)
    #expect(events(laptop).contains { $0["event"] == "failure" && $0["exit"] == 69 })
    try #require(rename(devices.shared + ".away", devices.shared) == 0)
    for _ in 0..<2 { #expect(try await laptop.run("sync").status == 0) }
    #expect(events(laptop).count { $0["event"] == "recovery" } == 1)
    // A dry run calls no hook.
    let count = events(laptop).count
    try await laptop.run("sync", "--dry-run")
    #expect(events(laptop).count == count)
  }

  @Test func `a watcher reports a failure once, and its end`() async throws {
    let when = "[success, failure, recovery, after]"
    let devices = try await device(
      "  note: { kind: command, run: [/bin/sh, -c, 'cat >>~/events'], when: \(when) }")
    let laptop = devices.first
    #expect(try await laptop.run("config", "set", "defaults.poll", "1s").status == 0)
    let watcher = try RunningCommand("watch", "--jsonl", on: laptop)
    try await watcher.wait(for: "a sign of life") { _ in
      self.events(laptop).contains { $0["event"] == "success" }
    }
    // A foreign folder: a permanent failure.
    try #require(rename(devices.shared, devices.shared + ".away") == 0)
    try #require(mkdir(devices.shared, 0o700) == 0)
    try await watcher.wait(for: "the failure") { _ in
      self.events(laptop).contains { $0["event"] == "failure" }
    }
    try #require(rmdir(devices.shared) == 0)
    try #require(rename(devices.shared + ".away", devices.shared) == 0)
    try await watcher.wait(for: "the recovery") { _ in
      self.events(laptop).contains { $0["event"] == "recovery" }
    }
    #expect(try await watcher.stop() == 143)
    let counts = ["failure", "recovery", "after"].map { name in
      events(laptop).count { $0["event"]?.string == name }
    }
    #expect(counts == [1, 1, 0])
  }

  @Test func `a command before a run may skip it`() async throws {
    let devices = try await device(
      "  metered: { kind: command, run: [/bin/sh, -c, 'exit 75'], when: [before] }")
    try await devices.first.run("airports", "add", "JFK", "KJFK")
    let run = try await devices.first.json("sync")
    let results = Set((run["jobs"]?.array ?? []).map { $0["reason"]?.string })
    #expect(results == ["hook"])
    #expect(try await devices.first.json("status", "airports")["domains"]?[0]?["pending"] == 1)
  }

  @Test func `a hook that fails fails nothing, unless it is required`() async throws {
    let devices = try await device(
      "  broken: { kind: command, run: [/bin/sh, -c, 'exit 3'], when: [success] }")
    let run = try await devices.first.run("sync")
    #expect(run.status == 0 && run.error.contains("'broken' failed: it ended with status 3"))
    let config = devices.first.path(".config/cloudsync/config.yaml")
    let text = try Files.text(config).split(separator: "\n").map { line in
      line.contains("broken:") ? "\(line.dropLast(2)), required: true }" : String(line)
    }
    try Files.write(Array(text.joined(separator: "\n").utf8) + [0x0A], to: config)
    try await devices.first.run("airports", "add", "JFK", "KJFK")
    let required = try await devices.first.run("sync", "--json")
    expectFailure(required, 1, "hook.failed")
    // What was synced stays synced.
    #expect(try await devices.first.json("status", "airports")["domains"]?[0]?["pending"] == 0)
  }

  @Test func `a failed required hook skips every job, and the output says so`()
    async throws
  {
    let devices = try await device(
      "  mount: { kind: command, run: [/bin/false], when: [before], required: true }")
    try await devices.first.run("airports", "add", "JFK", "KJFK")
    let run = try await devices.first.run("sync", "--json")
    expectFailure(run, 1, "hook.failed")
    let jobs = run.document["jobs"]?.array ?? []
    #expect(!jobs.isEmpty && jobs.allSatisfy { $0["result"] == "skipped" })
    #expect(try await devices.first.json("status", "airports")["domains"]?[0]?["pending"] == 1)
  }

  @Test func `a damaged store is reported like any other failure`() async throws {
    let devices = try await device(
      "  note: { kind: command, run: [/bin/sh, -c, 'cat >>~/events'], when: [failure] }")
    let laptop = devices.first
    let store = laptop.path(".local/share/cloudsync/airports.sqlite")
    for name in ["-wal", "-shm"] { unlink(store + name) }
    try Files.write([UInt8](repeating: 0x55, count: 8_192), to: store)
    expectFailure(try await laptop.run("sync", "--json"), 65, "store.damaged")
    #expect(events(laptop).map { $0["exit"]?.int } == [65])
  }

  @Test func `services receive their own requests, and their addresses stay secret`()
    async throws
  {
    let service = try LoopbackServer { request, _ in
      .http(request.target.hasPrefix("/gone") ? 404 : 200)
    }
    let devices = try await device(
      """
        hc: { kind: healthchecks, url: { env: HC_URL }, when: [start, success, failure] }
        kuma: { kind: uptime-kuma, url: "\(service.url)/kuma/secret?status=up", when: [success, failure] }
        push: { kind: ntfy, server: "\(service.url)", topic: { env: TOPIC }, when: [failure] }
        web: { kind: webhook, url: "\(service.url)/web", when: [failure] }
        gone: { kind: webhook, url: "\(service.url)/gone/topsecret", when: [success] }
      """)
    let secrets = ["HC_URL": "\(service.url)/hc/secret", "TOPIC": "a b"]
    let good = try await devices.first.run("sync", variables: secrets)
    #expect(good.status == 0, "\(good.error)")
    #expect(good.error.contains("'gone' failed") && !good.error.contains("secret"))
    try #require(rename(devices.shared, devices.shared + ".away") == 0)
    #expect(try await devices.first.run("sync", variables: secrets).status == 69)
    let paths = service.requests.map { "\($0.method) \($0.target.prefix { $0 != "?" })" }
    #expect(
      paths == [
        "POST /hc/secret/start", "POST /hc/secret/0", "GET /kuma/secret", "POST /gone/topsecret",
        "POST /hc/secret/start", "POST /hc/secret/69", "GET /kuma/secret", "POST /a%20b",
        "POST /web",
      ])
    let kuma = service.requests.filter { $0.target.hasPrefix("/kuma") }.map(\.target)
    #expect(kuma.first?.contains("?status=up&msg=") == true)
    #expect(kuma.last?.contains("?status=down&msg=") == true)
    let push = service.requests.first { $0.target == "/a%20b" }
    #expect(push?.headers["priority"] == "high")
    #expect(push?.headers["title"] == "cloudsync on laptop failed")
    let web = service.requests.first { $0.target == "/web" }
    #expect(try JSON(parsing: web?.text ?? "")["exit"] == 69)
  }
}
