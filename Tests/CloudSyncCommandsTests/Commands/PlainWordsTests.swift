import CommandFoundation
import SyncKitFormats
import SyncKit
import Testing

@testable import CloudSyncCommands

/// Text for people counts and writes as they would.
struct PlainWordsTests {
  private static func machine() async throws -> TestMachine {
    let machine = try TestMachine()
    machine.clock.advance(by: 1_800_000_000_000)
    let made = await machine.run(
      "init", "--yes", "--unencrypted", "--remote", "r=file:\(machine.home.path)/remote")
    #expect(made.status == 0, "\(made.error)")
    return machine
  }

  @Test func `a row with two faults is one bad row`() async throws {
    let machine = try await Self.machine()
    let file = try machine.home.write("iata,icao\nZRH,LSZH\nXX,1\n7,X\n", to: "rows.csv")
    let refused = await machine.run("airports", "import", file)
    #expect(refused.status == 65 && refused.error.contains(": 2 bad rows"), "\(refused.error)")
    let rehearsed = await machine.run("airports", "import", file, "--skip-bad", "--dry-run")
    #expect(rehearsed.status == 3)
    #expect(rehearsed.error.contains("2 bad rows would be skipped; 1 added"), "\(rehearsed.error)")
    let taken = await machine.run("airports", "import", file, "--skip-bad")
    #expect(taken.error.contains("2 bad rows were skipped; 1 added"), "\(taken.error)")
    #expect(
      await machine.run("airports", "import", file, "--skip-bad", "--json").document["errors"]?
        .array?.count == 4)
    let one = try machine.home.write("iata,icao\nXX,1\n", to: "one.csv")
    let single = await machine.run("airports", "import", one)
    #expect(single.status == 65 && single.error.contains("row 2: "), "\(single.error)")
  }

  @Test func `times are local for people and complete for programs`() async throws {
    let machine = try await Self.machine()
    #expect(await machine.run("airports", "add", "ZRH", "LSZH").status == 0)
    #expect(await machine.run("sync").status == 0)
    let history = await machine.run("history", "--json").document["batches"]
    let batch = try #require(history?[0]?["id"]?.string)
    let backup = "\(machine.home.path)/b.zip"
    #expect(await machine.run("backup", "create", "--unencrypted", backup).status == 0)
    for words in [
      ["status"], ["history", "show", batch], ["log"], ["device", "list"],
      ["backup", "restore", backup, "--yes"],
    ] {
      let outcome = await machine.run(words)
      #expect(outcome.status == 0, "\(words): \(outcome.error)")
      let text = outcome.output + outcome.error
      #expect(text.firstMatch(of: /\d-\d\dT\d\d:/) == nil, "\(words): \(text)")
    }
    let plain = await machine.run("status", "--plain").output
    #expect(plain.firstMatch(of: /\d-\d\dT\d\d:.*Z/) != nil, "\(plain)")
  }

  @Test func `a log reads like a list and has a limit`() async throws {
    let base = try TemporaryFolder()
    let machines = [try TestMachine(), try TestMachine()]
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    for (machine, first) in zip(machines, ["E", "L"]) {
      machine.clock.advance(by: 1_800_000_000_000)
      let made = await machine.run(
        "init", "--yes", "--unencrypted", "--domains", "airports", "--remote",
        "r=file:\(base.path)/remote")
      #expect(made.status == 0, "\(made.error)")
      let rows = (0..<25).map { "UQ\(letters[$0]),\(first)UQ\(letters[$0])" }
      let text = (["iata,icao"] + rows).joined(separator: "\n")
      let imported = await machine.run(
        "airports", "import", try machine.home.write(text, to: "rows.csv"))
      #expect(imported.status == 0, "\(imported.error)")
      #expect(await machine.run("sync").status == 0)
    }
    let log = await machines[1].run("log")
    #expect(log.output.contains("icao=LUQA") && !log.output.contains("{"), "\(log.output)")
    #expect(log.output.contains("and 5 more"), "\(log.output)")
    let document = await machines[1].run("log", "--json").document
    #expect(document["entries"]?[0]?["merges"]?.array?.count == 25)
  }

  @Test func `a watcher reports overridden edits and counts waiting changes`() throws {
    let machine = try TestMachine()
    var job = SyncRun.Job(domain: "airports", remote: "r")
    (job.report.pushed, job.report.overridden, job.report.waiting) = (1, 2, 3)
    let (words, lines) = (try machine.context(), try machine.context())
    WatchOutput(words, isJSON: false).tell(job)
    let told = words.terminal.error.text
    #expect(told.contains("airports: 2 of your edits were overridden"), "\(told)")
    WatchOutput(lines, isJSON: true).tell(job)
    let event = try JSON(parsing: lines.terminal.output.text)
    #expect(event["overridden"] == 2 && event["waiting"] == 3)
    #expect(try Schemas.problems(in: event, by: "watch").isEmpty)
  }
}
