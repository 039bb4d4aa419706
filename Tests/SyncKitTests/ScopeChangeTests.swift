import SegmentFormat
import SyncKit
import SyncKitTesting
import Synchronization
import Testing

/// A place in memory where something happens once while a segment is on its way.
private final class InterruptedPlace: ErasingTransport, RemovingTransport {
  typealias Interruption = @Sendable (ZoneID) throws -> Bool

  let place: InMemoryTransport
  private let whileFetching: Mutex<Interruption?>
  private let whileStoring: Mutex<Interruption?>
  private let whileErasing: Mutex<Interruption?>

  /// What runs until it says that it is done.
  init(
    _ place: InMemoryTransport, whileFetching: Interruption? = nil,
    whileStoring: Interruption? = nil, whileErasing: Interruption? = nil
  ) {
    self.place = place
    self.whileFetching = Mutex(whileFetching)
    self.whileStoring = Mutex(whileStoring)
    self.whileErasing = Mutex(whileErasing)
  }

  private func interrupt(_ interruption: borrowing Mutex<Interruption?>, _ zone: ZoneID) throws {
    guard try interruption.withLock({ $0 })?(zone) == true else { return }
    interruption.withLock { $0 = nil }
  }

  func attach(_ identity: RemoteIdentity, domain: String) async throws -> Set<String> {
    try await place.attach(identity, domain: domain)
  }

  func inventory(of domain: String) async throws -> Inventory {
    try await place.inventory(of: domain)
  }

  func fetch(_ reference: SegmentReference, of domain: String) async throws -> Segment? {
    let segment = try await place.fetch(reference, of: domain)
    try interrupt(whileFetching, reference.zone)
    return segment
  }

  func store(_ segment: OutboundSegment) async throws {
    try await place.store(segment)
    try interrupt(whileStoring, segment.segment.info.zone)
  }

  var removal: SegmentRemoval { .onRequest }

  func remove(_ references: [SegmentReference], of domain: String) async throws {
    try await place.remove(references, of: domain)
  }

  func erase(
    _ zone: ZoneID, of domain: String, confirmedBy confirmations: Confirmations
  ) async throws {
    try await place.erase(zone, of: domain, confirmedBy: confirmations)
    try interrupt(whileErasing, zone)
  }
}

/// A tree that is withdrawn while a run goes on.
struct ScopeChangeTests {
  private let place = InMemoryTransport()
  private let a: Phone
  private let b: Phone
  private let zone: ZoneID

  init() async throws {
    a = try Phone("a", place)
    b = try Phone("b", place)
    try a.add("ada", "Ada")
    try a.entry("1", of: "ada", "first")
    try a.set(.synced, "ada")
    zone = try a.key("person", "ada").zone
    for phone in [a, b] { try await phone.engine.syncNow() }
  }

  private func sync(_ phone: Phone, _ place: InterruptedPlace) async throws {
    let engine = SyncEngine(
      store: phone.store,
      remotes: [Remote("r0", location: "\(ObjectIdentifier(place.place))", transport: place)])
    try await engine.syncNow()
  }

  private func count(_ zone: ZoneID, on place: InMemoryTransport) async throws -> Int {
    try await place.inventory(of: "people").segments.filter { $0.zone == zone }.count
  }

  @Test func `what is fetched meanwhile does not come into it`() async throws {
    for number in 2...4 {
      try a.entry(RecordID("\(number)"), of: "ada", "later")
      try await a.engine.syncNow()
    }
    try await sync(
      b,
      InterruptedPlace(
        place,
        whileFetching: { [b, zone] in
          if $0 == zone { try b.set(.local, "ada") }
          return $0 == zone
        }))
    for _ in 0..<2 {
      #expect(try b.store.records("person", id: "ada").count == 1)
      #expect(try b.person("ada")?.scope == .local)
      #expect(try b.entries == ["first"])
      try await b.engine.syncNow()
    }
    #expect(try await count(zone, on: place) == 0)
  }

  @Test func `a snapshot that is fetched meanwhile is not joined`() async throws {
    var options = SyncOptions()
    options.isCompaction = true
    options.limits.leastPruned = 1 << 10
    options.limits.history = .none
    for number in 0..<200 { try a.entry("2", of: "ada", "value \(number)") }
    for _ in 0..<2 { try await a.engine.syncNow(options) }
    let there = try await place.inventory(of: "people").segments.filter { $0.zone == zone }
    #expect(there.contains { $0.series.isSnapshot })
    try await place.remove(there.filter { !$0.series.isSnapshot }, of: "people")
    let fetched = Mutex(0)
    try await sync(
      b,
      InterruptedPlace(
        place,
        whileFetching: { [b, zone] in
          guard $0 == zone else { return false }
          // The first look only finds out what it is.
          let isJoin = fetched.withLock { count in
            count += 1
            return count == 2
          }
          if isJoin { try b.set(.local, "ada") }
          return isJoin
        }))
    #expect(fetched.withLock { $0 } == 2)
    #expect(try b.store.records("person", id: "ada").count == 1)
    #expect(try b.entries == ["first"])
  }

  @Test func `nothing more of it leaves in the same run`() async throws {
    for number in 2...5 {
      try a.entry(RecordID("\(number)"), of: "ada", "later")
      try await a.engine.syncNow()
    }
    let far = InMemoryTransport()
    try a.add("bob", "Bob")
    try a.set(.synced, "bob")
    let other = try a.key("person", "bob").zone
    let engine = SyncEngine(
      store: a.store,
      remotes: [
        Remote(
          "far", location: "far",
          transport: InterruptedPlace(
            far,
            whileStoring: { [a, zone] in
              if $0 == zone { try a.set(.local, "ada") }
              return $0 == zone
            }))
      ])
    try await engine.syncNow()
    #expect(try await count(zone, on: far) == 1, "what was on its way")
    #expect(try await count(other, on: far) > 0)
    #expect(try a.person("ada")?.scope == .local)
    try await engine.syncNow()
    #expect(try await count(zone, on: far) == 0)
  }

  @Test func `what is withdrawn while something else is erased is not taken for erased`()
    async throws
  {
    try a.add("bob", "Bob")
    try a.set(.synced, "bob")
    try await a.engine.syncNow()
    let other = try a.key("person", "bob").zone
    try a.set(.local, "ada")
    try await sync(
      a,
      InterruptedPlace(
        place,
        whileErasing: { [a] _ in
          try a.set(.local, "bob")
          return true
        }))
    #expect(try await count(other, on: place) > 0)
    #expect(try a.owed.filter { !$0.remotes.isEmpty }.map(\.id) == ["bob"])
    try await a.engine.syncNow()
    #expect(try await count(other, on: place) == 0)
    #expect(try a.owed.filter { !$0.remotes.isEmpty }.isEmpty)
  }
}
