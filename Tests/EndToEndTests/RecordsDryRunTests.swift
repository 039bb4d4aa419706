import SyncKitFormats
import Testing

/// Dry runs show the plan of a command.
struct RecordsDryRunTests {
  @Test func `no dry run writes, and each shows its plan`() async throws {
    let device = try TestDevice()
    let added = try await device.json("airports", "add", "ABC", "KABC")
    try await device.run("airports", "add", "LHR", "EGLL")
    try await device.run("airports", "rm", "LHR")
    let digest = try await device.digest()
    let history = try await device.json("history", "list")
    let runs: [(arguments: [String], counts: [Int64], op: String)] = [
      (["airports", "add", "JFK", "KJFK"], [1, 0, 0, 0], "create"),
      (["airports", "add", "ABC", "LEAB"], [0, 1, 0, 0], "set"),
      (["airports", "set", "ABC", "source=verified"], [0, 1, 0, 0], "set"),
      (["airports", "rm", "ABC"], [0, 0, 1, 0], "delete"),
      (["airports", "restore", "LHR"], [1, 0, 0, 0], "restore"),
      (["airports", "learn", "JFK", "KJFK"], [1, 0, 0, 0], "create"),
      (["airports", "import", "-"], [1, 0, 0, 0], "create"),
      (["undo", added["batch"]?.string ?? ""], [0, 0, 1, 0], "delete"),
      (["restore", "airports", "LHR"], [1, 0, 0, 0], "restore"),
    ]
    for run in runs {
      let outcome = try await device.run(
        run.arguments + ["--dry-run", "--json"], input: #"{"JFK":"KJFK"}"#)
      try #require(outcome.status == 0, "\(run.arguments): \(outcome.error)")
      #expect(outcome.document["batch"] == .null)
      #expect(outcome.document.counts == run.counts, "\(run.arguments)")
      #expect(outcome.document["plan"]?[0]?["op"]?.string == run.op, "\(run.arguments)")
    }
    #expect(try await device.digest() == digest)
    #expect(try await device.json("history", "list") == history)
  }

  @Test func `a dry run that would fail fails`() async throws {
    let device = try TestDevice()
    for arguments in [["add", "LON", "EGLL"], ["set", "JFK", "icao=KJFK"], ["rm", "JFK"]] {
      let outcome = try await device.run(["airports"] + arguments + ["-n", "--json"])
      #expect([65, 66].contains(outcome.status))
      #expect(outcome.document["plan"] == [])
    }
  }

  @Test func `a person sees the plan as a table`() async throws {
    let device = try TestDevice()
    let outcome = try await device.run("airports", "add", "ABC", "LEAB", "-n")
    #expect(outcome.lines.first?.hasPrefix("op") == true)
    #expect(outcome.output.contains("LEAB"))
    #expect(outcome.error.contains("would be: 1 added"))
  }
}
