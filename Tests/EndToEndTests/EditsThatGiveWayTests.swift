import SyncKitFormats
import Testing

/// Two devices write the same code, and one of them publishes later: its edit is overridden and kept.
struct EditsThatGiveWayTests {
  private static let id = "airports/mapping/ABC/code"

  /// The first device has published its code; the second has not.
  private func disagreeing() async throws -> TwoDevices {
    let two = try await TwoDevices()
    try await two.first.run("airports", "add", "ABC", "LEAB")
    try await two.sync()
    try await two.first.run("airports", "add", "ABC", "KABC")
    try await two.second.run("airports", "add", "ABC", "MABC")
    try await two.first.run("sync")
    return two
  }

  @Test func `it is reported once on standard error, and the run succeeds`() async throws {
    let two = try await disagreeing()
    let run = try await two.second.run("sync")
    #expect(run.status == 0 && run.output.isEmpty)
    #expect(
      run.error == """
        cloudsync: airports: 1 of your edits was overridden by other devices; \
        'cloudsync conflicts list' shows both values

        """)
    let again = try await two.second.run("sync")
    #expect(again.status == 0 && again.output.isEmpty && again.error.isEmpty)
  }

  @Test func `a quiet run prints nothing, and the documents count it`() async throws {
    let two = try await disagreeing()
    let quiet = try await two.second.run("sync", "-q")
    #expect(quiet.status == 0 && quiet.output.isEmpty && quiet.error.isEmpty)
    let log = try await two.second.json("log")
    let entry = log["entries"]?.array?.first { $0["yielded"]?.int == 1 }
    #expect(entry?["merges"]?[0]?["gaveWay"]?.bool == true)
    #expect(entry?["merges"]?[0]?["local"]?["icao"]?.string == "MABC")
    let text = try await two.second.run("log").output
    #expect(text.contains("overridden") && text.contains("MABC") && text.contains("KABC"))
    let status = try await two.second.json("status")
    let airports = status["domains"]?.array?.first { $0["name"]?.string == "airports" }
    #expect(airports?["conflicts"]?.int == 1 && airports?["decisions"]?.int == 0)
  }

  @Test func `it stands beside the other as a settled conflict on both devices`() async throws {
    let two = try await disagreeing()
    try await two.sync()
    for device in [two.first, two.second] {
      #expect(try await device.codes() == ["ABC": "KABC"])
      let conflict = try #require(try await device.json("conflicts")["conflicts"]?[0])
      #expect(conflict["id"]?.string == Self.id && conflict["decision"]?.string == "settled")
      #expect(conflict["shown"]?["icao"]?.string == "KABC")
      let values = conflict["values"]?.array ?? []
      #expect(values.map { $0["value"]?["icao"]?.string } == ["MABC", "KABC"])
      #expect(values.map { $0["gaveWay"]?.bool } == [true, false])
      #expect(values.map { $0["device"]?.string } == ["phone", "laptop"])
      let shown = try await device.json("airports", "show", "ABC")
      #expect(shown["device"]?["name"]?.string == "laptop")
      let batches = try await device.json("history", "list")["batches"]?.array ?? []
      let overridden = batches.flatMap { $0["changes"]?.array ?? [] }
        .filter { $0["op"]?.string == "yielded" }
      #expect(overridden.map { $0["to"]?["icao"]?.string } == ["MABC"])
      let text = try await device.run("history", "list").output
      // Of the group only the changed members.
      #expect(text.contains("overridden on mapping/ABC (icao=MABC)\n"), "\(text)")
    }
    #expect(try await two.first.digest() == two.second.digest())
  }

  @Test func `its author brings it back with a decision`() async throws {
    let two = try await disagreeing()
    try await two.sync()
    #expect(try await two.second.run("conflicts", "resolve", Self.id, "--mine").status == 0)
    try await two.sync()
    for device in [two.first, two.second] {
      #expect(try await device.codes() == ["ABC": "MABC"])
      #expect(try await device.json("conflicts")["conflicts"] == [])
    }
  }

  @Test(arguments: [("set", "MABC"), ("yielded", "KABC")])
  func `undo removes either of the two edits, and the other shows`(
    op: String, left: String
  ) async throws {
    let two = try await disagreeing()
    try await two.sync()
    let batches = try await two.first.json("history", "list")["batches"]?.array ?? []
    let batch = batches.first { batch in
      batch["changes"]?.array?.contains { $0["op"]?.string == op } == true
    }
    let id = try #require(batch?["id"]?.string)
    let plan = try await two.first.json("undo", id, "-n")
    #expect(plan["plan"]?[0]?["to"]?["icao"]?.string == left)
    #expect(try await two.first.run("undo", id).status == 0)
    try await two.sync()
    for device in [two.first, two.second] {
      #expect(try await device.codes() == ["ABC": left])
      #expect(try await device.json("conflicts")["conflicts"] == [])
    }
  }

  @Test func `a code that its author has deleted is not shown in place of one just typed`()
    async throws
  {
    for published in [false, true] {
      let two = try await TwoDevices()
      if published {
        try await two.first.run("airports", "add", "ABC", "LEAB")
        try await two.sync()
        try await two.second.run("airports", "rm", "ABC")
        try await two.second.run("airports", "add", "ABC", "KABC")
      } else {
        try await two.second.run("airports", "add", "ABC", "KABC")
        try await two.second.run("sync")
      }
      try await two.second.run("airports", "rm", "ABC")
      try await two.second.run("sync")
      try await two.first.run("airports", "add", "ABC", "MABC")
      try await two.sync()
      for device in [two.first, two.second] {
        #expect(try await device.codes() == ["ABC": "MABC"], "published: \(published)")
        #expect(try await device.json("conflicts")["conflicts"] == [])
      }
    }
  }

  @Test func `an overridden edit covers the code that its author had published before`()
    async throws
  {
    let two = try await TwoDevices()
    try await two.first.run("airports", "add", "ABC", "LEAB")
    try await two.sync()
    try await two.second.run("airports", "add", "ABC", "KABC")
    try await two.first.run("airports", "add", "ABC", "OABC")
    try await two.second.run("sync", "--push-only")
    try await two.first.run("sync", "--push-only")
    try await two.first.run("airports", "add", "ABC", "MABC")
    try await two.sync()
    for device in [two.first, two.second] {
      #expect(try await device.codes() == ["ABC": "KABC"])
      let values = try await device.json("conflicts")["conflicts"]?[0]?["values"]?.array ?? []
      #expect(Set(values.map { $0["value"]?["icao"]?.string }) == ["KABC", "MABC"])
    }
  }
}
