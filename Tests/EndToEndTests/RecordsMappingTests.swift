import SyncKitFormats
import Testing

/// Mapping a code by hand: accepted, accepted with a warning, and refused.
struct RecordsMappingTests {
  @Test func `a pair is written once, and writing it again changes nothing`() async throws {
    let device = try TestDevice()
    let first = try await device.json("airports", "add", "JFK", "KJFK")
    expectKeys(first, "cloudsync.airports.add/1", "warnings", "errors")
    #expect(first["batch"]?.string?.count == 16)
    #expect(first.counts == [1, 0, 0, 0])
    let again = try await device.json("airports", "add", " jfk ", "kjfk")
    #expect(again["batch"] == .null)
    #expect(again.counts == [0, 0, 0, 1])
    #expect(try await device.codes() == ["JFK": "KJFK"])
  }

  @Test func `another code replaces the former one`() async throws {
    let device = try TestDevice()
    try await device.run("airports", "add", "ABC", "KABC")
    #expect(try await device.json("airports", "add", "ABC", "LEAB").counts == [0, 1, 0, 0])
    #expect(try await device.codes() == ["ABC": "LEAB"])
  }

  @Test(arguments: [
    ["JF", "KJFK"], ["JFKX", "KJFK"], ["J1K", "KJFK"], ["JFK", "KJF"], ["JFK", "IABC"],
    ["JFK", "JABC"], ["JFK", "QABC"], ["JFK", "1ABC"], ["JFK", "KJF\u{212A}"], ["LON", "EGLL"],
    ["", ""],
  ])
  func `an invalid code, and the code of a city, is refused`(pair: [String]) async throws {
    let device = try TestDevice()
    let outcome = try await device.run(["airports", "add"] + pair + ["--json"])
    expectFailure(outcome, 65, "input.invalid")
    #expect(outcome.document["batch"] == .null)
    #expect(outcome.document["errors"]?.array?.count == 1)
    #expect(try await device.codes().isEmpty)
  }

  @Test(arguments: [["ABC", "KABC"], ["XYZ", "KXYZ"]])
  func `a doubtful pair is accepted with a warning, except with --strict`(
    pair: [String]
  ) async throws {
    let device = try TestDevice()
    expectFailure(
      try await device.run(["airports", "add"] + pair + ["--strict", "--json"]), 65,
      "input.invalid")
    expectFailure(
      try await device.run(["airports", "learn"] + pair + ["--json"]), 65, "input.invalid")
    #expect(try await device.codes().isEmpty)
    let outcome = try await device.run(["airports", "add"] + pair + ["--json"])
    #expect(outcome.status == 0 && outcome.error.isEmpty)
    #expect(outcome.document["warnings"]?.array?.count == 1)
    #expect(try await device.codes() == [pair[0]: pair[1]])
  }

  @Test func `a person reads warnings on standard error`() async throws {
    let device = try TestDevice()
    let outcome = try await device.run("airports", "add", "ABC", "KABC")
    #expect(outcome.status == 0 && outcome.output.isEmpty)
    #expect(outcome.error.contains("warning: ") && outcome.error.contains("LEAB"))
    #expect(try await device.run("airports", "add", "ABC", "LEAB", "-q").error.isEmpty)
  }

  @Test func `learning takes codes that the reference confirms, never over a person's`()
    async throws
  {
    let device = try TestDevice()
    let learned = try await device.json("airports", "learn", "LHR", "EGLL", "--at", "51.47,-0.46")
    #expect(learned.counts == [1, 0, 0, 0])
    let fields = try await device.json("airports", "show", "LHR")["fields"]
    #expect(fields?["source"]?.string == "learned")
    #expect(fields?["learnedAutomatically"]?.bool == true)
    #expect(fields?["verifiedByCoordinates"]?.bool == true)
    try await device.run("airports", "add", "ABC", "KABC")
    expectFailure(
      try await device.run("airports", "learn", "ABC", "LEAB", "--json"), 65, "input.invalid")
    expectFailure(
      try await device.run("airports", "learn", "JFK", "KJFK", "--at", "0,51", "--json"), 65,
      "input.invalid")
    #expect(try await device.run("airports", "learn", "JFK", "KJFK", "--at", "x").status == 64)
  }

  @Test func `fields are parsed by their type`() async throws {
    let device = try TestDevice()
    try await device.run("airports", "add", "JFK", "KJFK")
    let set = try await device.json(
      "airports", "set", "jfk", "source=verified", "verifiedByCoordinates=true",
      "lastUsed=2026-01-02")
    expectKeys(set, "cloudsync.airports.set/1", "batch")
    #expect(set.counts == [0, 1, 0, 0])
    let fields = try await device.json("airports", "show", "JFK")["fields"]
    #expect(fields?["source"]?.string == "verified")
    #expect(fields?["verifiedByCoordinates"]?.bool == true)
    #expect(fields?["lastUsed"]?.string == "2026-01-02T00:00:00.000Z")
    let same = try await device.json("airports", "set", "JFK", "source=verified")
    #expect(same.counts == [0, 0, 0, 1])
    #expect(same["batch"] == .null)
  }

  @Test func `an unknown field is usage, a value of another type is bad data`() async throws {
    let device = try TestDevice()
    try await device.run("airports", "add", "JFK", "KJFK")
    let unknown = try await device.run("airports", "set", "JFK", "sorce=manual", "--json")
    expectFailure(unknown, 64, "usage")
    #expect(unknown.failure["hint"]?.string == "did you mean 'source'?")
    for field in ["verifiedByCoordinates=perhaps", "lastUsed=soon", "icao=IJFK", "source=rumour"] {
      expectFailure(
        try await device.run("airports", "set", "JFK", field, "--json"), 65, "input.invalid")
    }
    expectFailure(
      try await device.run("airports", "set", "XYZ", "icao=KXYZ", "--json"), 66, "record.not-found")
    expectFailure(try await device.run("airports", "set", "JFK", "icao", "--json"), 64, "usage")
  }
}
