import LocalMachine
import CommandFoundation
import SyncKitFormats
import Testing

@testable import CloudSyncCommands

/// A device that is not set up, has no remote, or has never been in sync with one.
struct NeverSetUpTests {
  private static let day: Int64 = 86_400_000

  /// A machine at a plausible time.
  private static func machine(_ configuration: String? = nil) throws -> TestMachine {
    let machine = try TestMachine(configuration: configuration)
    machine.clock.advance(by: 1_800_000_000_000)
    return machine
  }

  @Test(arguments: [
    ["sync"], ["sync", "--all", "--quiet", "--no-input"], ["sync", "quick"], ["sync", "--dry-run"],
    ["airports", "sync"], ["status", "--check"], ["airports", "status", "--check"], ["compact"],
    ["health", "compact"], ["verify", "--remotes"], ["watch"], ["pause"],
    ["device", "rename", "laptop"],
  ])
  func `without a configuration no command reports success`(_ words: [String]) async throws {
    let machine = try Self.machine()
    let outcome = await machine.run(words + ["--json"])
    #expect(outcome.status == 78, "\(outcome.output)")
    #expect(outcome.failure["code"] == "config.missing")
    #expect(outcome.failure["hint"]?.string?.contains("HOME") == true)
    // Local records do not change that.
    #expect(await machine.run("airports", "add", "ZRH", "LSZH").status == 0)
    #expect(await machine.run(words).status == 78)
  }

  @Test func `a backup of nothing is refused, and one of local records is made`()
    async throws
  {
    let machine = try Self.machine()
    #expect(await machine.run("status").status == 0)
    let outcome = await machine.run("backup", "create", "-", "--json")
    #expect(outcome.status == 78 && outcome.failure["code"] == "config.missing")
    #expect(await machine.run("airports", "add", "ZRH", "LSZH").status == 0)
    #expect(await machine.run("backup", "create", "--unencrypted", "backup.zip").status == 0)
  }

  @Test func `another profile is another device, and not set up either`() async throws {
    let machine = try Self.machine()
    #expect(await machine.run("init", "--yes", "--unencrypted").status == 0)
    #expect(await machine.run("sync").status == 0)
    #expect(await machine.run("sync", "--profile", "other").status == 78)
  }

  @Test func `the doctor calls it broken, and status says what to do`() async throws {
    let machine = try Self.machine()
    let doctor = await machine.run("doctor", "--json")
    #expect(doctor.status == 1 && doctor.document["healthy"] == false)
    let status = await machine.run("status")
    #expect(status.status == 0 && status.error.contains("cloudsync init"))
    #expect(await machine.run("status", "--json").document["initialised"] == false)
    let timer = await machine.run("timer", "install", "--dry-run")
    #expect(timer.error.contains("78"), "\(timer.error)")
  }

  @Test func `any configuration counts as a setup, even one written by hand`() async throws {
    let machine = try Self.machine()
    try machine.home.write("version: 1\n", to: ".config/cloudsync/conf.d/10-mine.yaml")
    #expect(await machine.run("sync").status == 0)
    var variables = try Self.machine()
    variables.environment["CLOUDSYNC_REMOTES_A_TYPE"] = "file"
    variables.environment["CLOUDSYNC_REMOTES_A_PATH"] = "\(variables.home.path)/a"
    #expect(await variables.run("sync").status != 78)
  }

  // MARK: Without a remote

  @Test func `a sync without a remote says so, and ends well`() async throws {
    let machine = try Self.machine()
    #expect(await machine.run("init", "--yes", "--unencrypted").status == 0)
    let sync = await machine.run("sync")
    #expect(sync.status == 0 && sync.error.contains("no remote"), "\(sync.error)")
    let quiet = await machine.run("sync", "--quiet")
    #expect(quiet.status == 0 && quiet.error.isEmpty && quiet.output.isEmpty)
    let document = await machine.run("sync", "--json").document
    #expect(document["reason"] == "noRemote" && document["jobs"]?.array?.isEmpty == true)
    #expect(try Schemas.problems(in: document, by: "sync").isEmpty)
    #expect(await machine.run("status", "--check").status == 0)
    #expect(await machine.run("sync", "--dry-run", "--check").status == 0)

    #expect(await machine.run("airports", "add", "ZRH", "LSZH").status == 0)
    #expect(await machine.run("status", "--check").status == 2)
    #expect(await machine.run("sync", "--dry-run", "--check").status == 2)
    #expect(await machine.run("bike", "sync", "--dry-run", "--check").status == 0)
    let compaction = await machine.run("compact")
    #expect(compaction.status == 0 && compaction.error.contains("nothing was compacted"))
    let status = await machine.run("status", "--json").document
    #expect(status["domains"]?[0]?["pending"] == 1 && status["domains"]?[0]?["state"] == "pending")
    #expect(try Schemas.problems(in: status, by: "status").isEmpty)
    let doctor = await machine.run("doctor", "--json").document["checks"]?.array ?? []
    #expect(doctor.contains { $0["check"] == "remote" && $0["outcome"] == "warning" })
  }

  @Test func `no hook reports success for a run without a remote`() async throws {
    let machine = try Self.machine()
    #expect(await machine.run("init", "--yes", "--unencrypted").status == 0)
    let told = "\(machine.home.path)/told"
    let config = try LocalFile.read(machine.configuration, limit: 1 << 16)
    let when = "[before, start, success, recovery, after]"
    let hooks = """
      hooks:
        note: { kind: command, run: [/bin/sh, -c, 'echo >>\(told)'], when: \(when) }

      """
    try LocalFile.replace(machine.configuration, with: config + Array(hooks.utf8))
    #expect(await machine.run("airports", "add", "ZRH", "LSZH").status == 0)
    for words in [["sync"], ["sync", "--push-only"], ["airports", "sync"]] {
      #expect(await machine.run(words).status == 0)
    }
    #expect(FileSignature(told) == nil)
    let place = "file:\(machine.home.path)/remote"
    #expect(await machine.run("remote", "add", "--unencrypted", "r", place).status == 0)
    #expect(await machine.run("sync").status == 0)
    #expect(FileSignature(told) != nil)
  }

  @Test func `a run in which no domain syncs says so as well`() async throws {
    let machine = try Self.machine()
    let folder = "file:\(machine.home.path)/remote"
    #expect(
      await machine.run("init", "--yes", "--unencrypted", "--domains", "airports,bike").status == 0)
    let added = await machine.run(
      "remote", "add", "--unencrypted", "a", folder, "--domains", "airports")
    #expect(added.status == 0, "\(added.error)")
    for words in [
      ["sync", "--domain", "bike"], ["bike", "sync"], ["sync", "--domain", "health"],
    ] {
      let outcome = await machine.run(words)
      #expect(outcome.status == 0 && outcome.error.contains("nothing was synced"), "\(words)")
      #expect(await machine.run(words + ["--json"]).document["reason"] == "noMatch")
    }
    // Changes that stay here on purpose do not wait.
    #expect(await machine.run("bike", "add", "b1", "name=Trail").status == 0)
    #expect(await machine.run("sync").status == 0)
    #expect(await machine.run("status", "--check").status == 0)
    // A remote without a domain is as good as none.
    #expect(await machine.run("config", "set", "domains.airports.enabled", "false").status == 0)
    #expect(await machine.run("sync", "--json").document["reason"] == "noDomain")
    #expect(await machine.run("status", "--check").status == 2)
  }

  // MARK: Never in step

  @Test func `a device that never synced is stale a week after its setup`() async throws {
    let machine = try Self.machine()
    #expect(await machine.run("airports", "add", "ZRH", "LSZH").status == 0)
    machine.clock.advance(by: 30 * Self.day)
    let folder = "file:\(machine.home.path)/remote"
    let made = await machine.run(
      "init", "--yes", "--unencrypted", "--domains", "airports", "--remote", "a=\(folder)")
    #expect(made.status == 0, "\(made.error)")
    // Earlier local records count from the setup.
    #expect(await machine.run("status", "--check").status == 2)
    machine.clock.advance(by: 6 * Self.day)
    #expect(await machine.run("status", "--check").status == 2)
    machine.clock.advance(by: 2 * Self.day)
    #expect(await machine.run("status", "--check").status == 5)
    let row = await machine.run("status", "--json").document["domains"]?[0]
    #expect(row?["state"] == "stale" && row?["stale"] == true && row?["lastSync"] == .null)
    let doctor = await machine.run("doctor", "--json").document["checks"]?.array ?? []
    #expect(doctor.contains { $0["message"]?.string?.contains("never been in step") == true })
    #expect(await machine.run("pause").status == 0)
    #expect(await machine.run("status", "--check").status == 0)
    #expect(await machine.run("resume").status == 0)
    #expect(await machine.run("sync").status == 0)
    #expect(await machine.run("status", "--check").status == 0)
  }

  @Test func `failed attempts do not count as a sync`() async throws {
    let machine = try Self.machine()
    let folder = "\(machine.home.path)/remote"
    let made = await machine.run(
      "init", "--yes", "--unencrypted", "--domains", "airports", "--remote", "a=file:\(folder)")
    #expect(made.status == 0, "\(made.error)")
    try LocalFile.move(folder, to: folder + ".away")
    for _ in 0..<8 {
      machine.clock.advance(by: Self.day)
      #expect(await machine.run("sync").status == 69)
    }
    #expect(await machine.run("status", "--check").status == 5)
  }

  @Test func `a remote that comes later has its own week`() async throws {
    let machine = try Self.machine()
    #expect(
      await machine.run("init", "--yes", "--unencrypted", "--domains", "airports").status == 0)
    machine.clock.advance(by: 30 * Self.day)
    #expect(await machine.run("status", "--check").status == 0)
    #expect(await machine.run("airports", "add", "ZRH", "LSZH").status == 0)
    #expect(await machine.run("status", "--check").status == 5)
    let folder = "file:\(machine.home.path)/remote"
    #expect(await machine.run("remote", "add", "--unencrypted", "a", folder).status == 0)
    #expect(await machine.run("status", "--check").status == 2)
    machine.clock.advance(by: 8 * Self.day)
    #expect(await machine.run("status", "--check").status == 5)
  }

  @Test func `a configuration written by hand counts from its first use`() async throws {
    let machine = try Self.machine(
      """
      version: 1
      remotes: { a: { type: file, path: ~/remote } }
      domains: { airports: { remote: a } }

      """)
    #expect(await machine.run("status", "--check").status == 0)
    machine.clock.advance(by: 8 * Self.day)
    #expect(await machine.run("status", "--check").status == 5)
  }
}
