import AirportMappings
import SyncKit
import SyncKitTesting
import Testing

struct RankTests {
  private static let order = MappingSource.allCases

  private static var pairs: [(MappingSource, MappingSource)] {
    order.indices.flatMap { better in
      order.indices.dropFirst(better + 1).map { (order[better], order[$0]) }
    }
  }

  @Test
  func `the order of the sources`() {
    #expect(Self.order.map(\.rawValue) == ["verified", "manual", "learned", "guessed"])
  }

  @Test(arguments: RankTests.pairs)
  func `the better founded code is shown, also when it is older`(
    better: MappingSource, worse: MappingSource
  ) async throws {
    let remote = InMemoryTransport()
    let ipad = try Pilot("ipad", meeting: remote)
    let iphone = try Pilot("iphone", meeting: remote)
    try ipad.store.add(iata: "ABC", icao: "LEAB")
    try await sync(ipad, iphone)
    try await disagree(
      ipad, iphone, over: "ABC", "KABC", "MABC", sources: (better, worse))
    for pilot in [ipad, iphone] {
      #expect(try pilot.mapping("ABC")?.icao == "KABC")
      #expect(try pilot.store.conflicts().count == 1)
    }
    #expect(try agree(ipad, iphone))
  }

  @Test(arguments: RankTests.order)
  func `of two equally founded codes the newer is shown`(source: MappingSource) async throws {
    let remote = InMemoryTransport()
    let ipad = try Pilot("ipad", meeting: remote)
    let iphone = try Pilot("iphone", meeting: remote)
    try ipad.store.add(iata: "ABC", icao: "LEAB")
    try await sync(ipad, iphone)
    try await disagree(
      ipad, iphone, over: "ABC", "KABC", "MABC", sources: (source, source))
    for pilot in [ipad, iphone] { #expect(try pilot.mapping("ABC")?.icao == "MABC") }
  }

  @Test
  func `a position outranks a person's word, and no source is a person's word`() throws {
    let policy = try #require(DomainSchema.airports["mapping"]?.field("code")?.policy)
    func shown(_ first: ValueMap, _ second: ValueMap) -> Value {
      let replica = ReplicaID(high: 1, low: 2)
      return policy.shown([
        Sibling(
          dot: Dot(replica, 1), stamp: Stamp(time: 1, replica: replica), value: .map(first)),
        Sibling(
          dot: Dot(replica, 2), stamp: Stamp(time: 2, replica: replica), value: .map(second)),
      ])
    }
    let seen = ValueMap([("source", "guessed"), ("verifiedByCoordinates", true)])
    #expect(shown(seen, ValueMap([("source", "manual")])) == .map(seen))
    let bare = ValueMap([("icao", "KABC")])
    #expect(shown(bare, ValueMap([("source", "learned")])) == .map(bare))
    let guessed = ValueMap([("source", "guessed")])
    #expect(shown(guessed, ValueMap([("source", "oracle")])) == .map(guessed))
  }
}
