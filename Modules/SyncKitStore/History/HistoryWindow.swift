import SyncKitModel

/// How long a device keeps the changes that led to the current state, and when it prunes them.
package struct HistoryWindow: Sendable {
  private static let day: Int64 = 86_400_000

  /// Changes are kept for so long, in milliseconds.
  package var kept: Int64
  /// A store looks for what may go once in so long: a day.
  package var pause = day
  /// The least size of old segments that is worth the work, in bytes: 64 KiB.
  package var least = 64 << 10
  /// The fewest hashes of each log that stay.
  package var hashes: UInt64 = 256
  /// A remote that was not reached for this long delays nothing: 180 days.
  package var patience = 180 * day

  /// Keeps changes for the given time, in milliseconds.
  package init(keeping kept: Int64) { self.kept = kept }

  /// Prunes everything that is worth it, at once.
  package var thorough: HistoryWindow {
    var window = self
    (window.pause, window.least) = (0, 1)
    return window
  }
}

/// What a store knows of the history of a zone that it does not keep.
struct HistoryStart: Hashable, Sendable {
  /// Everything that was written after this time is here, in milliseconds; 0 before anything was pruned.
  package var since: Int64 = 0
  /// How many bytes could have gone when that was tried last and not worth while.
  package var tried = 0

  private static let version: UInt8 = 1

  package init() {}

  package init(decoding row: [UInt8]) throws {
    (since, tried) = try row.reading { reader in
      guard try reader.byte() == Self.version else {
        throw SyncError(
          .storeNewer, "A zone was written by a newer version of cloudsync.",
          hint: "Upgrade cloudsync on this device.")
      }
      return (try reader.signed(), Int(clamping: try reader.varint()))
    }
  }

  package var encoded: [UInt8] {
    var writer = ByteWriter()
    writer.write(byte: Self.version)
    writer.write(signed: since)
    writer.write(count: tried)
    return writer.bytes
  }
}

extension LogLookup {
  func historyStart(_ id: ZoneID) throws -> HistoryStart {
    try source.get(.meta, Keys.history(id)).map { try HistoryStart(decoding: $0) } ?? HistoryStart()
  }

  /// Everything that was written to a zone after these milliseconds is here; nil when all is.
  package func historyBegins(_ id: ZoneID) throws -> Int64? {
    let since = try historyStart(id).since
    if since > 0 { return since }
    // A store that began with a snapshot before this was written down.
    return try baseRows(id).map { Int64(clamping: $0.newest >> 16) }.max()
  }
}

extension SyncStore {
  /// Since when this store has the whole history, in milliseconds since 1970.
  ///
  /// What was written before that may be known by its result alone. Nil when everything from the first
  /// change on is here. `zone` asks for one zone only.
  public func historyBegins(in zone: ZoneID? = nil) throws -> Int64? {
    try read { reader in
      let zones = try zone.map { [$0] } ?? reader.zones().filter { !$0.value.isClosed }.map(\.key)
      return try zones.compactMap(reader.historyBegins).max()
    }
  }

  /// Prunes changes that are older than the window: the state that they led to stays, and stands for them on
  /// remotes that lack them.
  ///
  /// The store is then like one that began with a snapshot of its own state and got the newer changes one by
  /// one. State, vector and digest are the same. A zone is left as it is when it is local, has participants,
  /// or has changes that wait or are not sealed, when a fork is known, when no remote has it, or when all
  /// other devices seem to be silent, since this device's clock may be wrong then.
  /// - Returns: How many bytes of segments were removed.
  @discardableResult
  package func pruneHistory(beyond window: HistoryWindow) throws -> Int {
    let now = environment.now()
    let last = try storage.read { reader in
      try reader.get(.meta, Keys.lookedBack).map { try $0.reading { try $0.signed() } }
    }
    if let last, window.pause > 0, (last..<last &+ window.pause).contains(now) { return 0 }
    var freed = 0
    for id in try read({ try $0.zones() }).keys.sorted() {
      guard let old = try read({ try $0.oldHistory(of: id, beyond: window, now: now) }) else {
        continue
      }
      let snapshot = try read { reader in
        try reader.snapshot(replacing: old, domain: domain.name, window, now: now)
      }
      freed += try transaction { try $0.pruneHistory(old, for: snapshot) }
    }
    var time = ByteWriter()
    time.write(signed: now)
    try storage.write { try $0.put(.meta, Keys.lookedBack, time.bytes) }
    return freed
  }
}

/// What of a zone is old enough to go.
struct OldHistory {
  package let id: ZoneID
  /// The zone when that was found out; nothing goes if it is another one by then.
  package let zone: ZoneState
  /// Of each series the last change that goes.
  package var last: [(series: ReplicaID, seq: UInt64)] = []
  /// The bytes of the segments that go.
  package var bytes = 0
  /// The newest stamp in them, in milliseconds.
  package var newest: Int64 = 0
  /// Hashes that stay for remotes that were not met for long.
  package var windows: [ReplicaID: [ClosedRange<UInt64>]] = [:]
}

extension StoreReader {
  /// How many hashes stay behind what a remote had that was not reached for long.
  private static let behind: UInt64 = 256

  /// What of a zone may go; nil when nothing may, or it is not worth while.
  func oldHistory(
    of id: ZoneID, beyond window: HistoryWindow, now: Int64
  ) throws -> OldHistory? {
    let zone = try zone(id)
    guard zone.isPublished, !zone.isClosed, zone.branches.isEmpty,
      zone.ownLast == zone.sealedLast, try storage.sharedZone(id) == nil,
      try !withheldZones().contains(id), try isSettled(id)
    else { return nil }
    let devices = try storage.acknowledgements(in: id, zone, besides: device, symbols)
    guard devices.isEmpty || devices.contains(where: { now &- $0.last < window.patience }) else {
      return nil
    }
    var old = OldHistory(id: id, zone: zone)
    guard let floor = try floor(of: id, window, now, &old) else { return nil }
    var total = 0
    for series in try seriesNames(id) {
      var isOld = true
      var last: UInt64 = 0
      for row in try logRows(id, series) {
        total += row.size
        let time = Int64(clamping: row.newest >> 16)
        isOld = isOld && time < now &- window.kept && row.last <= floor[series] ?? .max
        guard isOld else { continue }
        old.bytes += row.size
        if !row.isHashIndex {
          last = row.last
          old.newest = max(old.newest, time)
        }
      }
      if last > 0 { old.last.append((series, last)) }
    }
    guard old.bytes >= max(window.least, 1) else { return nil }
    guard window.pause > 0 else { return old }
    let tried = try historyStart(id).tried
    return 4 * old.bytes >= total && old.bytes >= tried + tried / 2 ? old : nil
  }

  private func isSettled(_ id: ZoneID) throws -> Bool {
    var isSettled = true
    try storage.scan(.waiting, prefix: Keys.prefix(id), after: nil) { _, _ in
      isSettled = false
      return false
    }
    return isSettled
  }

  /// How far each log may be pruned, because the remotes have it; nil when no remote has the zone.
  ///
  /// A remote that lacks a part of what it could still get delays pruning.
  private func floor(
    of id: ZoneID, _ window: HistoryWindow, _ now: Int64, _ old: inout OldHistory
  ) throws -> [ReplicaID: UInt64]? {
    var floor: [ReplicaID: UInt64] = [:]
    var isHeld = false
    for (_, row) in try storage.entries(.meta, prefix: Keys.remotes) {
      let remote = try RemoteState(decoding: row)
      guard remote.isAttached, let acknowledged = remote.acknowledged[id] else { continue }
      isHeld = true
      for (series, head) in old.zone.vector.sorted {
        let seq = min(acknowledged[series]?.seq ?? 0, head.seq)
        if remote.lastSync == 0 || now &- remote.lastSync < window.patience {
          floor[series] = min(floor[series] ?? .max, seq)
        } else if seq > 0 {
          old.windows[series, default: []].append(seq...min(seq + Self.behind - 1, head.seq))
        }
      }
    }
    return isHeld ? floor : nil
  }

  /// The present state with the hashes that must stay; nil when there is none now, or when it takes almost
  /// as much room as what would go.
  fileprivate func snapshot(
    replacing old: OldHistory, domain: String, _ window: HistoryWindow, now: Int64
  ) throws -> Snapshot? {
    var reaching = old.windows
    for (series, seq) in old.last {
      guard let head = old.zone.vector[series] else { continue }
      reaching[series, default: []].append(seq...head.seq)
    }
    guard try zone(old.id) == old.zone,
      let snapshot = try snapshot(
        of: old.id, domain: domain, keeping: window.hashes, reaching: reaching, now: now)
    else { return nil }
    // No device could bring it to a remote that lacks the changes.
    if rules.egress != nil, try rules.firstKept(in: snapshot) != nil { return nil }
    let former = try baseRows(old.id).reduce(0) { $0 + $1.size }
    let gain = old.bytes + former - snapshot.size
    return gain > 0 && (window.pause == 0 || 2 * gain >= old.bytes) ? snapshot : nil
  }
}

extension StoreTransaction {
  /// Makes a snapshot stand for old changes; without one, records that it was not worthwhile.
  ///
  /// - Returns: How many bytes of segments were removed.
  fileprivate func pruneHistory(_ old: OldHistory, for snapshot: Snapshot?) throws -> Int {
    let id = old.id
    guard try zone(id) == old.zone else { return 0 }
    var start = try historyStart(id)
    guard let snapshot else {
      start.tried = old.bytes
      try storage.put(.meta, Keys.history(id), start.encoded)
      return 0
    }
    start.since = max(try historyBegins(id) ?? 0, old.newest)
    start.tried = 0
    let hashIndexes = Dictionary(grouping: try snapshot.hashIndexes(), by: \.series)
    let stands = try storage.knownSnapshots().values.filter { $0.zone == id }.map(\.vector)
    for (series, last) in old.last {
      // The ends of the snapshots on remotes, so that no device takes them for another history.
      var ends = stands.compactMap { $0[series] }.filter { $0.seq <= last }
        .map { (seq: $0.seq, hash: $0.hash) }
      ends = try ends.filter { try hash(id, series, at: $0.seq) == $0.hash }
      for row in try logRows(id, series) where row.last <= last {
        try storage.delete(.series, Keys.series(id, series, row.last))
        if row.isHashIndex {
          try storage.delete(.meta, Keys.hashIndex(row.arrival))
        } else {
          try storage.delete(.segment, Keys.segment(row.arrival))
          ends.append((row.last, row.head))
        }
        chains.hashes[row.arrival] = nil
      }
      try noteFormerEnds(ends, of: series, in: id)
      for hashIndex in hashIndexes[series] ?? [] where hashIndex.first <= last {
        let count = Int(min(hashIndex.last, last) - hashIndex.first) + 1
        try put(hashIndex.part(0..<count), as: series, in: id)
      }
    }
    try replaceBases(of: id, by: snapshot)
    try storage.put(.meta, Keys.history(id), start.encoded)
    return old.bytes
  }

  private func replaceBases(of id: ZoneID, by snapshot: Snapshot) throws {
    let former = Set(try baseRows(id).map(\.series))
    try keepBase(snapshot, covering: snapshot.header.vector)
    let known = KnownSnapshot(id, snapshot.series, snapshot.header, isOwn: true)
    try storage.put(.meta, Keys.snapshot(id, snapshot.series), known.encoded)
    var acknowledged: Set<ReplicaID> = []
    for (_, row) in try storage.entries(.meta, prefix: Keys.remotes) {
      acknowledged.formUnion(
        try RemoteState(decoding: row).acknowledged[id]?.heads.keys.map { $0 } ?? [])
    }
    // No device will ever ask for those that no remote has.
    for series in former.subtracting(acknowledged).sorted() where series != snapshot.series {
      try storage.delete(.meta, Keys.snapshot(id, series))
    }
  }

  /// Notes that all that was written before a time may be known as state only.
  func noteHistory(since milliseconds: Int64, in id: ZoneID) throws {
    var start = try historyStart(id)
    guard milliseconds > start.since else { return }
    start.since = milliseconds
    try storage.put(.meta, Keys.history(id), start.encoded)
  }
}
