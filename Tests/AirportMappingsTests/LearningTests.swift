import AirportMappings
import SyncKit
import SyncKitTesting
import Testing

struct LearningTests {
  private let kennedy = Coordinate(latitude: 40.64, longitude: -73.78)

  private func outcome(_ result: LearningResult) -> WriteOutcome? {
    if case .written(let outcome, _) = result { outcome } else { nil }
  }

  private func refusal(_ result: LearningResult) -> String? {
    if case .refused(let reason) = result { "\(reason)" } else { nil }
  }

  @Test
  func `what the reference confirms is learned, and says so`() throws {
    let pilot = try Pilot("ipad")
    #expect(outcome(try pilot.store.learn(iata: "jfk", icao: "kjfk")) == .added)
    let mapping = try #require(try pilot.mapping("JFK"))
    #expect(mapping.source == .learned)
    #expect(mapping.learnedAutomatically)
    #expect(!mapping.verifiedByCoordinates)
    #expect(mapping.referenceDate == "2026-09-05")
    #expect(outcome(try pilot.store.learn(iata: "JFK", icao: "KJFK")) == .unchanged)
  }

  @Test(arguments: [("PRS", "KPRS"), ("XYZ", "KXYZ"), ("BJX", "MMBJ")])
  func `a contradiction or an unknown code is not learned`(iata: String, icao: String) throws {
    let pilot = try Pilot("ipad")
    let reason = refusal(try pilot.store.learn(iata: iata, icao: icao))
    #expect(reason?.contains("2026-09-05") == true)
    #expect(try pilot.store.sortedMappings().isEmpty)
    #expect(try pilot.store.history().isEmpty)
  }

  @Test(arguments: [("LON", "EGLL"), ("JF", "KJFK"), ("JFK", "QJFK")])
  func `a bad shape or a city is an error`(iata: String, icao: String) throws {
    let pilot = try Pilot("ipad")
    #expect(throws: SyncError.self) { try pilot.store.learn(iata: iata, icao: icao) }
  }

  @Test
  func `a position verifies, leaves open or refuses`() throws {
    let pilot = try Pilot("ipad")
    let far = Coordinate(latitude: 51.47, longitude: -0.45)
    let reason = refusal(try pilot.store.learn(iata: "JFK", icao: "KJFK", at: far))
    #expect(reason?.contains("does not match JFK") == true)
    let near = Coordinate(latitude: 40.74, longitude: -73.78)
    #expect(outcome(try pilot.store.learn(iata: "JFK", icao: "KJFK", at: near)) == .added)
    #expect(try pilot.mapping("JFK")?.verifiedByCoordinates == false)
    #expect(outcome(try pilot.store.learn(iata: "JFK", icao: "KJFK", at: kennedy)) == .changed)
    #expect(try pilot.mapping("JFK")?.verifiedByCoordinates == true)
    #expect(outcome(try pilot.store.learn(iata: "JFK", icao: "KJFK")) == .unchanged)
  }

  @Test(arguments: [MappingSource.verified, .manual])
  func `learning never writes over another code of a person`(source: MappingSource) throws {
    let pilot = try Pilot("ipad")
    try pilot.save("JFK", ["icao": "KJFX", "source": .string(source.rawValue)])
    for position in [nil, kennedy] {
      let reason = refusal(try pilot.store.learn(iata: "JFK", icao: "KJFK", at: position))
      #expect(reason == "JFK still maps to KJFX, which is \(source.rawValue).")
    }
    #expect(try pilot.mapping("JFK")?.icao == "KJFX")
  }

  @Test
  func `learning gives a person's code its verification and nothing else`() throws {
    let pilot = try Pilot("ipad")
    try pilot.store.add(iata: "JFK", icao: "KJFK")
    #expect(outcome(try pilot.store.learn(iata: "JFK", icao: "KJFK")) == .unchanged)
    #expect(outcome(try pilot.store.learn(iata: "JFK", icao: "KJFK", at: kennedy)) == .changed)
    #expect(try pilot.mapping("JFK")?.source == .manual)
    #expect(try pilot.mapping("JFK")?.learnedAutomatically == false)
    #expect(try pilot.mapping("JFK")?.verifiedByCoordinates == true)
  }

  @Test
  func `what is learned replaces a guess, a guess nothing better`() throws {
    let pilot = try Pilot("ipad")
    try pilot.save("JFK", ["icao": "KJFX", "source": "guessed"])
    #expect(
      outcome(try pilot.store.learn(iata: "JFK", icao: "KJFK", isGuess: true)) == .changed)
    #expect(outcome(try pilot.store.learn(iata: "JFK", icao: "KJFK")) == .changed)
    #expect(try pilot.mapping("JFK")?.source == .learned)
    #expect(
      outcome(try pilot.store.learn(iata: "JFK", icao: "KJFK", isGuess: true)) == .unchanged)
    try pilot.save("LHR", ["icao": "EGLX", "source": "learned"])
    #expect(refusal(try pilot.store.learn(iata: "LHR", icao: "EGLL", isGuess: true)) != nil)
    #expect(outcome(try pilot.store.learn(iata: "LHR", icao: "EGLL")) == .changed)
    try pilot.save(
      "LAX", ["icao": "KLAY", "source": "learned", "verifiedByCoordinates": true])
    #expect(
      refusal(try pilot.store.learn(iata: "LAX", icao: "KLAX"))
        == "LAX still maps to KLAY, which is verified by coordinates.")
  }

  @Test
  func `what a person removed or rejected is not learned again`() throws {
    let pilot = try Pilot("ipad")
    try pilot.store.add(iata: "JFK", icao: "KJFK")
    try pilot.store.remove(iata: "JFK")
    #expect(refusal(try pilot.store.learn(iata: "JFK", icao: "KJFK"))?.contains("removed") == true)
    #expect(try pilot.mapping("JFK") == nil)
    try pilot.store.write { try $0.save(RecordDraft("rejection", id: "LHR-EGLL", fields: [:])) }
    #expect(refusal(try pilot.store.learn(iata: "LHR", icao: "EGLL"))?.contains("rejected") == true)
    #expect(try pilot.store.add(iata: "LHR", icao: "EGLL").outcome == .added)
    #expect(try pilot.store.record("rejection", "LHR-EGLL")?.isDeleted == true)
    try pilot.store.remove(iata: "LHR")
    #expect(try pilot.store.add(iata: "JFK", icao: "KJFK").outcome == .added)
  }

  @Test
  func `learning does not revive what another device removes at the same time`() async throws {
    let remote = InMemoryTransport()
    let ipad = try Pilot("ipad", meeting: remote)
    let iphone = try Pilot("iphone", meeting: remote)
    try ipad.save("JFK", ["icao": "KJFX", "source": "guessed"])
    try await sync(ipad, iphone)
    try ipad.store.remove(iata: "JFK")
    #expect(outcome(try iphone.store.learn(iata: "JFK", icao: "KJFK", at: kennedy)) == .changed)
    try await sync(iphone, ipad, iphone)
    for pilot in [ipad, iphone] { #expect(try pilot.mapping("JFK") == nil) }
    #expect(try agree(ipad, iphone))
  }

  @Test
  func `learning is undone as a whole`() throws {
    let pilot = try Pilot("ipad")
    try pilot.store.write {
      try $0.learn(iata: "JFK", icao: "KJFK")
      try $0.learn(iata: "LHR", icao: "EGLL")
    }
    let batch = try #require(try pilot.store.history().first)
    #expect(try pilot.store.undo(batch.id).skipped.isEmpty)
    #expect(try pilot.store.sortedMappings().isEmpty)
  }

  @Test
  func `learning does not end a disagreement of people`() async throws {
    let remote = InMemoryTransport()
    let ipad = try Pilot("ipad", meeting: remote)
    let iphone = try Pilot("iphone", meeting: remote)
    try ipad.save("ABC", ["icao": "KABC"])
    try await sync(ipad, iphone)
    try await disagree(ipad, iphone, over: "ABC", "LEAB", "MABC")
    let shown = try #require(try ipad.mapping("ABC"))
    #expect(shown.isConflicted)
    _ = try ipad.store.learn(iata: "ABC", icao: "LEAB")
    #expect(try ipad.store.conflicts().count == 1)
    #expect(try ipad.mapping("ABC") == shown)
  }
}
