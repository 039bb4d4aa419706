import SyncKitFormats
import Testing

/// Looking up a code.
struct RecordsLookupTests {
  @Test func `the reference answers for unmapped codes`() async throws {
    let device = try TestDevice()
    let answer = try await device.json("airports", "lookup", "lhr")
    expectKeys(
      answer, "cloudsync.airports.lookup/1", "code", "iata", "icao", "name", "city", "country",
      "coordinates", "source", "matches")
    #expect(answer["iata"]?.string == "LHR" && answer["icao"]?.string == "EGLL")
    #expect(answer["source"]?.string == "reference")
    #expect(answer["coordinates"]?["latitude"]?.double.map { abs($0 - 51.47) < 0.01 } == true)
    #expect(try await device.json("airports", "lookup", "EGLL")["iata"]?.string == "LHR")
  }

  @Test func `the own mapping comes first`() async throws {
    let device = try TestDevice()
    try await device.run("airports", "add", "ABC", "KABC")
    let answer = try await device.json("airports", "lookup", "ABC")
    #expect(answer["icao"]?.string == "KABC" && answer["source"]?.string == "manual")
    #expect(answer["matches"]?.array?.map { $0["icao"]?.string } == ["KABC", "LEAB"])
    #expect(try await device.json("airports", "lookup", "KABC")["iata"]?.string == "ABC")
  }

  @Test func `names are found too, best first`() async throws {
    let device = try TestDevice()
    let answer = try await device.json("airports", "lookup", "heathrow")
    #expect(answer["iata"]?.string == "LHR")
    #expect((answer["matches"]?.array?.count ?? 0) > 1)
    #expect(try await device.run("airports", "lookup", "heathrow").output.contains("EGLL"))
  }

  @Test(arguments: ["XYZ", "KXYZ", "no such airport anywhere", "\u{1B}[2J", "%", ""])
  func `an unknown code is not found`(code: String) async throws {
    let outcome = try await TestDevice().run("airports", "lookup", code, "--json")
    expectFailure(outcome, 66, "record.not-found")
    #expect(!outcome.error.contains("\u{1B}"))
  }
}
