import Formats
import Testing

/// Reading records from files.
struct RecordsImportTests {
  private static let bad = #"{"JFK":"KJFK","XX":"KABC","LHR":"EGLL","LON":"EGLL"}"#

  @Test func `a file is read in any of its formats`() async throws {
    let device = try TestDevice()
    try Files.write(Array(#"{"JFK":"KJFK","lhr":"egll"}"#.utf8), to: device.path("codes.json"))
    let first = try await device.json("airports", "import", device.path("codes.json"))
    expectKeys(first, "cloudsync.airports.import/1", "batch", "warnings", "errors")
    #expect(first.counts == [2, 0, 0, 0])
    let csv = try await device.json(
      "airports", "import", "-", "--format", "csv", input: "iata,icao\nABC,LEAB\nJFK,KJFK\n")
    #expect(csv.counts == [1, 0, 0, 1])
    #expect(try await device.codes() == ["ABC": "LEAB", "JFK": "KJFK", "LHR": "EGLL"])
    let again = try await device.json("airports", "import", device.path("codes.json"))
    #expect(again["batch"] == .null)
    #expect(again.counts == [0, 0, 0, 2])
  }

  @Test func `one bad row and nothing is written, and all bad rows are listed`() async throws {
    let device = try TestDevice()
    let outcome = try await device.run("airports", "import", "-", "--json", input: Self.bad)
    expectFailure(outcome, 65, "input.invalid")
    #expect(outcome.failure["safe"]?.bool == true)
    let errors = outcome.document["errors"]?.array ?? []
    #expect(errors.map { $0["row"]?.int } == [2, 4])
    #expect(errors.allSatisfy { $0["column"] != nil && $0["message"] != nil })
    #expect(outcome.document["batch"] == .null)
    #expect(try await device.codes().isEmpty)
    let text = try await device.run("airports", "import", "-", input: Self.bad)
    #expect(text.output.contains("XX") && text.output.contains("LON"))
    #expect(text.error.contains("2 bad rows"))
  }

  @Test func `bad rows can be left out`() async throws {
    let device = try TestDevice()
    let outcome = try await device.run(
      "airports", "import", "-", "--skip-bad", "--json", input: Self.bad)
    expectFailure(outcome, 3, "records.partial")
    #expect(outcome.document.counts == [2, 0, 0, 0])
    #expect(outcome.document["errors"]?.array?.count == 2)
    #expect(try await device.codes() == ["JFK": "KJFK", "LHR": "EGLL"])
    let good = try await device.run(
      "airports", "import", "-", "--skip-bad", input: #"{"ABC":"LEAB"}"#)
    #expect(good.status == 0)
  }

  @Test(arguments: [
    "", "  \n\t", "\u{FEFF}", "{", "[1]", "7", #"{"JFK":"KJFK","JFK":"KJFK"}"#,
    #"{"JFK":"KJFK","jfk":"KLGA"}"#, #"{"JFK":7}"#, #"{"JFK":null}"#, "iata\nJFK\n", "\u{0}",
    "iata,icao\nJFK\n", "[[[[[[[[",
  ])
  func `what cannot be read is bad data, and nothing is written`(text: String) async throws {
    let device = try TestDevice()
    let outcome = try await device.run("airports", "import", "-", "--json", input: text)
    expectFailure(outcome, 65, "input.invalid")
    #expect(outcome.document["errors"]?.array?.isEmpty == false)
    #expect(try await device.codes().isEmpty)
  }

  @Test func `an empty object is nothing to do`() async throws {
    let device = try TestDevice()
    let nothing = try await device.json("airports", "import", "-", input: "{}")
    #expect(nothing.counts == [0, 0, 0, 0])
    #expect(nothing["batch"] == .null)
  }

  @Test func `a file that is not there is not found`() async throws {
    let device = try TestDevice()
    expectFailure(
      try await device.run("airports", "import", device.path("none.json"), "--json"), 66,
      "input.missing")
    expectFailure(
      try await device.run("airports", "import", device.home, "--json"), 66, "input.missing")
    expectFailure(
      try await device.run("airports", "import", "-", "--format", "xml", "--json", input: "{}"),
      64, "usage")
  }

  @Test func `an import is one batch, however large, and one undo takes it back`() async throws {
    let device = try TestDevice()
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    var text = "iata,icao\n"
    for first in letters {
      for second in letters { text += "X\(first)\(second),KX\(first)\(second)\n" }
    }
    let imported = try await device.json("airports", "import", "-", "--format", "csv", input: text)
    #expect(imported.counts == [676, 0, 0, 0])
    #expect((imported["warnings"]?.array?.count ?? 0) > 100)
    let batches = try await device.json("history", "list")["batches"]?.array ?? []
    #expect(batches.count == 1 && batches[0]["complete"]?.bool == true)
    let batch = try #require(imported["batch"]?.string)
    #expect(try await device.json("undo", batch).counts == [0, 0, 676, 0])
    #expect(try await device.codes().isEmpty)
  }
}
