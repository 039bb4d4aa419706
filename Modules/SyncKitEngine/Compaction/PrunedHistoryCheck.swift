import SyncKitModel
import SyncKitStore

/// Finds out whether old segments on a remote contain changes that are known here as state.
///
/// A store that began with a snapshot, or has pruned its history, does not know the hashes of all changes. A
/// remote that still has such changes one by one may have them from the same history, or from a fork of it.
/// Their chain of hashes decides: it is read backwards from a change whose hash is known here. Where the chain
/// has gaps, a snapshot beside them may have the hashes. Once read, a segment is known by its end and never
/// fetched again.
struct PrunedHistoryCheck {
  private struct Place: Hashable {
    let zone: ZoneID
    let series: ReplicaID
  }

  let store: SyncStore
  let remote: Remote
  /// The segments that cannot be judged: what leads from them to known changes is not there, or they belong
  /// to a fork.
  private(set) var unverified: [SegmentReference] = []
  /// How many were found to hold what is known.
  private(set) var verified = 0

  init(_ store: SyncStore, _ remote: Remote) {
    self.store = store
    self.remote = remote
  }

  /// Reads what is needed to decide.
  ///
  /// - Parameters:
  ///   - asked: The segments that may be old ones.
  ///   - references: All segments of changes that lie on the remote.
  /// - Throws: ``SyncError`` of the transport and the store.
  mutating func run(
    _ asked: [SegmentReference], among references: [SegmentReference]
  ) async throws {
    guard !asked.isEmpty else { return }
    let open = try store.read { reader in try asked.filter { try isOpen($0, reader) } }
    guard !open.isEmpty else { return }
    let all = Dictionary(grouping: references) { Place(zone: $0.zone, series: $0.series) }
    let places = Dictionary(grouping: open) { Place(zone: $0.zone, series: $0.series) }
    for (place, open) in places.sorted(by: {
      ($0.key.zone, $0.key.series) < ($1.key.zone, $1.key.series)
    }) {
      try await run(open, among: all[place] ?? [], of: place)
    }
  }

  private func isOpen(_ reference: SegmentReference, _ reader: StoreReader) throws -> Bool {
    let (zone, series) = (reference.zone, reference.series)
    return try reader.isPruned(zone, series, at: reference.last)
      && reader.locate(zone, series, at: reference.last, reference.head) == nil
  }

  private mutating func run(
    _ open: [SegmentReference], among references: [SegmentReference], of place: Place
  ) async throws {
    let waiting = try store.waitingSegments()[place.zone] ?? []
    var hashes: [UInt64: ContentHash] = [:]
    let numbers = Set(open.map(\.last)).sorted()
    // From the newest on, so that what leads to a segment is read before it; the longest first.
    for reference in references.sorted(by: {
      ($1.last, $0.first, $0.location) < ($0.last, $1.first, $1.location)
    }) {
      let asked = numbers[Self.index(of: reference.first - 1, in: numbers)...]
        .prefix { $0 < reference.last }.filter { hashes[$0] == nil }
      guard !asked.isEmpty else { continue }
      let isKnown =
        try hashes[reference.last].map { $0 == reference.head }
        ?? store.read { reader in
          // A branch has its own name here.
          try reader.locate(place.zone, place.series, at: reference.last, reference.head)
            == place.series
        }
      guard isKnown, let segment = try await segment(reference, waiting),
        let chain = SegmentChain(segment, store.coding), chain.holds(reference)
      else { continue }
      for number in asked {
        hashes[number] = number < reference.first ? segment.info.previous : chain.hash(at: number)
      }
    }
    try note(open.filter { hashes[$0.last] == $0.head }, of: place)
    unverified += open.filter { hashes[$0.last] != $0.head }
  }

  private mutating func note(_ known: [SegmentReference], of place: Place) throws {
    guard !known.isEmpty else { return }
    try store.transaction { transaction in
      try transaction.noteFormerEnds(
        known.map { ($0.last, $0.head) }, of: place.series, in: place.zone)
    }
    verified += known.count
  }

  /// Looks for what no chain leads to in the outlines of snapshots that lie there: of those that lead to what
  /// is known here, or to the outline of another one that does.
  ///
  /// - Throws: ``SyncError`` of the transport and the store.
  mutating func consult(_ plan: ExchangePlan) async throws {
    guard !unverified.isEmpty else { return }
    var runs: [Place: [HashIndex]] = [:]
    for snapshot in plan.usableSnapshots.sorted(by: { $0.vector.changes > $1.vector.changes })
    where unverified.contains(where: { $0.zone == snapshot.zone }) {
      guard let listing = plan.listings[snapshot.series],
        let parts = try await parts(listing),
        let hashIndexes = try? Snapshot(parts, coding: store.coding)?.hashIndexes()
      else { continue }
      for (series, found) in Dictionary(grouping: hashIndexes, by: \.series) {
        let place = Place(zone: snapshot.zone, series: series)
        guard let end = found.last else { continue }
        let isKnown =
          try runs[place, default: []].hold(end.head, at: end.last)
          || store.read { try $0.locate(place.zone, series, at: end.last, end.head) == series }
        if isKnown { runs[place, default: []] += found }
      }
    }
    let found = Set(
      unverified.filter { reference in
        runs[Place(zone: reference.zone, series: reference.series), default: []]
          .hold(reference.head, at: reference.last)
      })
    guard !found.isEmpty else { return }
    let places = Dictionary(grouping: found) { Place(zone: $0.zone, series: $0.series) }
    for (place, known) in places { try note(known, of: place) }
    // From these a chain may lead on.
    let rest = unverified.filter { !found.contains($0) }
    unverified = []
    try await run(rest, among: plan.changes)
  }

  /// Where the first number that is not less stands in a list.
  private static func index(of number: UInt64, in numbers: [UInt64]) -> Int {
    var (low, high) = (0, numbers.count)
    while low < high {
      let middle = (low + high) / 2
      if numbers[middle] < number { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private func parts(_ listing: SnapshotListing) async throws -> [Segment]? {
    do {
      return try await remote.transport.fetch(listing, of: store.domain.name)
    } catch let error as SyncError where error.code == .remoteUnread {
      return nil
    }
  }

  private func segment(
    _ reference: SegmentReference, _ waiting: [Segment]
  ) async throws -> Segment? {
    let here = waiting.first {
      $0.info.series == reference.series && $0.info.first == reference.first
        && $0.info.last == reference.last && $0.info.head == reference.head
    }
    if let here { return here }
    do {
      return try await remote.transport.fetch(reference, of: store.domain.name)
    } catch let error as SyncError where [.formatNewer, .remoteUnread].contains(error.code) {
      return nil
    }
  }
}

extension [HashIndex] {
  /// Whether one of them has a hash at a number.
  fileprivate func hold(_ hash: ContentHash, at seq: UInt64) -> Bool {
    contains { run in
      run.first <= seq && seq <= run.last && run.hashes[Int(seq - run.first)] == hash
    }
  }
}
