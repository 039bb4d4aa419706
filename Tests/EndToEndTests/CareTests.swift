import SyncKitFormats
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Maintenance of a device: the doctor, the log, backups, timers, pauses.
struct CareTests {
  // MARK: The doctor

  @Test func `a healthy device reports only that`() async throws {
    let devices = try await TwoDevices()
    try await devices.first.run("airports", "add", "JFK", "KJFK")
    try await devices.sync()
    let doctor = try await devices.first.json("doctor")
    expectKeys(doctor, "cloudsync.doctor/1", "healthy", "checks")
    #expect(doctor["healthy"] == true)
    let outcomes = (doctor["checks"]?.array ?? []).filter {
      $0["outcome"] != "ok" && $0["check"] != "schedule"
    }
    #expect(outcomes.isEmpty, "\(outcomes)")
    for check in ["config", "folders", "files", "clock", "disk", "store", "remote"] {
      #expect(
        doctor["checks"]?.array?.contains { $0["check"]?.string == check } == true, "\(check)")
    }
  }

  @Test func `readable private files are reported, and fixed on request`() async throws {
    let devices = try await TwoDevices()
    let device = devices.first
    try await device.run("airports", "add", "JFK", "KJFK")
    let data = device.path(".local/share/cloudsync")
    chmod(data, 0o755)
    chmod("\(data)/airports.sqlite", 0o644)
    let before = try await device.json("doctor", "--no-network")
    let warnings = (before["checks"]?.array ?? []).filter { $0["outcome"] == "warning" }
    #expect(Set(warnings.compactMap { $0["check"]?.string }) == ["folders", "files"])
    #expect(Files.mode("\(data)/airports.sqlite") == 0o644)
    let fixed = try await device.json("doctor", "--no-network", "--fix")
    #expect(fixed["checks"]?.array?.count { $0["outcome"] == "fixed" } == 2)
    #expect(Files.mode(data) == 0o700 && Files.mode("\(data)/airports.sqlite") == 0o600)
  }

  @Test func `verify finds damage outside of records, and repair fixes it`()
    async throws
  {
    let devices = try await TwoDevices()
    let device = devices.first
    try await device.run("airports", "add", "JFK", "KJFK")
    try await devices.sync()
    #expect(try await device.run("verify").status == 0)
    let store = device.path(".local/share/cloudsync/airports.sqlite")
    var bytes = try Files.read(store)
    // A row is its key, a checksum of eight bytes and its value.
    let key = Array("arrival".utf8)
    let places = bytes.indices.filter { bytes[$0...].starts(with: key) }
    try #require(!places.isEmpty)
    for place in places { bytes[place + key.count + 8 + 7] ^= 1 }
    try Files.write(bytes, to: store)
    #expect(try await device.run("airports", "list").status == 0)
    expectFailure(try await device.run("verify", "--json"), 65, "store.damaged")
    #expect(try await device.run("verify", "--repair").status == 0)
    try await devices.sync()
    #expect(try await device.run("verify").status == 0)
    #expect(try await device.digest() == devices.second.digest())
  }

  @Test func `a repair reads the rest of a store that was cut in half`() async throws {
    let devices = try await TwoDevices()
    let device = devices.first
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    let rows = (0..<2_000).map { number in
      let code = "\(letters[number / 676 % 26])\(letters[number / 26 % 26])\(letters[number % 26])"
      return "\(code),Z\(code)"
    }
    let imported = try await device.run(
      "airports", "import", "-", "--skip-bad", input: (["iata,icao"] + rows).joined(separator: "\n")
    )
    #expect([0, 3].contains(imported.status), "\(imported.error)")
    try await devices.sync()
    let known = try await device.codes().count
    try #require(known > 1_500)
    try await device.run("airports", "add", "ZRH", "LSZH")
    let store = device.path(".local/share/cloudsync/airports.sqlite")
    let bytes = try Files.read(store)
    try Files.write(Array(bytes.prefix(bytes.count / 2)), to: store)
    let repaired = try await device.json("verify", "--repair")
    let repair = try #require(repaired["repairs"]?.array?.first)
    #expect(repair["domain"] == "airports" && repair["unsealed"] == 1)
    #expect(repair["losses"]?.array?.isEmpty == false, "\(repair)")
    // It builds on changes in the other half, which the remote has.
    try await devices.sync()
    for one in [device, devices.second] {
      let codes = try await one.codes()
      #expect(codes.count == known + 1 && codes["ZRH"] == "LSZH")
    }
    #expect(try await device.digest() == devices.second.digest())
  }

  @Test func `a broken thing comes with advice, and status 1`() async throws {
    let devices = try await TwoDevices()
    let device = devices.first
    try await device.run("airports", "add", "JFK", "KJFK")
    try #require(rename(devices.shared, devices.shared + ".away") == 0)
    let away = try await device.run("doctor", "--json")
    #expect(away.status == 1 && away.document["healthy"] == false)
    let remote = away.document["checks"]?.array?.first { $0["check"] == "remote" }
    #expect(remote?["outcome"] == "error" && remote?["advice"]?.string?.isEmpty == false)
    // Without the network it is not asked.
    #expect(try await device.run("doctor", "--no-network").status == 0)
    // A damaged store is reported and left alone.
    let store = device.path(".local/share/cloudsync/airports.sqlite")
    for name in ["-wal", "-shm"] { unlink(store + name) }
    var bytes = try Files.read(store)
    for index in bytes.indices.dropFirst(4_096).prefix(4_096) { bytes[index] ^= 0xFF }
    try Files.write(bytes, to: store)
    let damaged = try await device.run("doctor", "--no-network", "--fix", "--json")
    #expect(damaged.status == 1)
    let check = damaged.document["checks"]?.array?.first { $0["outcome"] == "error" }
    #expect(check?["check"] == "store")
    #expect(check?["advice"]?.string?.contains("verify --repair") == true)
    #expect(try Files.read(store) == bytes, "the bytes were changed")
    // And an invalid configuration, with its place.
    let config = device.path(".config/cloudsync/config.yaml")
    try Files.write(try Files.read(config) + Array("nonsense: 1\n".utf8), to: config)
    let invalid = try await device.run("doctor", "--json")
    #expect(invalid.status == 1)
    let first = invalid.document["checks"]?[0]
    #expect(
      first?["check"] == "config" && first?["message"]?.string?.contains("config.yaml:") == true)
  }

  // MARK: A support report

  @Test func `a report has findings and counts, and nothing private`() async throws {
    let base = try TestDevice()
    let device = try TestDevice(in: base.home, name: "canary-home")
    let token = device.path("canary-token")
    try Files.write(Array("csd_canarytoken".utf8), to: token)
    let made = try await device.run(
      "init", "--yes", "--unencrypted", "--device", "canary-device", "--remote",
      "canary-remote=file:\(device.path("canary-folder"))")
    #expect(made.status == 0, "\(made.error)")
    for (key, value) in [
      ("remotes.canaryserver.url", "https://canary.example.org/"),
      ("remotes.canaryserver.token.file", token),
      ("hooks.canaryhook.kind", "webhook"),
    ] {
      _ = try await device.run("config", "set", key, value)
    }
    for words in [
      ["settings", "put", "canary-key", "canary-value", "--namespace", "canary-app"],
      ["airports", "add", "JFK", "KJFK"],
    ] {
      let outcome = try await device.run(words)
      #expect(outcome.status == 0, "\(outcome.error)")
    }
    try await device.run("sync")
    // A problem to find, whose message names a path.
    chmod(device.path(".local/share/cloudsync/airports.sqlite"), 0o644)
    try Files.write([1], to: device.path(".local/share/cloudsync/canary-notes.txt"))

    let preview = try await device.run("diagnose", "--preview", "--json", "--no-network")
    #expect(preview.status == 0, "\(preview.error)")
    expectKeys(preview.document, "cloudsync.diagnose/1", "file", "entries")
    #expect(preview.document["file"] == .null)
    let entries = preview.document["entries"]?.array ?? []
    let contents = Dictionary(
      uniqueKeysWithValues: entries.map { ($0["name"]?.string ?? "", $0["content"] ?? .null) })
    let names = [
      "diagnose.json", "doctor.json", "status.json", "settings.json", "runs.json", "files.json",
    ]
    #expect(Set(contents.keys) == Set(names))
    #expect(
      contents["doctor.json"]?["checks"]?.array?.contains { $0["outcome"] == "warning" } == true)
    #expect(contents["runs.json"]?["runs"]?.array?.isEmpty == false)
    let airports = contents["status.json"]?["domains"]?.array?.first { $0["domain"] == "airports" }
    #expect(airports?["records"] == 1 && airports?["remotes"]?.array?.isEmpty == false)
    #expect(
      Files.names(in: device.home).allSatisfy { !$0.hasSuffix(".zip") }, "a preview writes nothing")

    let file = device.path("report.zip")
    #expect(try await device.run("diagnose", file, "--no-network").status == 0)
    #expect(Files.mode(file) == 0o600)
    let list = try await device.run("diagnose", "--preview", "--no-network")
    for text in [preview.output, list.output] {
      #expect(!text.lowercased().contains("canary"), "\(text)")
      #expect(!text.contains("KJFK") && !text.contains(device.home))
    }
  }

  // MARK: The log

  @Test func `the log shows results and merges of syncs, only to its owner`()
    async throws
  {
    let devices = try await TwoDevices()
    let (laptop, phone) = (devices.first, devices.second)
    try await laptop.run("airports", "add", "CPH", "EKCH")
    try await phone.run("airports", "add", "CPH", "EKRK")
    for device in [laptop, phone] { try await device.run("sync", "--push-only") }
    for device in [laptop, phone] { #expect(try await device.run("sync").status == 0) }
    let log = try await laptop.json("log", "--domain", "airports")
    expectKeys(log, "cloudsync.log/1", "entries", "since")
    let merge = log["entries"]?.array?.compactMap { $0["merges"]?[0] }.first
    #expect(merge?["record"] == "mapping/CPH" && merge?["device"] == "phone")
    let shown = try await laptop.codes()["CPH"]
    #expect(["EKCH", "EKRK"].contains(shown ?? ""))
    #expect(merge?.text().contains("EKCH") == true && merge?.text().contains("EKRK") == true)
    try #require(rename(devices.shared, devices.shared + ".away") == 0)
    #expect(try await laptop.run("sync").status == 69)
    let last = try await laptop.json("log")["entries"]?[0]
    #expect(last?["result"] == "failed" && last?["error"]?["code"] == "remote.unavailable")
    // Frequent failures are reported where people look first.
    let runs = try await laptop.json("status")["domains"]?[0]?["remotes"]?[0]?["runs"]
    #expect(runs?["succeeded"] == 2 && runs?["failed"] == 1 && runs?["since"] != .null)
    #expect(try await laptop.run("status").output.contains("(1 of 3 runs failed)"))
    #expect(try await laptop.json("airports", "stats")["runs"]?["failed"] == 1)
    #expect(Files.mode(laptop.path(".local/state/cloudsync/runs.jsonl")) == 0o600)
    #expect(try await laptop.json("log", "--since", "2099-01-01")["entries"]?.array?.count == 0)
    #expect(try await laptop.json("log", "--limit", "1")["entries"]?.array?.count == 1)
    // A dry run leaves nothing.
    let count = try await laptop.json("log", "--limit", "0")["entries"]?.array?.count
    try await laptop.run("sync", "--dry-run")
    #expect(try await laptop.json("log", "--limit", "0")["entries"]?.array?.count == count)
  }

  // MARK: Backups

  @Test func `a device restored from a backup loses no edit of any device`() async throws {
    let devices = try await TwoDevices()
    let (laptop, phone) = (devices.first, devices.second)
    try await laptop.run("airports", "add", "JFK", "KJFK")
    try await laptop.run("bike", "add", "b1", "name=Trail")
    try await devices.sync()
    let file = laptop.path("backup.zip")
    let made = try await laptop.json("backup", "create", "--unencrypted", file)
    expectKeys(
      made, "cloudsync.backup/1", "file", "encrypted", "made", "device", "stores", "problems")
    #expect(Files.mode(file) == 0o600)
    #expect(try await laptop.json("backup", "verify", file)["problems"]?.array?.isEmpty == true)
    // Both continue to work.
    try await laptop.run("airports", "add", "ZRH", "LSZH")
    try await devices.sync()
    try await laptop.run("airports", "add", "HEL", "EFHK")
    let asked = try await laptop.run("backup", "restore", file, "--no-input", "--discard-unsent")
    #expect(asked.status == 64)
    #expect(asked.error.contains("--yes"), "\(asked.error)")
    let rehearsed = try await laptop.json(
      "backup", "restore", file, "--yes", "--dry-run", "--discard-unsent")
    #expect(rehearsed["unsent"] == [["store": "airports", "changes": 1]])
    #expect(try await laptop.codes().count == 3)
    let restored = try await laptop.json("backup", "restore", file, "--yes", "--discard-unsent")
    #expect(restored["kept"]?.array?.isEmpty == false)
    #expect(try await laptop.codes() == ["JFK": "KJFK"])
    // Sent edits come back; unsent ones are kept in the old store.
    try await laptop.run("airports", "add", "OSL", "ENGM")
    try await devices.sync()
    let all = ["JFK": "KJFK", "ZRH": "LSZH", "OSL": "ENGM"]
    #expect(try await laptop.codes() == all)
    #expect(try await phone.codes() == all)
    #expect(try await laptop.digest() == phone.digest())
    let names = Files.names(in: laptop.path(".local/share/cloudsync"))
    #expect(names.contains("airports.sqlite.replaced-1"))
    #expect(!names.contains { $0.hasPrefix(".scratch") })
  }

  @Test func `edits that exist nowhere else stop a restore, and can be taken over`() async throws {
    let devices = try await TwoDevices()
    let (laptop, phone) = (devices.first, devices.second)
    try await laptop.run("airports", "add", "JFK", "KJFK")
    try await devices.sync()
    let file = laptop.path("backup.zip")
    _ = try await laptop.json("backup", "create", "--unencrypted", file)
    // Sent edits come back by themselves, so they do not stop the restore.
    try await laptop.run("airports", "add", "ZRH", "LSZH")
    try await devices.sync()
    let sent = try await laptop.json("backup", "restore", file, "--dry-run")
    #expect(sent["unsent"] == [])
    try await laptop.run("airports", "add", "HEL", "EFHK")
    try await laptop.run("bike", "add", "b1", "name=Trail")
    for arguments in [["--yes"], ["--dry-run"]] {
      let stopped = try await laptop.run(["backup", "restore", file, "--json"] + arguments)
      expectFailure(stopped, 77, "store.unsent")
      let message = stopped.failure["message"]?.string ?? ""
      let sentence = "2 changes (1 of airports, 1 of bike) are on no remote"
      #expect(message.hasPrefix(sentence), "\(message)")
      #expect(stopped.failure["hint"]?.string?.contains("--keep-unsent") == true)
    }
    #expect(try await laptop.codes().count == 3)
    let names = Files.names(in: laptop.path(".local/share/cloudsync"))
    #expect(!names.contains { $0.contains("replaced") || $0.hasPrefix(".scratch") })

    let kept = try await laptop.json("backup", "restore", file, "--yes", "--keep-unsent")
    #expect(
      kept["unsent"] == [["store": "airports", "changes": 1], ["store": "bike", "changes": 1]])
    #expect(try await laptop.codes()["HEL"] == "EFHK")
    try await devices.sync()
    try await devices.sync()
    let all = ["JFK": "KJFK", "ZRH": "LSZH", "HEL": "EFHK"]
    for device in [laptop, phone] {
      #expect(try await device.codes() == all)
      #expect(try await device.json("bike", "list")["records"]?.array?.count == 1)
    }
    #expect(try await laptop.digest() == phone.digest())
    #expect(try await laptop.run("verify").status == 0)
  }

  @Test func `a restore over an unreadable store says so and stops`() async throws {
    let device = try TestDevice()
    try await device.run("airports", "add", "JFK", "KJFK")
    let file = device.path("backup.zip")
    _ = try await device.json("backup", "create", "--unencrypted", file)
    let store = device.path(".local/share/cloudsync/airports.sqlite")
    try Files.write(Array(repeating: 0x2A, count: 8_192), to: store)
    let stopped = try await device.run("backup", "restore", file, "--yes", "--json")
    expectFailure(stopped, 77, "store.unsent")
    #expect(stopped.failure["message"]?.string?.contains("airports cannot be read") == true)
    #expect(
      try await device.run("backup", "restore", file, "--yes", "--discard-unsent").status == 0)
    #expect(try await device.codes() == ["JFK": "KJFK"])
  }

  @Test func `a backup does not replace an existing file`() async throws {
    let device = try TestDevice()
    try await device.run("airports", "add", "JFK", "KJFK")
    let file = device.path("backup.zip")
    try Files.write(Array("precious".utf8), to: file)
    let refused = try await device.run("backup", "create", "--unencrypted", file, "--json")
    expectFailure(refused, 65, "input.invalid")
    #expect(refused.failure["hint"]?.string?.contains("--force") == true)
    #expect(try Files.text(file) == "precious")
    #expect(symlink("nowhere", device.path("link.zip")) == 0)
    #expect(
      try await device.run("backup", "create", "--unencrypted", device.path("link.zip")).status
        == 65)
    #expect(try await device.run("backup", "create", "--unencrypted", file, "--force").status == 0)
    #expect(try await device.run("backup", "verify", file).status == 0)
    #expect(Files.names(in: device.home).filter { $0.contains(".tmp-") }.isEmpty)
  }

  @Test func `a new machine restores a backup and is a new device`() async throws {
    let devices = try await TwoDevices()
    let laptop = devices.first
    try await laptop.run("airports", "add", "JFK", "KJFK")
    try await devices.sync()
    let file = laptop.path("backup.zip")
    #expect(try await laptop.run("backup", "create", "--unencrypted", file).status == 0)
    let successorField = try TestDevice()
    let restored = try await successorField.json("backup", "restore", file, "--yes")
    #expect(restored["configured"] == true)
    #expect(try await successorField.codes() == ["JFK": "KJFK"])
    // The old one is still there; both write, and nothing is written twice under one number.
    try await successorField.run("airports", "add", "ZRH", "LSZH")
    try await laptop.run("airports", "add", "HEL", "EFHK")
    for device in [successorField, laptop, devices.second, successorField, laptop, devices.second] {
      let outcome = try await device.run("sync")
      #expect(outcome.status == 0, "\(outcome.error)")
    }
    let all = ["JFK": "KJFK", "ZRH": "LSZH", "HEL": "EFHK"]
    for device in [successorField, laptop, devices.second] {
      #expect(try await device.codes() == all)
    }
  }

  @Test func `a file that is not a backup, or a damaged backup, changes nothing`() async throws {
    let device = try TestDevice()
    try await device.run("airports", "add", "JFK", "KJFK")
    let file = device.path("backup.zip")
    #expect(try await device.run("backup", "create", "--unencrypted", file).status == 0)
    let missing = try await device.run("backup", "verify", device.path("none"), "--json")
    expectFailure(missing, 66, "input.missing")
    let good = try Files.read(file)
    try Files.write(Array("no archive".utf8), to: file)
    expectFailure(try await device.run("backup", "verify", file, "--json"), 65, "input.invalid")
    var damaged = good
    for index in damaged.indices.dropFirst(good.count / 2).prefix(64) { damaged[index] ^= 0xFF }
    try Files.write(damaged, to: file)
    let verify = try await device.run("backup", "verify", file, "--json")
    #expect(verify.status == 65, "\(verify.error)")
    #expect(try await device.run("backup", "restore", file, "--yes").status == 65)
    #expect(try await device.codes() == ["JFK": "KJFK"])
    // Through a pipe, too.
    let piped = try await CommandRunner.run(
      [
        "-c",
        "'\(CommandRunner.program)' backup create --unencrypted - | '\(CommandRunner.program)' backup verify -",
      ],
      program: "/bin/bash", environment: device.environment, folder: device.home)
    #expect(piped.status == 0, "\(piped.error)")
  }

  @Test func `an incomplete backup is not made`() async throws {
    let device = try TestDevice()
    try await device.run("airports", "add", "JFK", "KJFK")
    let file = device.path("backup.zip")
    // A link to itself plays an unreadable file, even for root.
    let store = device.path(".local/share/cloudsync/bike.sqlite")
    #expect(symlink("bike.sqlite", store) == 0)
    let made = try await device.run("backup", "create", "--unencrypted", file, "--json")
    expectFailure(made, 74, "store.io")
    #expect(!Files.names(in: device.home).contains("backup.zip"))
    #expect(unlink(store) == 0)
    #expect(try await device.run("backup", "create", "--unencrypted", file).status == 0)
  }

  // MARK: Timers

  @Test func `a timer is printed, installed, shown and removed`() async throws {
    let device = try TestDevice()
    try await device.run(
      "init", "--yes", "--unencrypted", "--remote", "folder=file:\(device.path("remote"))")
    let printed = try await device.run("timer", "install", "--every", "20m", "--print")
    #expect(printed.status == 0, "\(printed.error)")
    for line in [
      "OnUnitActiveSec=1200s", "SuccessExitStatus=75", "NoNewPrivileges=yes",
      "# */20 * * * * ", "--all --quiet --no-input || [ $? -eq 75 ]",
    ] { #expect(printed.output.contains(line), "\(line) is missing") }
    let folder = device.path(".config/systemd/user")
    #expect(Files.names(in: folder).isEmpty)
    // Jobs with an interval get a timer each.
    for (key, value) in [
      ("jobs.quick", "{ domains: [airports, bike], every: 15m }"),
      ("jobs.nightly", "{ domains: [health], every: 1d }"),
      ("jobs.byhand", "{ domains: [media] }"),
    ] {
      let config = device.path(".config/cloudsync/config.yaml")
      let text = try Files.text(config)
      let jobs = text.contains("jobs:") ? "" : "jobs:\n"
      try Files.write(
        Array("\(text)\(jobs)  \(key.dropFirst(5)): \(value)\n".utf8), to: config)
    }
    let installed = try await device.run("timer", "install", "--json")
    #expect(installed.status == 0, "\(installed.error)")
    let names = installed.document["timers"]?.array?.compactMap { $0["name"]?.string } ?? []
    #expect(names == ["cloudsync-quick", "cloudsync-nightly"])
    #expect(
      Set(Files.names(in: folder)).isSuperset(of: [
        "cloudsync-quick.service", "cloudsync-quick.timer",
      ]))
    try Files.write(Array("[Unit]\n".utf8), to: "\(folder)/cloudsync-mine.service")
    let shown = try await device.json("timer", "show")
    #expect(shown["timers"]?.array?.count == 2)
    #expect(shown["timers"]?.array?.contains { $0["every"] == "1d" } == true)
    for timer in shown["timers"]?.array ?? [] {
      let plan = installed.document["timers"]?.array?.first { $0["name"] == timer["name"] }
      #expect(plan?["command"] == timer["command"] && plan?["cron"] == timer["cron"])
    }
    // Again, one timer for everything, instead of them.
    #expect(try await device.run("timer", "install", "--every", "5m").status == 0)
    #expect(try await device.json("timer", "show")["timers"]?.array?.count == 1)
    #expect(try await device.run("timer", "remove").status == 0)
    #expect(try await device.run("timer", "remove").status == 0)
    #expect(
      Files.names(in: folder).filter { $0.hasSuffix(".timer") || $0.hasSuffix(".service") } == [
        "cloudsync-mine.service"
      ])
    let wrong = try await device.run("timer", "install", "--every", "1s", "--json")
    expectFailure(wrong, 64, "usage")
  }

  @Test func `the timers of one profile leave those of others alone`() async throws {
    let device = try TestDevice()
    let jobs = ["a": "b-c", "a-b": "c"]
    for (profile, job) in jobs {
      let made = try await device.run("init", "--yes", "--unencrypted", "--profile", profile)
      #expect(made.status == 0, "\(made.error)")
      let config = device.path(".config/cloudsync/profiles/\(profile)/config.yaml")
      let text = "jobs:\n  \(job): { domains: [airports], every: 15m }\n"
      try Files.write(try Files.read(config) + Array(text.utf8), to: config)
    }
    #expect(try await device.run("timer", "install").status == 0)
    for profile in jobs.keys {
      #expect(try await device.run("timer", "install", "--profile", profile).status == 0)
    }
    // A variable works like an option.
    let again = try await device.run("timer", "install", variables: ["CLOUDSYNC_PROFILE": "a"])
    #expect(again.status == 0, "\(again.error)")
    func commands() async throws -> Set<[String]> {
      let timers = try await device.json("timer", "show")["timers"]?.array ?? []
      return Set(
        timers.map { ($0["command"]?.array ?? []).compactMap(\.string).filter { $0 != "--quiet" } }
          .map { Array($0.dropFirst()) })
    }
    let own = ["sync", "--all", "--no-input"]
    let a = ["sync", "b-c", "--no-input", "--profile", "a"]
    let b = ["sync", "c", "--no-input", "--profile", "a-b"]
    #expect(try await commands() == [own, a, b])
    #expect(try await device.run("timer", "remove", "--profile", "a").status == 0)
    #expect(try await commands() == [own, b])
    #expect(try await device.run("timer", "remove").status == 0)
    #expect(try await commands() == [b])
  }

  @Test func `a failed installation leaves the old timers as they were`() async throws {
    let device = try TestDevice()
    #expect(try await device.run("timer", "install").status == 0)
    let folder = device.path(".config/systemd/user")
    let before = try Files.read("\(folder)/cloudsync.timer")
    let config = device.path(".config/cloudsync/config.yaml")
    try Files.makeFolder(CommandRunner.folder(of: config))
    try Files.write(
      Array("version: 1\njobs:\n  q: { domains: [airports], every: 15m }\n".utf8), to: config)
    try Files.makeFolder("\(folder)/cloudsync-q.timer")
    #expect(try await device.run("timer", "install").status != 0)
    #expect(try Files.read("\(folder)/cloudsync.timer") == before)
  }

  @Test func `a timer's command is silent on success, and runs its job`()
    async throws
  {
    let devices = try await TwoDevices()
    let device = devices.first
    let config = device.path(".config/cloudsync/config.yaml")
    try Files.write(
      try Files.read(config) + Array("jobs:\n  quick: { domains: [airports], every: 15m }\n".utf8),
      to: config)
    try await device.run("airports", "add", "JFK", "KJFK")
    try await device.run("bike", "add", "b1", "name=Trail")
    let timer = try await device.json("timer", "install", "--print")["timers"]?[0]
    let words = timer?["command"]?.array?.compactMap(\.string) ?? []
    let run = try await device.run(Array(words.dropFirst()))
    #expect(run.status == 0 && run.output.isEmpty && run.error.isEmpty, "\(run.error)")
    #expect(try await device.json("status", "airports")["domains"]?[0]?["pending"] == 0)
    #expect(try await device.json("status", "bike")["domains"]?[0]?["pending"] == 1)
  }
}
