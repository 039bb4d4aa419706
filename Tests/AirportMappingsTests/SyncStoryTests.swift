import AirportMappings
import SyncKit
import SyncKitTesting
import Testing

/// Two devices of one pilot.
struct SyncStoryTests {
  private let remote = InMemoryTransport()

  private func devices() throws -> (ipad: Pilot, iphone: Pilot) {
    (try Pilot("ipad", meeting: remote), try Pilot("iphone", meeting: remote))
  }

  @Test
  func `a removal stays a removal on every device`() async throws {
    let (ipad, iphone) = try devices()
    try ipad.store.add(iata: "YUM", icao: "KNYL")
    try await sync(ipad, iphone)
    #expect(try iphone.mapping("YUM")?.device.name == "ipad")
    try iphone.store.remove(iata: "YUM")
    for _ in 0..<3 {
      try await sync(iphone, ipad)
      #expect(try ipad.mapping("YUM") == nil)
      #expect(try iphone.mapping("YUM") == nil)
    }
    #expect(try agree(ipad, iphone))
  }

  @Test(arguments: ["json", "csv"])
  func `an unchanged import elsewhere does not bring a removed mapping back`(
    format: String
  ) async throws {
    let (ipad, iphone) = try devices()
    try ipad.store.add(iata: "YUM", icao: "KNYL")
    try ipad.store.add(iata: "JFK", icao: "KJFK")
    try await sync(ipad, iphone)
    try ipad.store.remove(iata: "YUM")
    let file = try iphone.export(format)
    #expect(try iphone.import(file).unchanged == 2)
    try await sync(iphone, ipad, iphone)
    for pilot in [ipad, iphone] {
      #expect(try pilot.store.sortedMappings().map(\.iata) == ["JFK"])
    }
    #expect(try agree(ipad, iphone))
  }

  @Test
  func `a person's edit elsewhere keeps a mapping from being removed`() async throws {
    let (ipad, iphone) = try devices()
    try ipad.store.add(iata: "YUM", icao: "KYUM")
    try await sync(ipad, iphone)
    try ipad.store.remove(iata: "YUM")
    try iphone.store.add(iata: "YUM", icao: "KNYL")
    try await sync(iphone, ipad, iphone)
    for pilot in [ipad, iphone] { #expect(try pilot.mapping("YUM")?.icao == "KNYL") }
    #expect(try agree(ipad, iphone))
  }

  @Test
  func `a use elsewhere does not keep a mapping from being removed`() async throws {
    let (ipad, iphone) = try devices()
    try ipad.store.add(iata: "YUM", icao: "KNYL")
    try await sync(ipad, iphone)
    try ipad.store.remove(iata: "YUM")
    try iphone.save("YUM", ["lastUsed": .instant(7)])
    try await sync(iphone, ipad, iphone)
    for pilot in [ipad, iphone] { #expect(try pilot.mapping("YUM") == nil) }
    #expect(try agree(ipad, iphone))
  }

  @Test
  func `an unpublished edit is overridden by the remote one and stays beside it`()
    async throws
  {
    let (ipad, iphone) = try devices()
    try ipad.store.add(iata: "ABC", icao: "MABC")
    try await sync(ipad)
    try iphone.store.add(iata: "ABC", icao: "KABC")
    try await sync(iphone, ipad)
    for pilot in [ipad, iphone] {
      #expect(try pilot.mapping("ABC")?.icao == "MABC")
      #expect(try pilot.store.conflicts().allSatisfy { !$0.needsDecision })
      #expect(try pilot.store.conflicts().map { $0.shown.map?["icao"] } == ["MABC"])
      let overridden = try pilot.store.history().flatMap(\.entries).filter {
        $0.kind == .overridden
      }
      #expect(overridden.map { $0.to?.map?["icao"] } == ["KABC"])
      #expect(overridden.map(\.field) == ["code"])
    }
    #expect(try agree(ipad, iphone))
  }

  @Test
  func `of two published edits the newer is shown and the other is listed`() async throws {
    let (ipad, iphone) = try devices()
    try ipad.store.add(iata: "ABC", icao: "LEAB")
    try await sync(ipad, iphone)
    try await disagree(ipad, iphone, over: "ABC", "KABC", "MABC")
    for pilot in [ipad, iphone] {
      let conflict = try #require(try pilot.store.conflicts().first)
      #expect(conflict.field == "code")
      #expect(!conflict.needsDecision)
      #expect(Set(conflict.candidates.map { $0.value.map?["icao"] }) == ["KABC", "MABC"])
      #expect(conflict.candidates.first?.value == conflict.shown)
      #expect(try pilot.mapping("ABC")?.isConflicted == true)
      #expect(try pilot.record("ABC")?.conflicts == ["code"])
    }
    #expect(try ipad.mapping("ABC")?.icao == iphone.mapping("ABC")?.icao)
    try iphone.store.add(iata: "ABC", icao: "KABC")
    try await sync(iphone, ipad)
    for pilot in [ipad, iphone] {
      #expect(try pilot.store.conflicts().isEmpty)
      #expect(try pilot.mapping("ABC")?.icao == "KABC")
    }
    #expect(try agree(ipad, iphone))
  }

  @Test
  func `times of use and of creation are merged`() async throws {
    let (ipad, iphone) = try devices()
    try ipad.store.add(iata: "JFK", icao: "KJFK")
    try await sync(ipad, iphone)
    try ipad.save("JFK", ["lastUsed": .instant(7), "created": .instant(4)])
    try iphone.save("JFK", ["lastUsed": .instant(9), "created": .instant(3)])
    try await sync(ipad, iphone, ipad)
    for pilot in [ipad, iphone] {
      #expect(try pilot.mapping("JFK")?.lastUsed == 9)
      #expect(try pilot.mapping("JFK")?.created == 3)
      #expect(try pilot.store.conflicts().isEmpty)
    }
  }

  @Test
  func `what is rejected on one device is not learned on the other`() async throws {
    let (ipad, iphone) = try devices()
    try ipad.store.write { try $0.save(RecordDraft("rejection", id: "JFK-KJFK", fields: [:])) }
    try await sync(ipad, iphone)
    let result = try iphone.store.learn(iata: "JFK", icao: "KJFK")
    guard case .refused(.rejected) = result else {
      Issue.record("\(result)")
      return
    }
  }
}
