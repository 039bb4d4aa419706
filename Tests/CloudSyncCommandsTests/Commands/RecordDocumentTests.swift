import Formats
import Testing

@testable import CloudSyncCommands

/// What commands on records print keeps to the schemas that are shipped.
struct RecordDocumentTests {
  @Test func `every document keeps to its schema`() async throws {
    let machine = try TestMachine()
    _ = await machine.run("airports", "add", "ABC", "KABC", "-q")
    _ = await machine.run("airports", "add", "JFK", "KJFK", "-q")
    _ = await machine.run("airports", "rm", "JFK", "-q")
    let documents: [(schema: String, arguments: [String])] = [
      ("airports.list", ["airports", "list", "--deleted"]),
      ("airports.list", ["airports", "export"]),
      ("airports.show", ["airports", "show", "ABC"]),
      ("airports.stats", ["airports", "stats"]),
      ("airports.lookup", ["airports", "lookup", "ABC"]),
      ("airports.lookup", ["airports", "lookup", "paris"]),
      ("airports.export", ["airports", "export", "\(machine.home.path)/codes.json"]),
      ("history", ["history"]), ("history", ["airports", "history", "--since", "1d"]),
      ("conflicts", ["conflicts"]), ("conflicts", ["airports", "conflicts"]),
      ("write", ["airports", "add", "LHR", "EGLL"]),
      ("write", ["airports", "add", "XYZ", "KXYZ", "--dry-run"]),
      ("write", ["airports", "set", "ABC", "icao=LEAB"]),
      ("write", ["airports", "learn", "LGW", "EGKK"]),
      ("write", ["airports", "restore", "JFK", "-n"]),
      ("write", ["restore", "airports", "JFK"]), ("write", ["airports", "rm", "JFK"]),
      ("write", ["airports", "import", "-"]),
    ]
    for (schema, arguments) in documents {
      var machine = machine
      machine.input = "{}"
      let outcome = await machine.run(arguments + ["--json"])
      #expect(outcome.status == 0, "\(arguments): \(outcome.error)")
      let problems = try Schemas.problems(in: outcome.document, by: schema)
      #expect(problems.isEmpty, "\(arguments): \(problems)")
    }
  }

  @Test func `a failing run prints a document and an error, both to their schemas`() async throws {
    var machine = try TestMachine()
    machine.input = #"{"XX":"KABC","JFK":"KJFK"}"#
    let failing = [["add", "LON", "EGLL"], ["rm", "JFK"], ["import", "-"], ["import", "none"]]
    for arguments in failing {
      let outcome = await machine.run(["airports"] + arguments + ["--json"])
      #expect(outcome.status == 65 || outcome.status == 66)
      #expect(try Schemas.problems(in: outcome.document, by: "write").isEmpty)
      #expect(try Schemas.problems(in: outcome.failure, by: "error").isEmpty)
    }
  }
}
