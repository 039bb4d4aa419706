import SyncKit

/// Reads changes straight from the tables of a store, without the store.
enum SimulatedLog {
  /// A sealed change with its place in its author's series.
  struct Entry {
    let zone: ZoneID
    /// The change as its author numbered it.
    let dot: Dot
    /// The chained hash before it.
    let previous: ContentHash
    /// The chained hash up to it.
    let hash: ContentHash
    /// As its author wrote it: contexts are in the author's names.
    let change: Change
  }

  static func changes(of segment: Segment, coding: any SegmentCoding) throws -> [Entry] {
    let info = segment.info
    if info.series.isSnapshot { return [] }
    var previous = info.previous
    var context = info.base
    return try coding.changes(of: segment).enumerated().map { offset, bytes in
      let hash = previous.bytes.withUnsafeBytes { head in
        bytes.withUnsafeBytes { coding.hash([head, $0]) }
      }
      let change = try bytes.reading(allowingRest: true) {
        try Change(&$0, series: info.series, after: context)
      }
      defer {
        previous = hash
        context = change.context
      }
      return Entry(
        zone: info.zone, dot: Dot(info.series, info.first + UInt64(offset)), previous: previous,
        hash: hash, change: change)
    }
  }

  /// The hashes of the changes that a segment brings, or that it stands for.
  static func hashes(of segment: Segment, coding: any SegmentCoding) throws -> [ContentHash] {
    try changes(of: segment, coding: coding).map(\.hash) + KnownHashes.of(segment, coding)
  }

  /// What a segment holds that must not be in any (I15, I16); nil when all is well.
  static func leak(in segment: Segment, coding: any SegmentCoding) throws -> String? {
    let canary = Array(SimulatedDomain.canary.utf8)
    for bytes in try coding.changes(of: segment) where bytes.holds(canary) {
      return "a value that must stay on its device"
    }
    return segment.info.zone == .local ? "the zone that must stay on its device" : nil
  }

  /// The sealed segments of a store that came after a key of their table, with the last key.
  static func segments(
    in storage: InMemoryStorage, after start: [UInt8]?, coding: any SegmentCoding
  ) throws -> (segments: [Segment], last: [UInt8]?) {
    var segments: [Segment] = []
    var last = start
    try storage.read { reader in
      try reader.scan(.segment, prefix: [], after: start) { key, bytes in
        segments.append(try coding.read(bytes))
        last = key
        return true
      }
    }
    return (segments, last)
  }

  /// The segments of a store that cannot be applied yet.
  static func waiting(
    in storage: InMemoryStorage, coding: any SegmentCoding
  ) throws -> [Segment] {
    var segments: [Segment] = []
    try storage.read { reader in
      try reader.scan(.waiting, prefix: [], after: nil) { _, bytes in
        segments.append(try coding.read(bytes))
        return true
      }
    }
    return segments
  }

  /// The changes of a store that are not sealed; their contexts and stamps are not to be used.
  static func unsealed(in storage: InMemoryStorage) throws -> [(zone: ZoneID, change: Change)] {
    var changes: [(zone: ZoneID, change: Change)] = []
    let nobody = ReplicaID(high: 0, low: 0)
    try storage.read { reader in
      try reader.scan(.change, prefix: [], after: nil) { key, row in
        let zone = ZoneID(String(decoding: key.prefix { $0 != 0 }, as: UTF8.self))
        let change = try row.reading(allowingRest: true) {
          try Change(&$0, series: nobody, after: VersionVector())
        }
        changes.append((zone, change))
        return true
      }
    }
    return changes
  }
}

extension [UInt8] {
  fileprivate func holds(_ part: [UInt8]) -> Bool {
    guard let first = part.first, count >= part.count else { return false }
    var start = startIndex
    while let found = self[start...].firstIndex(of: first), found + part.count <= endIndex {
      if self[found..<found + part.count].elementsEqual(part) { return true }
      start = found + 1
    }
    return false
  }
}

/// All sealed changes of a world, under the names that every device must give them.
///
/// It derives the names again, from the tree of hashes: where a series parts, the branch with the
/// least hash keeps the name, and each other one is called by its own first hash.
struct SimulatedHistory {
  private(set) var entries: [ContentHash: SimulatedLog.Entry] = [:]
  /// The name of each change.
  private(set) var dots: [ContentHash: Dot] = [:]
  private var pasts: [ContentHash: [ReplicaID: UInt64]] = [:]
  /// Changes that have two successors.
  private(set) var forks = 0

  init(_ log: [SimulatedLog.Entry]) {
    var next: [ContentHash: Set<ContentHash>] = [:]
    var roots: [ContentHash: ReplicaID] = [:]
    for entry in log {
      entries[entry.hash] = entry
      next[entry.previous, default: []].insert(entry.hash)
      if entry.dot.seq == 1 { roots[entry.previous] = entry.dot.replica }
    }
    var open = roots.map { (hash: $0.key, name: $0.value) }
    while let (hash, name) = open.popLast() {
      let successors = next[hash, default: []].sorted()
      if successors.count > 1 { forks += 1 }
      for (index, successor) in successors.enumerated() {
        guard let entry = entries[successor] else { continue }
        let own = index == 0 ? name : ReplicaID(high: successor.high, low: successor.low)
        dots[successor] = Dot(own, entry.dot.seq)
        var past = pasts[hash, default: [:]]
        past[own] = entry.dot.seq
        pasts[successor] = past
        open.append((successor, own))
      }
    }
  }

  /// The model of each zone.
  ///
  /// - Throws: ``SyncError`` `internal.bug` when a change names one that does not exist.
  func oracles() throws -> [ZoneID: Oracle] {
    var oracles: [ZoneID: Oracle] = [:]
    for (hash, entry) in entries {
      guard let dot = dots[hash] else {
        throw SyncError(.bug, "Change \(entry.dot) hangs in the air: what it follows is nowhere.")
      }
      var change = entry.change
      change.context = try context(of: entry)
      oracles[entry.zone, default: Oracle(zone: entry.zone)].insert(change, at: dot)
    }
    // A branch keeps its numbers; the model wants to see every series from its first change on.
    let nothing = Change(
      stamp: Stamp(time: 0, replica: ReplicaID(high: 0, low: 0)),
      batch: BatchID(from: SyncEnvironment(now: { 0 }, random: { 0 })), context: VersionVector(),
      operations: [])
    for (zone, oracle) in oracles {
      for dot in oracle.changes.keys where dot.seq > 1 {
        var before = Dot(dot.replica, dot.seq - 1)
        while before.seq > 0, oracles[zone]?.changes[before] == nil {
          oracles[zone]?.insert(nothing, at: before)
          before.seq -= 1
        }
      }
    }
    return oracles
  }

  /// What a change has seen, in the common names: every named head with all that leads to it.
  private func context(of entry: SimulatedLog.Entry) throws -> VersionVector {
    var context = VersionVector()
    for (replica, head) in entry.change.context.sorted {
      guard let past = pasts[head.hash] else {
        throw SyncError(.bug, "A change has seen \(replica)/\(head.seq), which is nowhere.")
      }
      for (name, seq) in past where seq > context[name]?.seq ?? 0 {
        context[name] = Head(seq: seq, hash: head.hash)
      }
    }
    for (name, seq) in pasts[entry.previous, default: [:]]
    where name != dots[entry.hash]?.replica && seq > context[name]?.seq ?? 0 {
      context[name] = Head(seq: seq, hash: entry.previous)
    }
    return context
  }
}
