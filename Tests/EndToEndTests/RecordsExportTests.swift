import SyncKitFormats
import Testing

/// Writing records to files.
struct RecordsExportTests {
  private func filled() async throws -> TestDevice {
    let device = try TestDevice()
    try await device.run("airports", "add", "JFK", "KJFK")
    try await device.run("airports", "learn", "LHR", "EGLL", "--at", "51.47,-0.46")
    return device
  }

  @Test func `the app's map goes to standard output`() async throws {
    let device = try await filled()
    let outcome = try await device.run("airports", "export")
    #expect(outcome.status == 0)
    #expect(outcome.document == ["JFK": "KJFK", "LHR": "EGLL"])
    #expect(try await device.run("airports", "export", "-").output == outcome.output)
    let csv = try await device.run("airports", "export", "-", "--format", "csv").lines
    #expect(csv.count == 3 && csv[0].hasPrefix("iata,icao,source"))
  }

  @Test(arguments: ["codes.json", "codes.csv", "codes.records"])
  func `a file is whole, private, and can be read back`(name: String) async throws {
    let device = try await filled()
    let path = device.path(name)
    let exported = try await device.json("airports", "export", path)
    expectKeys(exported, "cloudsync.airports.export/1", "file", "format", "count")
    #expect(exported["count"] == 2)
    #expect(Files.mode(path) == 0o600)
    #expect(Files.names(in: device.home).filter { $0.hasSuffix(".tmp") }.isEmpty)
    let other = try TestDevice()
    let format = name.hasSuffix("csv") ? "csv" : "json"
    let imported = try await other.json("airports", "import", path, "--format", format)
    #expect(imported.counts == [2, 0, 0, 0])
    #expect(try await other.codes() == device.codes())
    guard !name.hasSuffix("json") else { return }
    let fields = try await other.json("airports", "show", "LHR")["fields"]
    #expect(fields?["source"]?.string == "learned")
    #expect(fields?["verifiedByCoordinates"]?.bool == true)
  }

  @Test func `a file is replaced, and an unwritable path is an error`() async throws {
    let device = try await filled()
    let path = device.path("codes.json")
    try Files.write(Array("old".utf8), to: path)
    #expect(try await device.run("airports", "export", path).status == 0)
    #expect(try JSON(parsing: Files.text(path))["JFK"]?.string == "KJFK")
    let outcome = try await device.run(
      "airports", "export", device.path("none/codes.json"), "--json")
    #expect(outcome.status == 74)
    expectFailure(
      try await device.run("airports", "export", "-", "--format", "xml", "--json"), 64, "usage")
  }

  @Test func `a document has a schema`() async throws {
    let device = try await filled()
    let document = try await device.json("airports", "export")
    expectKeys(document, "cloudsync.airports.list/1", "records")
    #expect(document["records"]?.array?.count == 2)
  }
}
