import AirportMappings
import Testing

/// How often the usual patterns are wrong, measured on the embedded release.
struct PatternTrapTests {
  private static let airports = AirportReference.shared.all
  private static let owners = Dictionary(uniqueKeysWithValues: airports.map { ($0.ident, $0) })
  private static let withIATA = airports.filter { $0.iata != nil }

  /// How many guesses of a pattern hit their airport, and how many hit another one.
  private func hits(
    among airports: [Airport] = withIATA, _ pattern: (String) -> String
  ) -> (right: Int, wrong: Int) {
    let found = airports.compactMap { airport in
      airport.iata.flatMap { iata in Self.owners[pattern(iata)].map { $0.iata == iata } }
    }
    return (found.count { $0 }, found.count { !$0 })
  }

  @Test
  func `398 codes with K before them are another airport's`() {
    #expect(hits { "K\($0)" } == (1_392, 398))
  }

  @Test
  func `MM and the last two letters is another airport 1,290 times and right 4 times`() {
    #expect(hits { "MM\($0.dropFirst())" } == (4, 1_290))
    let mexican = Self.withIATA.filter { $0.country == "MX" }
    #expect(mexican.count == 87)
    #expect(hits(among: mexican) { "MM\($0.dropFirst())" }.right == 4)
  }

  @Test
  func `LT and the last two letters is another airport 59 times and never right`() {
    let candidates = Self.withIATA.filter { $0.iata?.hasPrefix("T") == true }
    #expect(hits(among: candidates) { "LT\($0.dropFirst())" } == (0, 59))
  }

  @Test
  func `C before the code is another airport 33 times`() {
    #expect(hits { "C\($0)" } == (310, 33))
  }

  @Test
  func `of 1,784 airports in the United States 1,392 follow the K rule and 1,538 begin with K`() {
    let american = Self.withIATA.filter { $0.country == "US" && $0.icao != nil }
    #expect(american.count == 1_784)
    #expect(american.count { $0.icao == "K\($0.iata ?? "")" } == 1_392)
    #expect(american.count { $0.ident.hasPrefix("K") } == 1_538)
  }

  @Test
  func `of 354 Canadian airports 310 follow the C rule, and 50 codes with Y are not Canadian`() {
    let canadian = Self.withIATA.filter { $0.country == "CA" && $0.icao != nil }
    #expect(canadian.count == 354)
    #expect(canadian.count { $0.icao == "C\($0.iata ?? "")" } == 310)
    let withY = Self.withIATA.filter { $0.iata?.hasPrefix("Y") == true }
    #expect(withY.count == 400)
    #expect(withY.count { $0.country == "CA" } == 350)
    #expect(withY.count { $0.country == "CN" } == 19)
    #expect(withY.filter { $0.country == "US" }.compactMap(\.iata).contains("YUM"))
  }
}
