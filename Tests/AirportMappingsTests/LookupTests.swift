import AirportMappings
import SyncKit
import Testing

struct LookupTests {
  @Test
  func `a person's mapping comes before the reference, which answers for the rest`() throws {
    let pilot = try Pilot("ipad")
    try pilot.store.add(iata: "ABC", icao: "KABC")
    let own = try #require(try pilot.store.lookup(" abc"))
    #expect(own.origin == .mapping)
    #expect(own.icao == "KABC")
    #expect(own.airport == nil)
    #expect(own.mapping?.source == .manual)
    let other = try #require(try pilot.store.lookup("yum"))
    #expect(other.origin == .reference)
    #expect(other.icao == "KNYL")
    #expect(other.airport?.city == "Yuma")
    #expect(other.mapping == nil)
    try pilot.store.remove(iata: "ABC")
    #expect(try pilot.store.lookup("ABC")?.icao == "LEAB")
  }

  @Test
  func `an ICAO or local code is found the other way round`() throws {
    let pilot = try Pilot("ipad")
    #expect(try pilot.store.lookup("knyl")?.iata == "YUM")
    #expect(try pilot.store.lookup("CEB3")?.iata == "YCK")
    #expect(try pilot.store.lookup("CEB3")?.icao == nil)
    try pilot.store.add(iata: "XYZ", icao: "KNYL")
    #expect(try pilot.store.lookup("KNYL")?.iata == "XYZ")
    #expect(try pilot.store.lookup("KNYL")?.origin == .mapping)
    #expect(try pilot.store.lookup("KNYL")?.airport?.iata == "YUM")
  }

  @Test
  func `an unknown code is nil, a text that is not a code is an error`() throws {
    let pilot = try Pilot("ipad")
    #expect(try pilot.store.lookup("XYZ") == nil)
    #expect(try pilot.store.lookup("LON") == nil)
    #expect(try pilot.store.lookup("KXQZ") == nil)
    for text in ["", "AB", "ABCDE", "ＪＦＫ", "ıst", "JF🛫"] {
      let error = #expect(throws: SyncError.self) { try pilot.store.lookup(text) }
      #expect(error?.code == .inputInvalid)
      #expect(try pilot.store.icao(for: text) == nil)
    }
  }

  @Test
  func `the ICAO code alone, and all mappings in order`() throws {
    let pilot = try Pilot("ipad")
    try pilot.store.add(iata: "YUM", icao: "KYUM")
    try pilot.store.add(iata: "ABC", icao: "LEAB")
    #expect(try pilot.store.icao(for: "yum") == "KYUM")
    #expect(try pilot.store.icao(for: "JFK") == "KJFK")
    #expect(try pilot.store.icao(for: "XYZ") == nil)
    #expect(try pilot.store.sortedMappings().map(\.iata) == ["ABC", "YUM"])
    #expect(try pilot.store.sortedMappings().map(\.icao) == ["LEAB", "KYUM"])
  }
}
