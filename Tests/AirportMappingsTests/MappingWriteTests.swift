import AirportMappings
import SyncKit
import SyncKitTesting
import Testing

/// A possible later version of the domain: one more field in the group, and one beside it.
private struct NewerDomain: SyncDomain {
  let schema = DomainSchema(
    "airports",
    [
      RecordType(
        "mapping",
        fields: [
          .group(
            "code",
            [Field("icao", .string), Field("source", .string), Field("runways", .int)]),
          Field("colour", .string),
        ])
    ])
}

struct MappingWriteTests {
  @Test
  func `an entry by hand says so, and whether the reference confirms it`() throws {
    let pilot = try Pilot("ipad")
    let confirmed = try pilot.store.add(iata: " yum ", icao: "knyl")
    #expect(confirmed.outcome == .added)
    #expect(confirmed.check.verdict == .matches)
    let mapping = try #require(try pilot.mapping("YUM"))
    #expect(mapping.icao == "KNYL")
    #expect(mapping.source == .manual)
    #expect(!mapping.learnedAutomatically)
    #expect(!mapping.verifiedByCoordinates)
    #expect(mapping.referenceDate == "2026-09-05")
    #expect(mapping.device == DeviceName(id: "device-ipad", name: "ipad"))
    #expect(mapping.created == mapping.modified)

    let doubtful = try pilot.store.add(iata: "ABC", icao: "KABC")
    #expect(doubtful.outcome == .added)
    #expect(doubtful.check.verdict == .contradicts)
    #expect(try pilot.mapping("ABC")?.referenceDate == nil)
    #expect(try pilot.store.add(iata: "XYZ", icao: "KXYZ").check.verdict == .unknownIATA)
  }

  @Test
  func `the same code again changes nothing, another one overwrites`() throws {
    let pilot = try Pilot("ipad")
    try pilot.store.add(iata: "ABC", icao: "KABC")
    let count = try pilot.store.history().count
    #expect(try pilot.store.add(iata: "abc", icao: " kabc").outcome == .unchanged)
    #expect(try pilot.store.history().count == count)
    #expect(try pilot.store.add(iata: "ABC", icao: "LEAB").outcome == .changed)
    #expect(try pilot.mapping("ABC")?.referenceDate == "2026-09-05")
    #expect(try pilot.store.sortedMappings().map(\.iata) == ["ABC"])
  }

  @Test
  func `the same code again leaves what is known of it`() throws {
    let pilot = try Pilot("ipad")
    try pilot.save("JFK", ["icao": "KJFK", "source": "learned", "verifiedByCoordinates": true])
    let before = try pilot.record("JFK")?.fields
    #expect(before?["learnedAutomatically"] == true)
    #expect(try pilot.store.add(iata: "JFK", icao: "KJFK").outcome == .unchanged)
    #expect(try pilot.import(#"{"JFK": "KJFK"}"#).unchanged == 1)
    try pilot.store.write { try $0.edit(.mapping(iata: "JFK"), ["icao": "kjfk"]) }
    #expect(try pilot.record("JFK")?.fields == before)
  }

  @Test(arguments: [true, false])
  func `another code does not inherit what was known of the former`(isEdit: Bool) throws {
    let pilot = try Pilot("ipad")
    try pilot.save(
      "JFK",
      [
        "icao": "KJFK", "source": "learned", "verifiedByCoordinates": true,
        "lastUsed": .instant(5), "created": .instant(3),
      ])
    if isEdit {
      try pilot.store.write { try $0.edit(.mapping(iata: "JFK"), ["icao": "KJFX"]) }
    } else {
      try pilot.store.add(iata: "JFK", icao: "KJFX")
    }
    #expect(
      try pilot.record("JFK")?.fields == [
        "icao": "KJFX", "source": "manual", "learnedAutomatically": false,
        "verifiedByCoordinates": false, "lastUsed": .instant(5), "created": .instant(3),
      ])
  }

  @Test
  func `what is stated with another code stands`() throws {
    let pilot = try Pilot("ipad")
    try pilot.save("JFK", ["icao": "KJFK"])
    try pilot.save("JFK", ["icao": "KJFX", "source": " Verified", "referenceDate": "2027-01-01"])
    #expect(try pilot.mapping("JFK")?.source == .verified)
    #expect(try pilot.mapping("JFK")?.referenceDate == "2027-01-01")
    try pilot.save("JFK", ["icao": "KJFY", "learnedAutomatically": true])
    #expect(try pilot.mapping("JFK")?.source == .learned)
    #expect(try pilot.mapping("JFK")?.referenceDate == nil)
  }

  @Test
  func `a record of a newer version is read, and its fields survive an edit`() async throws {
    let remote = InMemoryTransport()
    let pilot = try Pilot("ipad", meeting: remote)
    let newer = try Pilot("newer", meeting: remote, domain: NewerDomain())
    try newer.save("JFK", ["icao": "KJFK", "source": "oracle", "runways": 4, "colour": "red"])
    try await sync(newer, pilot)
    let mapping = try #require(try pilot.mapping("JFK"))
    #expect(mapping.icao == "KJFK")
    #expect(mapping.source == nil)
    try pilot.store.add(iata: "JFK", icao: "KJFX")
    try await sync(pilot, newer)
    let fields = try newer.record("JFK")?.fields
    #expect(fields?["icao"] == "KJFX")
    #expect(fields?["runways"] == 4)
    #expect(fields?["colour"] == "red")
  }

  @Test
  func `a use is recorded, and its time only moves forward`() throws {
    let pilot = try Pilot("ipad")
    try pilot.save("JFK", ["icao": "KJFK"])
    #expect(try pilot.save("JFK", ["lastUsed": .instant(9)]) == .changed)
    #expect(try pilot.save("JFK", ["lastUsed": .instant(5)]) == .unchanged)
    #expect(try pilot.mapping("JFK")?.lastUsed == 9)
    #expect(try pilot.mapping("JFK")?.source == .manual)
  }

  @Test
  func `the creation that a file knows counts if it is the earlier one`() throws {
    let pilot = try Pilot("ipad")
    try pilot.save("JFK", ["icao": "KJFK"])
    let made = try #require(try pilot.mapping("JFK")?.created)
    #expect(try pilot.save("JFK", ["created": .instant(made + 5)]) == .unchanged)
    #expect(try pilot.save("JFK", ["created": .instant(5)]) == .changed)
    #expect(try pilot.save("JFK", ["created": .instant(7)]) == .unchanged)
    #expect(try pilot.mapping("JFK")?.created == 5)
  }

  @Test
  func `what is removed is gone until it is added again`() throws {
    let pilot = try Pilot("ipad")
    try pilot.save("JFK", ["icao": "KJFK", "verifiedByCoordinates": true])
    try pilot.store.remove(iata: " jfk")
    #expect(try pilot.mapping("JFK") == nil)
    #expect(try pilot.store.sortedMappings().isEmpty)
    let error = #expect(throws: SyncError.self) { try pilot.store.remove(iata: "JFK") }
    #expect(error?.code == .notFound)
    #expect(try pilot.store.add(iata: "JFK", icao: "KJFK").outcome == .added)
    #expect(try pilot.mapping("JFK")?.verifiedByCoordinates == false)
  }
}
