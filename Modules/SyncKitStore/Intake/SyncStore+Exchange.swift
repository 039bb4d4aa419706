import SyncKitModel

/// Which changes a segment holds that waits: from a number to a hash.
package struct WaitingSegment: Hashable {
  package let zone: ZoneID
  package let series: ReplicaID
  package let first: UInt64
  package let head: ContentHash

  package init(_ info: SegmentInfo) {
    (zone, series, first, head) = (info.zone, info.series, info.first, info.head)
  }

  package init(_ reference: SegmentReference) {
    (zone, series, first) = (reference.zone, reference.series, reference.first)
    head = reference.head
  }

  /// Reads the key of a waiting segment; see ``Keys/waiting(_:)``.
  package init?(key: [UInt8]) {
    guard key.count > 41 else { return nil }
    zone = ZoneID(String(decoding: key.dropLast(41), as: UTF8.self))
    let ids = Array(key.suffix(40))
    series = ReplicaID(high: UInt64(bigEndian: ids[0..<8]), low: UInt64(bigEndian: ids[8..<16]))
    first = UInt64(bigEndian: ids[16..<24])
    head = ContentHash(digest: ids[24..<40])
  }
}

// What the engine asks of a store.
extension SyncStore {
  /// Whether nothing has ever been applied here.
  package func isEmpty() throws -> Bool {
    try read { try $0.zones().values.allSatisfy { $0.vector.heads.isEmpty && $0.ownLast == 0 } }
  }

  // MARK: Waiting

  /// The segments that were fetched before and could not be applied yet; what they wait for may be
  /// nothing that is taken in any more.
  package func waitingSegments() throws -> [ZoneID: [Segment]] {
    let rows = try storage.read { try $0.entries(.waiting) }
    guard !rows.isEmpty else { return [:] }
    let segments = Dictionary(grouping: try rows.map { try coding.read($0.value) }, by: \.info.zone)
    let closed = try read { try $0.closedZones(among: Set(segments.keys)) }
    return segments.filter { !closed.contains($0.key) }
  }

  /// The content of waiting segments; they need not be fetched again.
  ///
  /// A merged segment ends like its last part, so the end alone is not enough.
  package func waitingPieces() throws -> Set<WaitingSegment> {
    try storage.read { reader in
      Set(try reader.entries(.waiting).compactMap { key, _ in WaitingSegment(key: key) })
    }
  }

  /// How many changes wait.
  package func waitingCount() throws -> Int {
    try waitingSegments().values.joined().reduce(0) {
      $0 + Int(clamping: $1.info.last - $1.info.first) + 1
    }
  }

  /// Keeps the segments of a zone that could not be applied, and only these.
  func keepWaiting(_ segments: [Segment], of zone: ZoneID) throws {
    let wanted = Dictionary(
      segments.map { (Keys.waiting($0.info), $0.bytes) }, uniquingKeysWith: { first, _ in first })
    let present = Set(
      try storage.read { try $0.entries(.waiting, prefix: Keys.prefix(zone)).map(\.key) })
    guard present != Set(wanted.keys) else { return }
    try storage.write { writer in
      for key in present where wanted[key] == nil { try writer.delete(.waiting, key) }
      for (key, bytes) in wanted.sorted(by: { $0.key.precedes($1.key) }) {
        try writer.put(.waiting, key, bytes)
      }
    }
  }

  /// Whether this device has written a segment.
  package func isOwn(_ segment: Segment) throws -> Bool {
    try read { try $0.zone(segment.info.zone).own == segment.info.series }
  }

  // MARK: Sealing

  /// Milliseconds between two acknowledgements that a device sends alone: one day.
  static let acknowledgementInterval: Int64 = 86_400_000
  /// A device that only reads acknowledges sooner after this many operations of others: snapshots keep hashes
  /// for changes that a device has not acknowledged.
  static let acknowledgementCount: UInt64 = 200

  /// Introduces the device, acknowledges what it has applied, expires old deletions, and seals all own
  /// changes.
  ///
  /// When this has returned, every own change is sealed in the sense of the sync model: it is durable and
  /// will never be altered. Writes nothing when there is nothing to seal.
  ///
  /// A zone that contains something that its owner keeps here is left as it is.
  /// - Throws: ``SyncError`` `egress.denied` when there is one, after all others are sealed.
  package func seal(_ retention: Retention = Retention()) throws {
    var kept: Set<ZoneID> = []
    var obstacle: SyncError?
    let isNeeded = try read { reader in
      kept = try reader.withheldZones()
      for (id, zone) in try reader.zones().sorted(by: { $0.key < $1.key })
      where zone.isPublished && !kept.contains(id) {
        guard let found = try reader.obstacle(in: id, zone) else { continue }
        obstacle = obstacle ?? found
        kept.insert(id)
      }
      var zones = try reader.zones()
      if zones[.home] == nil { zones[.home] = try reader.zone(.home) }
      let shared = try reader.storage.sharedZones()
      return try zones.contains { id, zone in
        guard zone.isPublished, !kept.contains(id), shared[id]?.access.role.mayWrite ?? true
        else { return false }
        return try zone.ownLast > zone.sealedLast || isIntroductionDue(id, zone, reader.state)
          || isAcknowledgementDue(zone)
      }
    }
    if isNeeded { try seal(besides: kept, retention) }
    if let obstacle { throw obstacle }
  }

  private func seal(besides kept: Set<ZoneID>, _ retention: Retention) throws {
    let sealed = try transaction { transaction in
      var ids = Set(
        try transaction.storage.entries(.meta, prefix: Keys.zones).map { key, _ in
          ZoneID(String(decoding: key.dropFirst(Keys.zones.count), as: UTF8.self))
        })
      ids.insert(.home)
      var heads: [String: String] = [:]
      for id in ids.sorted()
      where try !kept.contains(id) && transaction.zone(id).isPublished
        && transaction.isWritable(id)
      {
        try transaction.forgetDeleted(in: id, retention, besides: device)
        try introduce(id, transaction)
        try transaction.seal(id, domain: domain.name)
        heads[id.text] = Witness.text(try transaction.zone(id))
      }
      return heads
    }
    try saveWitness { $0.sealed.merge(sealed) { $1 } }
  }

  private func isIntroductionDue(
    _ id: ZoneID, _ zone: ZoneState, _ state: (RecordKey) throws -> RecordState
  ) throws -> Bool {
    let known = try state(DeviceRecord.key(id, zone.own))
    func isTold(_ field: FieldName, _ text: String) -> Bool {
      known[field].map { NewestPolicy().shown($0.siblings) } == .string(text)
    }
    return !isTold(DeviceRecord.name, device.name) || !isTold(DeviceRecord.device, device.id)
  }

  private func isAcknowledgementDue(_ zone: ZoneState) -> Bool {
    zone.unacknowledged >= Self.acknowledgementCount
      || zone.unacknowledged > 0
        && environment.now() &- zone.acknowledgedAt >= Self.acknowledgementInterval
  }

  /// Writes the device record of a zone where that is due.
  private func introduce(_ id: ZoneID, _ transaction: StoreTransaction) throws {
    var zone = try transaction.zone(id)
    let isNew = try isIntroductionDue(id, zone, transaction.record)
    let joins = zone.ownLast > zone.sealedLast && zone.unacknowledged > 0
    guard isNew || joins || isAcknowledgementDue(zone) else { return }
    var vector = ByteWriter()
    vector.write(zone.vector)
    var writes = [
      FieldWrite(name: DeviceRecord.acknowledged, value: .bytes(vector.bytes)),
      FieldWrite(name: DeviceRecord.lastSeen, value: .instant(environment.now())),
    ]
    if isNew {
      writes.append(FieldWrite(name: DeviceRecord.device, value: .string(device.id)))
      writes.append(FieldWrite(name: DeviceRecord.name, value: .string(device.name)))
    }
    let author = BatchAuthor(transaction, batch: BatchID(from: environment))
    let key = DeviceRecord.key(id, zone.own)
    let kind: OperationKind = isNew ? .create : .touch
    try author.append(RecordOperation(kind, key.collection, key.id, writes), in: id)
    try author.finish()
    zone = try transaction.zone(id)
    zone.unacknowledged = 0
    zone.acknowledgedAt = environment.now()
    transaction.setZone(id, zone)
  }
}

extension StoreTransaction {
  /// Registers that have become conflicted; writes all records, so that it can tell.
  func countNewConflicts() throws -> Int {
    try flushRecords()
    return newConflicts
  }
}

extension SyncStore {
  /// The zones whose content may leave the device for a remote.
  func publishedZones(to remote: String) throws -> Set<ZoneID> {
    try read { reader in
      Set(try reader.zones().filter(\.value.isPublished).keys)
        .subtracting(try reader.withheldZones())
        .subtracting(try reader.storage.foreignZones(on: remote).unwritten)
    }
  }

  /// Operations on the domain's own records that are not sealed yet.
  package func unsealedOperations() throws -> Int {
    try read { reader in try reader.unsealedOperations() }
  }
}

extension StoreReader {
  package func unsealedOperations() throws -> Int {
    var count = 0
    let kept = try withheldZones()
    for (id, zone) in try zones() where zone.isPublished && !kept.contains(id) {
      var context = zone.sealedContext
      for row in try unsealed(id) {
        let change = try row.bytes.reading(allowingRest: true) {
          try Change(&$0, series: zone.own, after: context)
        }
        context = change.context
        count += change.operations.filter(\.isOfDomain).count
      }
    }
    return count
  }
}
