import AirportMappings
import Testing

struct ReferenceLookupTests {
  private let reference = AirportReference.shared

  @Test
  func `the embedded release is whole`() throws {
    try reference.verify()
    #expect(reference.count == 28_298)
    #expect(reference.releaseDate == "2026-09-05")
    let airports = reference.all
    #expect(airports.count == 28_298)
    #expect(airports.count { $0.iata != nil } == 7_884)
    #expect(airports.count { $0.localCode != nil } == 12_614)
    #expect(airports.count { $0.icao != nil } == 17_093)
    #expect(airports.map(\.ident) == airports.map(\.ident).sorted())
  }

  @Test
  func `an airport comes back as the source has it`() {
    #expect(
      reference.airport(iata: "YUM")
        == Airport(
          ident: "KNYL", iata: "YUM", localCode: "NYL",
          name: "Yuma Mcas/Yuma International Airport", city: "Yuma", subdivision: "Arizona",
          country: "US", elevationFeet: 213.3,
          coordinate: Coordinate(latitude: 32.65592, longitude: -114.6064),
          timeZone: "America/Phoenix"))
    #expect(reference.airport(iata: "IST")?.city == "Arnavutköy, Istanbul")
    #expect(reference.airport(icao: "NZSP")?.latitude == -90)
    #expect(reference.airport(icao: "LLMZ")?.elevationFeet == -1266)
  }

  @Test
  func `an airport is found by each of its codes`() {
    for code in ["JFK", "jfk"] { #expect(reference.airport(iata: code)?.ident == "KJFK") }
    for code in ["KJFK", "kjfk"] { #expect(reference.airport(icao: code)?.iata == "JFK") }
    #expect(reference.airport(ident: "CEB3")?.iata == "YCK")
    #expect(reference.airport(icao: "CEB3") == nil)
  }

  @Test
  func `a stand-in for a missing code is not an ICAO code`() {
    #expect(reference.airport(icao: "_MLH") == nil)
    let airport = reference.airport(ident: "_MLH")
    #expect(airport?.iata == "MLH")
    #expect(airport?.icao == nil)
    #expect(airport == reference.airport(iata: "MLH"))
    #expect(reference.all.count { $0.iata != nil && $0.icao == nil } == 247)
    #expect(reference.all.count { $0.ident == "_\($0.iata ?? "")" } == 13)
  }

  @Test(arguments: [
    "", "X", "XYZ", "ÄÖ", "🛫", "AAAAAAAA", "\0\0\0", "\u{FF}\u{FF}", "zzzz", "0000",
  ])
  func `an unknown code finds nothing`(code: String) {
    #expect(reference.airport(iata: code) == nil)
    #expect(reference.airport(icao: code) == nil)
    #expect(reference.airport(ident: code) == nil)
  }

  @Test
  func `every airport is found again by the codes it bears`() {
    #expect(
      reference.all.allSatisfy { airport in
        reference.airport(ident: airport.ident) == airport
          && airport.iata.map { reference.airport(iata: $0) == airport } ?? true
      })
  }

  @Test
  func `many tasks may ask a fresh reference at once`() async throws {
    let fresh = try AirportReference(bytes: embeddedBytes())
    let found = await withTaskGroup(of: Int.self) { group in
      for offset in 0..<8 {
        group.addTask {
          ["JFK", "YUM", "ABC", "PBI"].count { fresh.airport(iata: $0) != nil }
            + fresh.airports(matching: "heathrow", limit: 1).count
            + fresh.nearest(latitude: Double(offset), longitude: 0, limit: 1).count
        }
      }
      return await group.reduce(0, +)
    }
    #expect(found == 8 * 6)
  }
}
