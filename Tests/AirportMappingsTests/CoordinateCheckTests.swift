import AirportMappings
import Testing

struct CoordinateCheckTests {
  private static let kilometresPerDegree = 111.19508
  private let equator = Airport(ident: "TEST", coordinate: Coordinate(latitude: 0, longitude: 50))

  private func check(
    _ iata: String, _ latitude: Double, _ longitude: Double
  ) throws -> CoordinateCheck {
    let airport = try #require(AirportReference.shared.airport(iata: iata))
    return CoordinateCheck(Coordinate(latitude: latitude, longitude: longitude), for: airport)
  }

  @Test(arguments: [
    (0, CoordinateCheck.Band.verified), (4.99, .verified), (5.01, .suspicious),
    (19.99, .suspicious), (20.01, .rejected), (10_000, .rejected),
  ])
  func `the bands end at 5 and 20 km`(kilometres: Double, band: CoordinateCheck.Band) {
    let degrees = kilometres / Self.kilometresPerDegree
    let check = CoordinateCheck(Coordinate(latitude: 0, longitude: 50 + degrees), for: equator)
    #expect(check.band == band)
    #expect(abs((check.kilometres ?? -1) - kilometres) < 0.01)
  }

  @Test
  func `a position near the airport is verified without neighbours`() throws {
    let check = try check("JFK", 40.64, -73.78)
    #expect(check.band == .verified)
    #expect(check.neighbours.isEmpty)
    #expect(!check.isSwapped)
    #expect(check.description.hasPrefix("The position matches JFK, "))
  }

  @Test
  func `a suspicious position names its neighbours, nearest first`() throws {
    // La Guardia's position, claimed to be Kennedy's, is 17 km away.
    let check = try check("JFK", 40.7772, -73.8726)
    #expect(check.band == .suspicious)
    #expect(check.neighbours.first?.airport.iata == "LGA")
    #expect(check.neighbours.allSatisfy { $0.kilometres <= 20 && $0.airport.iata != "JFK" })
    #expect(check.description.contains("Near it: LGA ("))
  }

  @Test
  func `a position of another city is rejected and names what is there`() throws {
    // Los Mochis, documented as SLW by mistake; SLW is Saltillo.
    let check = try check("SLW", 25.6852, -109.081)
    #expect(check.band == .rejected)
    #expect(check.neighbours.first?.airport.iata == "LMM")
  }

  @Test
  func `airports that share their place verify each other's`() throws {
    let check = try check("MLH", 47.5896, 7.52991)
    #expect(check.band == .verified)
    #expect(check.kilometres == 0)
  }

  @Test
  func `latitude and longitude the wrong way round are reported`() throws {
    let jfk = try check("JFK", -73.7789, 40.6398)
    #expect(jfk.band == .rejected)
    #expect(jfk.isSwapped)
    #expect(jfk.description.contains("the wrong way round"))
    // Out of range as a latitude, and still recognised.
    let sydney = try check("SYD", 151.177, -33.946)
    #expect(sydney.kilometres == nil)
    #expect(sydney.isSwapped)
    #expect(sydney.description.contains("not a position on Earth"))
  }

  @Test
  func `zero and zero is a missing position, not one in the sea`() throws {
    let check = try check("ACC", 0, -0.0)
    #expect(check.band == .rejected)
    #expect(!check.isSwapped)
    #expect(check.neighbours.isEmpty)
    #expect(check.description == "0, 0 means that no position was entered.")
    let island = Airport(ident: "NULL", coordinate: Coordinate(latitude: 0, longitude: 0))
    #expect(CoordinateCheck(Coordinate(latitude: 0, longitude: 0), for: island).band == .rejected)
  }

  @Test(arguments: [(-18.5667, -179.99), (-18.5667, 179.99)])
  func `distances cross the antimeridian`(latitude: Double, longitude: Double) throws {
    let airport = try #require(AirportReference.shared.airport(icao: "NFMO"))
    let check = CoordinateCheck(
      Coordinate(latitude: latitude, longitude: longitude), for: airport)
    #expect(check.band != .rejected)
    #expect((check.kilometres ?? 99) < 7)
  }

  @Test(arguments: [-180.0, -37, 0, 122, 180])
  func `at the pole every longitude is the same place`(longitude: Double) throws {
    let airport = try #require(AirportReference.shared.airport(icao: "NZSP"))
    let check = CoordinateCheck(Coordinate(latitude: -90, longitude: longitude), for: airport)
    #expect(check.band == .verified)
  }

  @Test(arguments: [(90.1, 0.0), (-91, 0), (0, 180.1), (.nan, .nan), (.infinity, 0)])
  func `what is not on Earth is rejected without a distance`(
    latitude: Double, longitude: Double
  ) throws {
    let check = try check("JFK", latitude, longitude)
    #expect(check.band == .rejected)
    #expect(check.kilometres == nil)
    #expect(check.neighbours.isEmpty)
    #expect(!check.isSwapped)
  }
}
