import SyncKit
import SyncKitTesting
import Synchronization
import Testing

/// Counts how many segments are told, and can keep one back.
private final class Watched: Transport {
  let place = InMemoryTransport()
  private let state = Mutex<(told: [Int], isHolding: Bool, isLosing: Bool)>(([], false, false))

  var told: [Int] { state.withLock(\.told) }
  func hold(_ isHolding: Bool) { state.withLock { $0.isHolding = isHolding } }
  /// Takes what is stored and forgets it, as a copy does that is put back.
  func lose(_ isLosing: Bool) { state.withLock { $0.isLosing = isLosing } }

  func attach(_ acquaintance: Acquaintance, domain: String) async throws -> Set<String> {
    try await place.attach(acquaintance, domain: domain)
  }

  func inventory(of domain: String) async throws -> Inventory {
    try await inventory(of: domain, since: nil)
  }

  func inventory(of domain: String, since position: FeedPosition?) async throws -> Inventory {
    let inventory = try await place.inventory(of: domain, since: position)
    state.withLock { $0.told.append(inventory.segments.count) }
    return inventory
  }

  func fetch(_ reference: SegmentReference, of domain: String) async throws -> Segment? {
    if state.withLock(\.isHolding) { return nil }
    return try await place.fetch(reference, of: domain)
  }

  func store(_ segment: OutboundSegment) async throws {
    if state.withLock(\.isLosing) { return }
    try await place.store(segment)
  }

  func erase(
    _ zone: ZoneID, of domain: String, confirmedBy confirmations: Confirmations
  ) async throws {
    try await place.erase(zone, of: domain, confirmedBy: confirmations)
  }
}

private func device(_ name: String, _ place: any Transport) throws -> (Phone, SyncEngine) {
  let phone = try Phone(name)
  return (
    phone,
    SyncEngine(store: phone.store, remotes: [Remote("r", location: "watched", transport: place)])
  )
}

@Test func `a second exchange is told only what is new`() async throws {
  let place = Watched()
  let (a, engineA) = try device("a", place)
  let (b, engineB) = try device("b", place)
  for id in ["1", "2", "3"] {
    try a.add(Name(id), id)
    try a.set(.synced, Name(id))
    try await engineA.syncNow()
  }
  try await engineB.syncNow()
  try await engineB.syncNow()
  let before = place.told.count
  let report = try await engineB.syncNow()
  #expect(place.told[before...] == [0] && report.pulled == 0 && report.pushed == 0)
  try a.edit("1", ["name": "new"])
  try await engineA.syncNow()
  try await engineB.syncNow()
  #expect(try b.person("1")?["name"] == "new")
}

@Test func `what did not come is asked for again`() async throws {
  let place = Watched()
  let (a, engineA) = try device("a", place)
  let (b, engineB) = try device("b", place)
  try a.add("1", "Ada")
  try a.set(.synced, "1")
  try await engineA.syncNow()
  place.hold(true)
  #expect(try await engineB.syncNow().waiting > 0)
  place.hold(false)
  try await engineB.syncNow()
  #expect(try b.person("1")?["name"] == "Ada")
}

@Test func `a remote that was wiped is filled again by whoever has something`() async throws {
  let place = Watched()
  let (a, engineA) = try device("a", place)
  let (b, engineB) = try device("b", place)
  for (phone, id) in [(a, "1"), (b, "2")] {
    try phone.add(Name(id), id)
    try phone.set(.synced, Name(id))
  }
  for engine in [engineA, engineB, engineA, engineB] { try await engine.syncNow() }
  place.place.wipe()
  try await engineB.syncNow()
  let (c, engineC) = try device("c", place)
  try await engineC.syncNow()
  #expect(try c.store.records("person").map(\.key.id) == ["1", "2"])
  for engine in [engineA, engineB, engineC, engineA, engineB] { try await engine.syncNow() }
  #expect(try a.store.verify().map(\.digest) == b.store.verify().map(\.digest))
}

@Test func `what was brought and is not told afterwards is brought again`() async throws {
  let place = Watched()
  let (a, engineA) = try device("a", place)
  let (b, engineB) = try device("b", place)
  try a.add("1", "Ada")
  try a.set(.synced, "1")
  for engine in [engineA, engineB, engineA] { try await engine.syncNow() }
  place.lose(true)
  try a.edit("1", ["name": "new"])
  #expect(try await engineA.syncNow().pushed > 0)
  place.lose(false)
  #expect(try await engineA.syncNow().pushed > 0)
  try await engineB.syncNow()
  #expect(try b.person("1")?["name"] == "new")
  #expect(try await engineA.syncNow().pushed == 0)
}
