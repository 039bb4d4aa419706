import CommandFoundation
import SyncKitFormats
import Testing

@testable import CloudSyncCommands

/// The airports' own commands, as documents.
struct AirportCommandTests {
  @Test(arguments: [
    ("airports.nearest", ["nearest", "51.47,-0.45"]),
    ("airports.nearest", ["nearest", "-33.9,151.2", "--limit", "2", "--all"]),
    ("airports.distance", ["distance", "JFK", "-33.9,-.5"]),
    ("airports.used", ["used"]), ("write", ["reject", "PRS", "KPRS"]),
    ("write", ["reject", "LHR", "-n"]), ("airports.community", ["export", "--community"]),
  ])
  func `the output keeps to its schema`(name: String, words: [String]) async throws {
    let machine = try TestMachine()
    let outcome = await machine.run(["airports"] + words + ["--json"])
    #expect(outcome.status == 0, "\(outcome.error)")
    let problems = try Schemas.problems(in: outcome.document, by: name)
    #expect(problems.isEmpty, "\(problems)")
  }

  @Test func `a partly resolved roster ends with 3 and its document`() async throws {
    let machine = try TestMachine()
    let path = machine.home.path + "/roster.txt"
    try LocalFile.replace(path, with: Array("JFK-XYZ LON".utf8))
    for words in [["--learn"], ["-n"], []] {
      let outcome = await machine.run(["airports", "resolve", path, "--json"] + words)
      #expect(outcome.status == 3)
      let problems = try Schemas.problems(in: outcome.document, by: "airports.resolve")
      #expect(problems.isEmpty, "\(problems)")
      #expect(outcome.document["unresolved"] == ["XYZ", "LON"])
    }
    #expect(await machine.run("airports", "show", "unknown/XYZ").status == 0)
    #expect(await machine.run("airports", "show", "unknown/LON").status == 66)
  }

  @Test(
    arguments: [
      (["resolve", "/nowhere"], 66), (["nearest", "91,0"], 64),
      (["nearest", "1,2", "--limit", "0"], 64),
      (["nearest", "0,-140", "--within", "1"], 66), (["distance", "JFK", "XYZ"], 66),
      (["reject", "XYZ"], 66), (["reject", "LHR", "QQQQ"], 65),
      (["export", "--community", "--format", "csv"], 64),
    ] as [([String], Int32)])
  func `a command that cannot be done has its status`(words: [String], status: Int32) async throws {
    let outcome = await (try TestMachine()).run(["airports"] + words)
    #expect(outcome.status == status, "\(outcome.error)")
  }
}
