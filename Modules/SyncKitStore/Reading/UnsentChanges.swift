import SyncKitModel

/// What would be lost with a store: changes that no remote has and another store lacks.
///
/// Asked before one store replaces another. It only reads, so it accepts a store whose continuity was not
/// checked, such as one that is about to be put aside.
package struct UnsentChanges {
  private let domain: any SyncDomain
  private let coding: any SegmentCoding
  private let remotes: [String]

  /// Prepares to count changes of a domain that none of these remotes has.
  package init(of domain: any SyncDomain, coding: any SegmentCoding, remotes: [String]) {
    self.domain = domain
    self.coding = coding
    self.remotes = remotes
  }

  /// Counts the changes of records that only one store has.
  ///
  /// Local fields count once for each record in which they differ. Incidental writes, such as a count of
  /// uses, do not count until they are sealed.
  ///
  /// - Parameters:
  ///   - storage: The store to be replaced.
  ///   - other: The store that replaces it; nil when none does.
  ///   - zone: The only zone to look at; nil for all.
  /// - Returns: Their number.
  /// - Throws: ``SyncError`` `store.damaged` and the like.
  package func count(
    in storage: any Storage, besides other: (any Storage)?, zone: ZoneID? = nil
  ) throws -> Int {
    guard let other else {
      return try storage.read { try count(in: reader($0), besides: nil, only: zone) }
    }
    return try storage.read { own in
      try other.read { try count(in: reader(own), besides: reader($0), only: zone) }
    }
  }

  /// Counts the changes of records in a zone of a store that is being read or written.
  ///
  /// - Throws: ``SyncError`` `store.damaged` and the like.
  func count(in reader: any StorageReader, zone: ZoneID) throws -> Int {
    try count(in: self.reader(reader), besides: nil, only: zone)
  }

  private func reader(_ storage: any StorageReader) throws -> StoreReader {
    StoreReader(
      storage: storage, rules: Rules(domain.schema),
      symbols: try SymbolTable().extended(from: storage), device: Device(id: "", name: ""),
      coding: coding)
  }

  private func count(
    in store: StoreReader, besides other: StoreReader?, only: ZoneID?
  ) throws -> Int {
    let states = try remotes.map { name in
      try store.storage.get(.meta, Keys.remote(name)).map { try RemoteState(decoding: $0) }
        ?? RemoteState()
    }
    var count = 0
    // What is left of a closed zone is history: its records live elsewhere.
    for (id, zone) in try store.zones() where !zone.isClosed && only ?? id == id {
      // A remote stops telling of a tree whose owner has taken this person's part away.
      let sent = try store.storage.sharedZone(id)?.sent
      for row in try store.logRows(id) where row.operations > 0 {
        let isSent =
          states.contains { ($0.acknowledged[id]?[row.series]?.seq ?? 0) >= row.last }
          || sent.map { row.isKnown(upTo: $0, own: zone.own) } ?? false
        if try !isSent && other?.has(row, in: id) != true { count += row.operations }
      }
      count += try unsealed(in: id, zone, store, besides: other)
    }
    return try only == nil ? count + localRows(in: store, besides: other) : count
  }

  /// The operations of changes that no other device can have seen.
  private func unsealed(
    in id: ZoneID, _ zone: ZoneState, _ store: StoreReader, besides other: StoreReader?
  ) throws -> Int {
    let rows = try store.unsealed(id)
    guard !rows.isEmpty else { return 0 }
    let known = try other?.unsealedBatches(in: id) ?? []
    var head = zone.sealed?.hash ?? coding.root(zone: id, replica: zone.own)
    var context = zone.sealedContext
    var count = 0
    for row in rows {
      let change = try row.bytes.reading(allowingRest: true) {
        try Change(&$0, series: zone.own, after: context)
      }
      context = change.context
      head = coding.chain(head, row.bytes)
      let isKnown =
        try known.contains(BatchPart(change))
        || other?.locate(id, zone.own, at: row.seq, head) != nil
      if !isKnown { count += change.operations.count { $0.isOfDomain && $0.kind != .touch } }
    }
    return count
  }

  private func localRows(in store: StoreReader, besides other: StoreReader?) throws -> Int {
    var count = 0
    try store.storage.scan(.local, prefix: [], after: nil) { key, row in
      if try other?.storage.get(.local, key) != row { count += 1 }
      return true
    }
    return count
  }
}

/// A change by what it keeps when it is issued again under another number.
private struct BatchPart: Hashable {
  var batch: BatchID
  var stamp: Stamp
  var part: Int

  init(_ change: Change) {
    batch = change.batch
    stamp = change.stamp
    part = change.part
  }
}

extension LogRow {
  /// Whether a remote that has told how far this device's series has come there has these changes: they came from
  /// there, or are no later than that.
  fileprivate func isKnown(upTo sent: Dot, own: ReplicaID) -> Bool {
    series == sent.replica ? last <= sent.seq : series != own
  }
}

extension StoreReader {
  /// Whether the last change of a segment is here, by whatever name.
  fileprivate func has(_ row: LogRow, in id: ZoneID) throws -> Bool {
    try locate(id, row.wire, at: row.last, row.head) != nil
  }

  fileprivate func unsealedBatches(in id: ZoneID) throws -> Set<BatchPart> {
    var parts: Set<BatchPart> = []
    try forEachUnsealedChange(in: id, zone(id)) { parts.insert(BatchPart($0)) }
    return parts
  }
}
