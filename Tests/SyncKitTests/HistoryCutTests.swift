import SegmentFormat
import SyncKitTesting
import Testing

@testable import SyncKitEngine
@testable import SyncKitModel
@testable import SyncKitStore

private func covered(
  _ range: ClosedRange<UInt64>, of series: UInt64 = 1, in zone: ZoneID = .home, size: Int = 1_000,
  isOld: Bool = false
) -> PrunableZone.Covered {
  let id = ReplicaID(high: series, low: 1)
  return PrunableZone.Covered(
    reference: SegmentReference(
      zone: zone, series: id, first: range.lowerBound, last: range.upperBound,
      head: ContentHash(high: series, low: range.upperBound), size: size,
      location: "\(zone)/\(series)/\(range)"), series: id, isOld: isOld)
}

private func zone(
  _ covered: [PrunableZone.Covered], live: Int, open: Int = 0, called id: ZoneID = .home
) -> PrunableZone {
  var zone = PrunableZone(id)
  let part = SegmentReference(
    zone: id, series: ReplicaID(high: 9, low: 9), first: 1, last: 2,
    head: ContentHash(high: 9, low: 9), size: live, location: "")
  let header = SnapshotHeader(
    vector: VersionVector(), blocks: 1, records: 0, digest: part.head, hashIndexes: part.head,
    newest: 0, versions: [:])
  zone.best = (
    KnownSnapshot(id, part.series, header),
    SnapshotListing(zone: id, series: part.series, parts: [part], all: [part])
  )
  zone.covered = covered
  zone.changes = open + covered.reduce(0) { $0 + $1.reference.weight }
  return zone
}

/// What goes when changes may take `slack` more than live data; each is as old as its number says.
private func gone(_ zones: PrunableZone..., slack: Int) -> [String] {
  var limits = CompactionLimits()
  limits.history.slack = slack
  limits.leastPruned = 100
  let cut = HistoryCut(zones, limits) { Int64($0.reference.last) }
  return cut.removable.values.joined().map(\.location).sorted()
}

@Test func `nothing goes that is young while there is room for it`() {
  let changes = (1...10).map { covered($0...$0) }
  #expect(gone(zone(changes, live: 4_000), slack: 6_000).isEmpty)
  #expect(!gone(zone(changes, live: 4_000), slack: 5_999).isEmpty)
}

@Test func `what no snapshot covers takes room, and never goes`() {
  let changes = (1...4).map { covered($0...$0) }
  let names = gone(zone(changes, live: 1_000, open: 20_000), slack: 8_000)
  #expect(names == changes.map(\.reference.location))
}

@Test func `the oldest go first, whatever their zone and their author`() {
  let home = [covered(1...1), covered(5...5), covered(2...2, of: 2), covered(6...6, of: 2)]
  let other = [covered(3...3, in: "tree"), covered(4...4, in: "tree")]
  let names = gone(
    zone(home, live: 1_000), zone(other, live: 1_000, called: "tree"), slack: 2_000)
  #expect(names == ["home/1/1...1", "home/2/2...2", "tree/1/3...3"])
}

@Test func `a later change never goes before an earlier one of its series, whatever clocks say`() {
  var limits = CompactionLimits()
  limits.history.slack = 0
  let changes = (1...6).map { covered($0...$0) }
  // The clock was set back in the middle.
  let times: [UInt64: Int64] = [1: 90, 2: 91, 3: 92, 4: 1, 5: 2, 6: 3]
  let cut = HistoryCut([zone(changes, live: 4_000)], limits) { times[$0.reference.last] ?? 0 }
  #expect(cut.removable[.home]?.map(\.last) == [1, 2, 3])
}

@Test func `a few old ones wait until there are more of them`() {
  let old = covered(1...1, isOld: true)
  #expect(gone(zone([old, covered(2...2)], live: 10_000), slack: 1 << 20).isEmpty)
  let names = gone(
    zone([old, covered(2...2, isOld: true), covered(3...3)], live: 10_000), slack: 1 << 20)
  #expect(names == ["home/1/1...1", "home/1/2...2"])
}

@Test func `a segment that reaches beyond a snapshot stays whole`() async throws {
  let pair = try BusyPair()
  try await pair.work(150)
  try await pair.settle()
  for number in 0..<6 { try await pair.a.save(RecordID("last \(number)"), number) }
  // As when its author had merged it before the snapshot was there.
  let zone = try pair.a.store.read { try $0.zone(.home) }
  let series = zone.own
  let snapshot = try #require(
    try pair.a.device.storage.read { try $0.knownSnapshots() }.values
      .max { $0.vector.changes < $1.vector.changes })
  let edge = try #require(snapshot.vector[series]).seq
  let last = try #require(zone.vector[series]).seq
  #expect(edge < last && edge > 4)
  let merged = try #require(
    try pair.a.store.read { try $0.merged(.home, series, edge - 3...last, upTo: 1 << 24) })
  let place = BlobTransport(pair.folder)
  let own = try await place.inventory(of: "books").segments.filter { $0.series == series }
  try await place.store(#require(EgressPolicy(published: [.home]).release(merged)))
  try await place.remove(own, of: "books")
  for number in 0..<2 { try await pair.b.save("other", number) }
  let there = try await place.inventory(of: "books").segments
  #expect(there.contains { $0.first == edge - 3 && $0.last == last })
  let late = try pair.device("late")
  try await late.sync()
  #expect(try late.device.book("last 5")?["rating"] == 5)
}
