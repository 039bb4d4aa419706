import SyncKitFormats
import Testing

/// The history, and undo.
struct RecordsHistoryTests {
  @Test func `batches are listed with their changes, newest first`() async throws {
    let device = try TestDevice()
    try await device.run("airports", "add", "ABC", "KABC")
    try await device.run("airports", "add", "ABC", "LEAB")
    try await device.run("airports", "rm", "ABC")
    try await device.run("airports", "restore", "ABC")
    let history = try await device.json("history", "list")
    expectKeys(history, "cloudsync.history/1", "batches", "since")
    let batches = history["batches"]?.array ?? []
    let ops = batches.map { $0["changes"]?[0]?["op"]?.string }
    #expect(ops == ["restore", "delete", "set", "create"])
    for batch in batches {
      for key in ["id", "at", "device", "domain", "changes"] { #expect(batch[key] != nil) }
      #expect(batch["domain"]?.string == "airports")
      #expect(Timestamp.parse(batch["at"]?.string ?? "") != nil)
      for key in ["op", "record", "field", "from", "to"] {
        #expect(batch["changes"]?[0]?[key] != nil)
      }
    }
    let set = try #require(batches[2]["changes"]?[0])
    #expect(set["record"]?.string == "mapping/ABC" && set["field"]?.string == "code")
    #expect(set["from"]?["icao"]?.string == "KABC" && set["to"]?["icao"]?.string == "LEAB")
    #expect(batches[1]["changes"]?[0]?["field"] == .null)
    #expect(try await device.json("history") == history)
    #expect(try await device.json("airports", "history") == history)
  }

  @Test func `filters narrow the list`() async throws {
    let device = try TestDevice()
    for pair in [["ABC", "LEAB"], ["JFK", "KJFK"], ["LHR", "EGLL"]] {
      try await device.run(["airports", "add"] + pair)
    }
    func count(_ arguments: String...) async throws -> Int {
      let outcome = try await device.run(["history", "list", "--json"] + arguments)
      try #require(outcome.status == 0, "\(outcome.error)")
      return outcome.document["batches"]?.array?.count ?? -1
    }
    #expect(try await count() == 3)
    #expect(try await count("--limit", "2") == 2)
    #expect(try await count("--limit", "0") == 3)
    #expect(try await count("--record", "mapping/jfk") == 1)
    #expect(try await count("--record", "JFK") == 1)
    #expect(try await count("--record", "unknown/JFK") == 0)
    #expect(try await count("--since", "1h") == 3)
    #expect(try await count("--since", "2999-01-01") == 0)
    #expect(try await count("--device", "nobody") == 0)
    #expect(try await count("--domain", "airports") == 3)
    #expect(try await device.run("history", "list", "--limit", "-1").status == 64)
    #expect(try await device.run("history", "list", "--since", "later").status == 64)
    expectFailure(
      try await device.run("history", "list", "--domain", "airport", "--json"), 64, "usage")
  }

  @Test func `the start of an id is enough`() async throws {
    let device = try TestDevice()
    let added = try await device.json("airports", "add", "JFK", "KJFK")
    let id = try #require(added["batch"]?.string)
    for text in [id, String(id.prefix(5)), id.uppercased()] {
      let shown = try await device.json("history", "show", text)
      expectKeys(shown, "cloudsync.history/1", "since")
      #expect(shown["batches"]?[0]?["id"]?.string == id)
      #expect(shown["batches"]?.array?.count == 1)
    }
    for text in ["zzzzzzzz", "", "aaaaaaaaaaaaaaaa", "%"] {
      expectFailure(
        try await device.run("history", "show", text, "--json"), 66, "record.not-found")
      expectFailure(try await device.run("undo", text, "--json"), 66, "record.not-found")
    }
  }

  @Test func `a batch is undone, and so is the undo`() async throws {
    let device = try TestDevice()
    try await device.run("airports", "add", "ABC", "KABC")
    let second = try await device.json("airports", "add", "ABC", "LEAB")
    let undone = try await device.json("undo", second["batch"]?.string ?? "")
    expectKeys(undone, "cloudsync.undo/1", "batch", "warnings", "errors")
    #expect(undone.counts == [0, 1, 0, 0])
    #expect(try await device.codes() == ["ABC": "KABC"])
    #expect(try await device.run("undo", undone["batch"]?.string ?? "").status == 0)
    #expect(try await device.codes() == ["ABC": "LEAB"])
  }

  @Test func `later edits are kept and listed`() async throws {
    let device = try TestDevice()
    let text = #"{"ABC":"KABC","JFK":"KJFK"}"#
    let imported = try await device.json("airports", "import", "-", input: text)
    try await device.run("airports", "add", "ABC", "LEAB")
    let outcome = try await device.run("undo", imported["batch"]?.string ?? "", "--json")
    expectFailure(outcome, 3, "records.partial")
    #expect(outcome.document.counts == [0, 0, 1, 0])
    let message = outcome.document["errors"]?[0]?["message"]?.string
    #expect(message?.contains("mapping/ABC") == true)
    #expect(try await device.codes() == ["ABC": "LEAB"])
  }
}
