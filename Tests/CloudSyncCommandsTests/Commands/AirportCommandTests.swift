import LocalMachine
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
    ("airports.used", ["used"]), ("airports.check", ["check"]),
    ("write", ["reject", "PRS", "KPRS"]),
    ("write", ["reject", "LHR", "-n"]), ("airports.community", ["export", "--community"]),
  ])
  func `the output keeps to its schema`(name: String, words: [String]) async throws {
    let machine = try TestMachine()
    let outcome = await machine.run(["airports"] + words + ["--json"])
    #expect(outcome.status == 0, "\(outcome.error)")
    let problems = try Schemas.problems(in: outcome.document, by: name)
    #expect(problems.isEmpty, "\(problems)")
  }

  @Test func `what contradicts the reference comes before what it does not know`() async throws {
    let machine = try TestMachine()
    for pair in [["ABD", "KJFK"], ["JFK", "KJFK"], ["XYZ", "KXYZ"], ["FRA", "EDDM"]] {
      #expect(await machine.run(["airports", "add"] + pair).status == 0)
    }
    let outcome = await machine.run("airports", "check", "--json")
    #expect(outcome.status == 0)
    let problems = try Schemas.problems(in: outcome.document, by: "airports.check")
    #expect(problems.isEmpty, "\(problems)")
    let doubts = outcome.document["doubts"]?.array ?? []
    #expect(doubts.compactMap { $0["iata"]?.string } == ["ABD", "FRA", "XYZ"])
    #expect(
      doubts.compactMap { $0["verdict"]?.string } == ["contradicts", "contradicts", "unknown"])
    #expect(outcome.document["checked"] == 4)
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

  @Test func `a city's code in a roster is answered with its airports`() async throws {
    let machine = try TestMachine()
    let path = machine.home.path + "/roster.txt"
    try LocalFile.replace(path, with: Array("JFK-NYC TYO".utf8))
    let outcome = await machine.run("airports", "resolve", path)
    #expect(outcome.status == 3)
    #expect(outcome.error.contains("NYC (EWR, HPN, ISP, JFK, LGA, NYS, SWF), TYO (HND, NRT, OKO)"))
    #expect(!outcome.error.contains("airports add"))
    try LocalFile.replace(path, with: Array("NYC XYZ".utf8))
    let mixed = await machine.run("airports", "resolve", path)
    #expect(mixed.error.contains("in place of the code of a city: NYC (EWR,"))
    #expect(mixed.error.contains("'cloudsync airports add IATA ICAO' adds a mapping"))
  }

  @Test(
    arguments: [
      (["GVA"], 1), (["gva"], 1), (["LSGG"], 1), (["lima"], 1), (["DXB"], 1), (["NYC"], 7),
    ] as [([String], Int)])
  func `a code is answered with its airport alone`(words: [String], count: Int) async throws {
    let machine = try TestMachine()
    let outcome = await machine.run(["airports", "lookup", "--json"] + words)
    #expect(outcome.status == 0)
    #expect(outcome.document["matches"]?.array?.count == count)
  }

  @Test func `a word that is a code is found as a name too if that is meant`() async throws {
    let outcome = await (try TestMachine()).run("airports", "lookup", "lima", "--name", "--json")
    let codes = outcome.document["matches"]?.array?.map { $0["iata"]?.string } ?? []
    #expect(codes.contains("LIM") && codes.count > 1)
  }
}
