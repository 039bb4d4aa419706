import SyncKitFormats
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

  @Test func `with one bad row nothing is written, and all bad rows are listed`() async throws {
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

  @Test func `bad rows can be skipped`() async throws {
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

  @Test func `skipping bad rows hides no warning about good ones, contradictions come first`()
    async throws
  {
    let good = [("XAA", "KXAA"), ("XAB", "KXAB"), ("JFK", "KLGA")]
    let table = { (rows: [(String, String)]) in
      "iata,icao\n" + rows.map { "\($0.0),\($0.1)\n" }.joined()
    }
    let clean = try TestDevice()
    let all = try await clean.run(
      "airports", "import", "-", "--format", "csv", input: table(good))
    let mixed = try TestDevice()
    let some = try await mixed.run(
      "airports", "import", "-", "--format", "csv", "--skip-bad",
      input: table(good + [("TOOLONG", "KABC")]))
    #expect(all.status == 0 && some.status == 3)
    let warnings = { (text: String) in
      text.split(separator: "\n").filter { $0.contains("warning: ") }
    }
    #expect(warnings(all.error).count == 3)
    #expect(warnings(all.error) == warnings(some.error))
    #expect(warnings(all.error).first?.contains("JFK") == true)
    let document = try await mixed.run(
      "airports", "import", "-", "--format", "csv", "--skip-bad", "--json",
      input: table(good + [("TOOLONG", "KABC")]))
    #expect(document.document["warnings"]?.array?.count == 3)
    #expect(document.document["warnings"]?[0]?.string?.contains("JFK") == true)
    let quiet = try await clean.run(
      "airports", "import", "-", "--format", "csv", "-q", input: table(good))
    #expect(quiet.error.isEmpty)
  }

  @Test func `a person sees some of many warnings and bad rows and their number, a program all`()
    async throws
  {
    let device = try TestDevice()
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    let good = letters.map { "X\($0)Q,KX\($0)Q\n" }.joined()
    let bad = (0..<30).map { "BAD\($0),KABC\n" }.joined()
    let text = "iata,icao\n" + good + bad
    for extra in [[], ["--dry-run"]] {
      let words = ["airports", "import", "-", "--format", "csv", "--skip-bad"] + extra
      let told = try await device.run(words, input: text)
      #expect(told.status == 3)
      #expect(told.error.contains("and 6 more warnings; --json has all"))
      #expect(told.error.contains("and 10 more errors; --json has all"))
      // The header, and this many rows.
      #expect(told.lines.count == 21)
      let document = try await device.run(words + ["--json"], input: text).document
      #expect(document["errors"]?.array?.count == 30)
      #expect(document["warnings"]?.array?.count == 26)
      let quiet = try await device.run(words + ["-q"], input: text)
      #expect(quiet.status == 3 && quiet.output.isEmpty)
      #expect(!quiet.error.contains("warning") && !quiet.error.contains("more"))
    }
    let refused = try await TestDevice().run(
      "airports", "import", "-", "--format", "csv", input: text)
    #expect(refused.status == 65 && refused.lines.count == 21)
    #expect(refused.error.contains("and 10 more errors; --json has all"))
    let quiet = try await TestDevice().run(
      "airports", "import", "-", "--format", "csv", "-q", input: text)
    #expect(quiet.status == 65 && quiet.output.isEmpty)
    let plain = try await TestDevice().run(
      "airports", "import", "-", "--format", "csv", "--plain", input: text)
    #expect(plain.lines.count == 30)
  }

  @Test(arguments: [
    "", "  \n\t", "\u{FEFF}", "{", "[1]", "7", #"{"JFK":"KJFK","JFK":"KJFK"}"#,
    #"{"JFK":"KJFK","jfk":"KLGA"}"#, #"{"JFK":7}"#, #"{"JFK":null}"#, "iata\nJFK\n", "\u{0}",
    "iata,icao\nJFK\n", "[[[[[[[[",
  ])
  func `an unreadable file is bad data, and nothing is written`(text: String) async throws {
    let device = try TestDevice()
    let outcome = try await device.run("airports", "import", "-", "--json", input: text)
    expectFailure(outcome, 65, "input.invalid")
    #expect(outcome.document["errors"]?.array?.isEmpty == false)
    #expect(try await device.codes().isEmpty)
  }

  @Test func `an empty object changes nothing`() async throws {
    let device = try TestDevice()
    let nothing = try await device.json("airports", "import", "-", input: "{}")
    #expect(nothing.counts == [0, 0, 0, 0])
    #expect(nothing["batch"] == .null)
  }

  @Test func `a missing file is not found, and a folder is no file`() async throws {
    let device = try TestDevice()
    expectFailure(
      try await device.run("airports", "import", device.path("none.json"), "--json"), 66,
      "input.missing")
    expectFailure(
      try await device.run("airports", "import", device.home, "--json"), 65, "input.invalid")
    expectFailure(
      try await device.run("airports", "import", "-", "--format", "xml", "--json", input: "{}"),
      64, "usage")
  }

  @Test func `an import is one batch, however large, and one undo reverts it`() async throws {
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
