import AirportMappings
import Testing

struct NearestTests {
  private let reference = AirportReference.shared

  @Test
  func `the nearest airports come in order`() {
    let found = reference.nearest(latitude: 47.4582, longitude: 8.5555, limit: 3)
    #expect(found.first?.airport.iata == "ZRH")
    #expect(found.map(\.kilometres) == found.map(\.kilometres).sorted())
    #expect(found.count == 3)
  }

  @Test
  func `the search goes across the antimeridian`() {
    // Matei in Fiji lies at 179.88 degrees west; this is just east of 180.
    let found = reference.nearest(latitude: -16.69, longitude: 179.99, limit: 1, withIATA: true)
    #expect(found.first?.airport.icao == "NFNM")
    #expect((found.first?.kilometres ?? 99) < 20)
  }

  @Test(arguments: [-180.0, -90, 0, 45, 180])
  func `at the pole the longitude does not matter`(longitude: Double) {
    let found = reference.nearest(latitude: -90, longitude: longitude, limit: 1)
    #expect(found.first?.airport.ident == "NZSP")
    #expect((found.first?.kilometres ?? 99) < 0.001)
    #expect(reference.nearest(latitude: 90, longitude: longitude, limit: 1).count == 1)
  }

  @Test
  func `a radius and an IATA code may be asked for`() {
    let all = reference.nearest(latitude: 40.64, longitude: -73.78, limit: .max, within: 30)
    #expect(all.allSatisfy { $0.kilometres <= 30 })
    let filtered = reference.nearest(
      latitude: 40.64, longitude: -73.78, limit: .max, within: 30, withIATA: true)
    #expect(
      filtered.map(\.airport.ident) == all.filter { $0.airport.iata != nil }.map(\.airport.ident))
    #expect(filtered.contains { $0.airport.iata == "LGA" })
    let brute = reference.all.filter {
      $0.coordinate.distance(to: Coordinate(latitude: 40.64, longitude: -73.78)) <= 30
    }
    #expect(Set(all.map(\.airport.ident)) == Set(brute.map(\.ident)))
    #expect(reference.nearest(latitude: 0, longitude: 0, within: 20).isEmpty)
    #expect(reference.nearest(latitude: 0, longitude: 0, within: .nan).isEmpty)
    #expect(reference.nearest(latitude: 0, longitude: 0, within: -1).isEmpty)
  }

  @Test(arguments: [
    (91.0, 0.0), (0, 181), (.nan, 0), (0, .nan), (.infinity, 0), (0, -.infinity), (1e300, 1e300),
  ])
  func `a position that is not on Earth has no airports near it`(
    latitude: Double, longitude: Double
  ) {
    #expect(reference.nearest(latitude: latitude, longitude: longitude).isEmpty)
  }

  @Test
  func `distances agree with known ones`() throws {
    let jfk = try #require(reference.airport(iata: "JFK")).coordinate
    let lhr = try #require(reference.airport(iata: "LHR")).coordinate
    #expect(abs(jfk.distance(to: lhr) - 5_540) < 10)
    #expect(jfk.distance(to: jfk) == 0)
    let degree = Coordinate(latitude: 0, longitude: 0).distance(
      to: Coordinate(latitude: 1, longitude: 0))
    #expect(abs(degree - 111.1951) < 0.0001)
    let antipodes = Coordinate(latitude: 12, longitude: 34).distance(
      to: Coordinate(latitude: -12, longitude: -146))
    #expect(abs(antipodes - 20_015.115) < 0.01)
  }
}
