import LocalMachine
import CommandFoundation
import SyncKitFormats
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

@testable import CloudSyncCommands

/// Remotes on which a sync fails: every command that checks them reports the same.
struct RemoteTrialTests {
  private let base: TemporaryFolder
  private let author: TestMachine
  private let reader: TestMachine

  init() throws {
    base = try TemporaryFolder()
    (author, reader) = (try TestMachine(), try TestMachine())
    for machine in [author, reader] { machine.clock.advance(by: 1_800_000_000_000) }
  }

  private var place: String { "\(base.path)/remote" }

  private func setUp(_ kind: String = "file", domains: String = "airports") async {
    for machine in [author, reader] {
      let made = await machine.run(
        "init", "--yes", "--unencrypted", "--domains", domains, "--remote", "r=\(kind):\(place)")
      #expect(made.status == 0, "\(made.error)")
    }
    #expect(await author.run("airports", "add", "ZRH", "LSZH").status == 0)
    #expect(await author.run("sync").status == 0)
  }

  /// Everything below the remote, links not followed.
  private func contents() throws -> [String] {
    let found = try ChildProcess.run(["find", "-H", place, "-printf", "%P %y %s\\n"])
    return String(decoding: found.output, as: UTF8.self).split(separator: "\n").map(String.init)
      .filter { !$0.hasPrefix(" ") }.sorted()
  }

  /// Checks that all verbs fail like a sync, before it and after it, and leave nothing behind.
  private func expectFailure(
    _ machine: TestMachine, _ status: Int32, _ code: String, leavesAlone: Bool = true,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let before = try contents()
    for round in 0..<2 {
      let doctor = await machine.run("doctor", "--json")
      #expect(doctor.status == 1, "doctor, round \(round)", sourceLocation: sourceLocation)
      let broken = (doctor.document["checks"]?.array ?? []).filter { $0["outcome"] == "error" }
      #expect(!broken.isEmpty, sourceLocation: sourceLocation)
      for words in [["remote", "test", "r"], ["verify", "--remotes"]] {
        let outcome = await machine.run(words + ["--json"])
        #expect(
          outcome.status == status && outcome.failure["code"]?.string == code,
          "\(words), round \(round): \(outcome.error)", sourceLocation: sourceLocation)
      }
      if leavesAlone {
        let now = try contents()
        #expect(now == before, "something was left behind", sourceLocation: sourceLocation)
      }
      let sync = await machine.run("sync", "--json")
      #expect(
        sync.status == status && sync.failure["code"]?.string == code, "\(sync.error)",
        sourceLocation: sourceLocation)
      #expect(sync.document["jobs"]?[0]?["pushed"] == 0, sourceLocation: sourceLocation)
    }
  }

  private func expectGood(
    _ machine: TestMachine, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let before = try contents()
    for words in [["doctor"], ["remote", "test", "r"], ["verify", "--remotes"]] {
      let outcome = await machine.run(words)
      #expect(
        outcome.status == 0, "\(words): \(outcome.output)\(outcome.error)",
        sourceLocation: sourceLocation)
    }
    let now = try contents()
    #expect(now == before, "something was left behind", sourceLocation: sourceLocation)
  }

  @Test func `a sound remote is tried and left as it was`() async throws {
    await setUp()
    for machine in [author, reader] { try await expectGood(machine) }
    #expect(await author.run("airports", "add", "HEL", "EFHK").status == 0)
    try await expectGood(author)
    let test = await author.run("remote", "test", "r", "--json").document
    #expect(test["reachable"] == true && test["writable"] == true)
    #expect(try Schemas.problems(in: test, by: "remote-test").isEmpty)
    let verify = await author.run("verify", "--remotes", "--json").document
    #expect(try Schemas.problems(in: verify, by: "verify").isEmpty)
    #expect(await author.run("sync", "--json").document["jobs"]?[0]?["pushed"] == 1)
  }

  // MARK: Folders that are none

  @Test(arguments: ["file", "dangling link", "link", "pipe"])
  func `a file in place of a domain's folder`(_ kind: String) async throws {
    await setUp()
    let folder = "\(place)/airports"
    try LocalFile.move(folder, to: "\(base.path)/away")
    switch kind {
    case "file": try LocalFile.replace(folder, with: Array("mine".utf8))
    case "dangling link": symlink("\(base.path)/nowhere", folder)
    case "link": symlink("\(base.path)/away", folder)
    default: mkfifo(folder, 0o600)
    }
    // A device that has never seen a record would take it for an empty remote.
    for machine in [author, reader] {
      try await expectFailure(machine, 69, "remote.obstructed")
      let row = await machine.run("status", "--json").document["domains"]?[0]
      #expect(row?["state"] == "error")
      #expect(row?["remotes"]?[0]?["error"]?["retryable"] == false)
    }
    let hint = await author.run("sync").error
    #expect(hint.contains("hint:") && hint.contains("airports"), "\(hint)")
    unlink(folder)
    try LocalFile.move("\(base.path)/away", to: folder)
    for machine in [author, reader] {
      #expect(await machine.run("sync").status == 0)
      try await expectGood(machine)
    }
  }

  @Test(arguments: [1, 2])
  func `a file in place of a deeper folder`(_ depth: Int) async throws {
    await setUp()
    var folder = "\(place)/airports"
    for _ in 0..<depth {
      let names = try LocalFolder.names(in: folder, ending: "")
      folder = LocalFolder.path(folder, try #require(names.first))
    }
    try LocalFile.move(folder, to: "\(base.path)/away")
    try LocalFile.replace(folder, with: Array("mine".utf8))
    try await expectFailure(author, 69, "remote.obstructed")
  }

  // MARK: Media

  @Test(.enabled(if: Mounts.areAllowed))
  func `a read-only medium fails only if changes wait`()
    async throws
  {
    try LocalFolder.create(place)
    #expect(try Mounts.mount(place, "size=1m"))
    defer { Mounts.unmount(place) }
    await setUp()
    #expect(try Mounts.remount(place, isReadOnly: true))
    // Nothing waits: a sync has nothing to write, so this is only a warning.
    #expect(await author.run("sync").status == 0)
    try await expectGood(author)
    let quiet = await author.run("remote", "test", "r", "--json").document
    #expect(quiet["reachable"] == true && quiet["writable"] == false)
    let checks = await author.run("doctor", "--json").document["checks"]?.array ?? []
    #expect(checks.contains { $0["check"] == "remote" && $0["outcome"] == "warning" })
    #expect(await author.run("airports", "add", "HEL", "EFHK").status == 0)
    try await expectFailure(author, 77, "remote.denied")
    #expect(await author.run("sync", "--json").failure["hint"]?.string?.contains("mount") == true)
    #expect(await author.run("doctor").output.contains("Read-only file system"))
    #expect(try Mounts.remount(place, isReadOnly: false))
    #expect(await author.run("sync").status == 0)
  }

  @Test(.enabled(if: Mounts.areAllowed), arguments: ["file", "sqlite"])
  func `a full medium`(_ kind: String) async throws {
    #expect(try Mounts.mount(base.path, "size=512k"))
    defer { Mounts.unmount(base.path) }
    await setUp(kind)
    #expect(await reader.run("sync").status == 0)
    #expect(await author.run("airports", "add", "HEL", "EFHK").status == 0)
    _ = try? ChildProcess.run(
      ["dd", "if=/dev/zero", "of=\(base.path)/ballast", "bs=1k"], hidesErrors: true)
    try await expectFailure(author, 74, "remote.disk-full", leavesAlone: kind == "file")
    // A device with nothing to send learns of it, and why.
    #expect(await reader.run("sync").status == 0)
    let test = await reader.run("remote", "test", "r")
    #expect(test.status == 0 && test.output.contains("full"), "\(test.output)")
    #expect(test.error.contains("No space left"), "\(test.error)")
    unlink("\(base.path)/ballast")
    #expect(await author.run("sync").status == 0)
    try await expectGood(author)
  }

  @Test func `a remote whose quota is used up`() async throws {
    await setUp()
    #expect(await author.run("config", "set", "remotes.r.quota.keys", "1").status == 0)
    try await expectGood(author)
    #expect(await author.run("airports", "add", "HEL", "EFHK").status == 0)
    try await expectFailure(author, 73, "remote.quota")
  }

  // MARK: Places that are another's

  @Test func `a marker of another vault`() async throws {
    await setUp()
    let marker = try #require(
      try LocalFolder.names(in: place, ending: "").first { $0.hasPrefix("root-") })
    unlink("\(place)/\(marker)")
    try LocalFile.replace(
      "\(place)/root-aaaaaaaa-0000-4000-8000-00000000000a", with: Array("cloudsync 1\n".utf8))
    try await expectFailure(author, 77, "remote.vault")
  }

  @Test func `a remote without its marker, and one that keeps a domain in another layout`()
    async throws
  {
    await setUp()
    let names = try LocalFolder.names(in: place, ending: "").filter { $0.contains("-") }
    for name in names { try LocalFile.move("\(place)/\(name)", to: "\(base.path)/\(name)") }
    try await expectFailure(author, 77, "remote.marker")
    for name in names { try LocalFile.move("\(base.path)/\(name)", to: "\(place)/\(name)") }
    let layout = try #require(names.first { $0.hasPrefix("layout-") })
    unlink("\(place)/\(layout)")
    try LocalFile.replace(
      "\(place)/layout-airports-document", with: Array("cloudsync 1\n".utf8))
    try await expectFailure(author, 78, "remote.layout")
  }

  @Test func `a remote without a domain is not reported as good untested`() async throws {
    await setUp()
    try LocalFile.move(place, to: place + ".away")
    #expect(await author.run("config", "set", "domains.airports.enabled", "false").status == 0)
    #expect(await author.run("config", "set", "domains.bike.enabled", "true").status == 0)
    let test = await author.run("remote", "test", "r")
    #expect(test.status == 69, "\(test.error)")
    #expect(test.error.contains("no enabled domain"), "\(test.error)")
  }

  // MARK: After a failed sync

  @Test func `the doctor is not content while syncs fail for reasons that a trial does not meet`()
    async throws
  {
    await setUp()
    let rows =
      ["iata,icao"]
      + (0..<90).map { number in
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
        let code = "\(letters[20])\(letters[number / 26])\(letters[number % 26])"
        return "\(code),E\(code)"
      }
    let file = try base.write(rows.joined(separator: "\n") + "\n", to: "rows.csv")
    let imported = await author.run("airports", "import", file)
    #expect(imported.status == 0, "\(imported.error)")
    for machine in [author, reader] { #expect(await machine.run("sync").status == 0) }
    let ids = rows.dropFirst().map { String($0.prefix(3)) }
    #expect(await author.run(["airports", "rm"] + ids).status == 0)
    #expect(await author.run("sync").status == 0)
    // The trial foresees it, with the configured limit.
    for words in [["remote", "test", "r"], ["sync", "--dry-run"]] {
      let foreseen = await reader.run(words + ["--json"])
      #expect(foreseen.status == 77 && foreseen.failure["code"] == "guard.mass-delete", "\(words)")
    }
    #expect(await reader.run("doctor").status == 1)
    #expect(await reader.run("config", "set", "defaults.max-delete", "99%").status == 0)
    #expect(await reader.run("remote", "test", "r").status == 0)
    #expect(await reader.run("config", "set", "defaults.max-delete", "20%").status == 0)
    #expect(await reader.run("sync").status == 77)
    #expect(await reader.run("doctor").status == 1)
    #expect(await reader.run("doctor", "--no-network").status == 1)
    // Sending proves nothing about receiving.
    #expect(await reader.run("sync", "--push-only").status == 0)
    #expect(await reader.run("status", "--check").status == 1)
    #expect(await reader.run("doctor", "--no-network").status == 1)
    let standing = await reader.run("status", "--json").document["domains"]?[0]
    #expect(standing?["state"] == "error")
    #expect(standing?["remotes"]?[0]?["error"]?["code"] == "guard.mass-delete")
    #expect(await reader.run("sync", "--allow-mass-delete").status == 0)
    #expect(await reader.run("doctor").status == 0)
  }

  @Test func `a failure that is over is a warning until the next sync`() async throws {
    await setUp()
    try LocalFile.move(place, to: place + ".away")
    #expect(await author.run("sync").status == 69)
    #expect(await author.run("doctor").status == 1)
    #expect(await author.run("doctor", "--no-network").status == 1)
    try LocalFile.move(place + ".away", to: place)
    let doctor = await author.run("doctor", "--json")
    #expect(doctor.status == 0)
    let sync = (doctor.document["checks"]?.array ?? []).filter { $0["check"] == "sync" }
    #expect(sync.count == 1 && sync[0]["outcome"] == "warning")
    #expect(sync.first?["message"]?.string?.contains("would work now") == true)
  }

  @Test func `one problem of several domains with a remote is one finding, with its cause`()
    async throws
  {
    await setUp(domains: "airports,bike,media")
    try LocalFile.move(place, to: place + ".away")
    #expect(await author.run("sync").status == 69)
    let doctor = await author.run("doctor", "--json").document["checks"]?.array ?? []
    let broken = doctor.filter { $0["outcome"] == "error" }
    #expect(broken.count == 1 && broken.first?["check"] == "remote", "\(broken)")
    #expect(broken.first?["message"]?.string?.contains("No such file") == true)
    let unasked =
      await author.run("doctor", "--no-network", "--json").document["checks"]?.array ?? []
    let failed = unasked.filter { $0["outcome"] == "error" }
    #expect(failed.count == 1 && failed.first?["check"] == "sync", "\(failed)")
    #expect(failed.first?["message"]?.string?.contains("airports, media, bike with r") == true)
  }

  @Test func `a quiet doctor prints only its findings`() async throws {
    await setUp()
    let well = await author.run("doctor", "--quiet")
    #expect(well.status == 0 && well.output.isEmpty && well.error.isEmpty, "\(well.output)")
    #expect(await author.run("doctor").output.contains("ok"))
    try LocalFile.move(place, to: place + ".away")
    let broken = await author.run("doctor", "--quiet")
    #expect(broken.status == 1)
    #expect(broken.output.contains("error") && !broken.output.contains("ok "), "\(broken.output)")
    let plain = await author.run("doctor", "--quiet", "--plain")
    #expect(plain.output.split(separator: "\n").count == 1, "\(plain.output)")
    let all = await author.run("doctor", "--quiet", "--json").document["checks"]?.array ?? []
    #expect(all.contains { $0["outcome"] == "ok" })
  }

  // MARK: One of several

  @Test func `one failing remote says nothing about the other`() async throws {
    await setUp()
    let added = await author.run(
      "remote", "add", "--unencrypted", "s", "sqlite:\(base.path)/shared.sqlite")
    #expect(added.status == 0, "\(added.error)")
    #expect(await author.run("airports", "add", "HEL", "EFHK").status == 0)
    try LocalFile.move(place, to: place + ".away")
    let sync = await author.run("sync", "--json")
    #expect(sync.status == 69)
    let jobs = sync.document["jobs"]?.array ?? []
    let results = Dictionary(
      uniqueKeysWithValues: jobs.map { ($0["remote"]?.string ?? "", $0) })
    #expect(results["r"]?["result"] == "failed" && results["r"]?["pushed"] == 0)
    #expect(results["s"]?["result"] == "ok" && results["s"]?["pushed"] == 2)
  }
}
