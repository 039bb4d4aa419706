import AirportMappings
import SyncKit
import SyncKitTesting
import Testing

/// A person's judgement of codes: wrong pairs, unknown codes, and codes in use.
struct JudgementTests {
  private static let day: Int64 = 86_400_000

  @Test func `a rejected pair loses its mapping and is not learned again`() throws {
    let pilot = try Pilot("ipad")
    try pilot.store.learn(iata: "LHR", icao: "EGLL")
    let outcome = try pilot.store.write { try $0.reject(iata: "lhr", icao: "egll") }.result
    #expect(outcome.removedMapping && outcome.outcome == .added)
    #expect(try pilot.mapping("LHR") == nil)
    guard case .refused = try pilot.store.learn(iata: "LHR", icao: "EGLL") else {
      Issue.record("a rejected pair was learned")
      return
    }
    let again = try pilot.store.write { try $0.reject(iata: "LHR", icao: "EGLL") }
    #expect(again.result.outcome == .unchanged && again.summary.batch == nil)
  }

  @Test func `a mapping to another code stays`() throws {
    let pilot = try Pilot("ipad")
    try pilot.store.add(iata: "PRS", icao: "AGGP")
    let outcome = try pilot.store.write { try $0.reject(iata: "PRS", icao: "KPRS") }.result
    #expect(!outcome.removedMapping)
    #expect(try pilot.mapping("PRS")?.icao == "AGGP")
  }

  @Test(arguments: [("XY", "EGLL"), ("LHR", "EGL"), ("L-R", "EGLL")])
  func `a text that is not a code is refused`(iata: String, icao: String) throws {
    let pilot = try Pilot("ipad")
    #expect(throws: SyncError.self) {
      try pilot.store.write { try $0.reject(iata: iata, icao: icao) }
    }
    #expect(try pilot.store.history().isEmpty)
  }

  @Test func `an unknown code is known on every device until one maps it`() async throws {
    let remote = InMemoryTransport()
    let (ipad, phone) = (try Pilot("ipad", meeting: remote), try Pilot("phone", meeting: remote))
    try ipad.store.write { try $0.noteUnknown(["xyz", "bad code"], at: Pilot.start) }
    try await sync(ipad, phone)
    #expect(try phone.store.record("unknown", "XYZ")?.isDeleted == false)
    try phone.store.add(iata: "XYZ", icao: "KXYZ")
    try await sync(phone, ipad)
    #expect(try ipad.store.record("unknown", "XYZ")?.isDeleted == true)
    #expect(try agree(ipad, phone))
  }

  @Test func `seen or used again on the same day writes nothing`() throws {
    let pilot = try Pilot("ipad")
    try pilot.store.add(iata: "JFK", icao: "KJFK")
    func note(_ time: Int64) throws -> BatchID? {
      try pilot.store.write {
        try $0.noteUnknown(["XYZ"], at: time)
        try $0.noteUse(of: ["JFK", "LHR"], at: time)
      }.summary.batch
    }
    #expect(try note(Pilot.start) != nil)
    #expect(try note(Pilot.start + 1_000) == nil)
    #expect(try note(Pilot.start + Self.day) != nil)
    let unknown = try #require(try pilot.store.record("unknown", "XYZ"))
    #expect(unknown["firstSeen"].instant == Pilot.start)
    #expect(unknown["lastSeen"].instant == Pilot.start + Self.day)
    #expect(try pilot.mapping("JFK")?.lastUsed == Pilot.start + Self.day)
    #expect(try pilot.mapping("LHR") == nil)
  }

  @Test func `a use does not revive what is removed at the same time`() async throws {
    let remote = InMemoryTransport()
    let (ipad, phone) = (try Pilot("ipad", meeting: remote), try Pilot("phone", meeting: remote))
    try ipad.store.add(iata: "JFK", icao: "KJFK")
    try await sync(ipad, phone)
    try ipad.store.remove(iata: "JFK")
    try phone.store.write { try $0.noteUse(of: ["JFK"], at: Pilot.start) }
    try await sync(ipad, phone, ipad)
    #expect(try phone.mapping("JFK") == nil)
    #expect(try ipad.mapping("JFK") == nil)
  }

  @Test func `the codes used most come first, and never leave the device`() throws {
    let pilot = try Pilot("ipad", domain: AirportUsageDomain())
    try pilot.store.countUses(["LHR": 1, "jfk": 2, "nonsense": 5], at: 1_000)
    try pilot.store.countUses(["LHR": 3, "CDG": 2], at: 2_000)
    #expect(try pilot.store.mostUsed().map(\.iata) == ["LHR", "CDG", "JFK"])
    #expect(try pilot.store.mostUsed(limit: 1).map(\.count) == [4])
    #expect(AirportUsageDomain().schema.collections.allSatisfy { $0.placement == .local })
  }

  @Test func `the community export has only verified pairs, and nothing but the pair`() throws {
    let pilot = try Pilot("ipad")
    try pilot.store.add(iata: "ABC", icao: "LEAB")
    try pilot.store.learn(
      iata: "JFK", icao: "KJFK", at: Coordinate(latitude: 40.64, longitude: -73.78))
    try pilot.save("LHR", ["icao": "EGLL", "source": "verified"])
    let text = try pilot.export("community")
    #expect(!text.contains("ABC") && !text.contains("ipad") && !text.contains("20"))
    let other = try Pilot("phone")
    _ = try other.import(text, format: "json")
    #expect(try other.store.sortedMappings().map(\.iata) == ["JFK", "LHR"])
  }

  @Test func `a map has a point for each mapping that the reference can place`() throws {
    let pilot = try Pilot("ipad")
    try pilot.store.add(iata: "JFK", icao: "KJFK")
    try pilot.store.add(iata: "XYZ", icao: "KXYZ")
    let text = try pilot.export("geojson")
    #expect(text.contains("-73.778692,\n          40.639928"))
    #expect(text.contains("\"geometry\": null"))
  }

  @Test func `a bearing is right where the way is known`() {
    let origin = Coordinate(latitude: 0, longitude: 0)
    #expect(origin.bearing(to: Coordinate(latitude: 10, longitude: 0)) == 0)
    #expect(abs(origin.bearing(to: Coordinate(latitude: 0, longitude: 10)) - 90) < 1e-9)
    #expect(abs(origin.bearing(to: Coordinate(latitude: 0, longitude: -10)) - 270) < 1e-9)
    #expect(abs(origin.bearing(to: Coordinate(latitude: -10, longitude: 0)) - 180) < 1e-9)
  }
}
