import SyncKitModel

/// What a store remembers of a zone that was erased on another device before edits of this device had arrived
/// there: they continue in a local zone that no person here has chosen.
struct RetainedTree: Hashable, Sendable {
  /// The remote that listed the erasure.
  package var remote: String
  /// The batches that have carried the edits over.
  package var batches: Set<BatchID>
  /// The records that held such edits then: collection and id.
  package var records: Set<RootName>

  private static let version: UInt8 = 1

  package init(remote: String, batch: BatchID, records: Set<RootName>) {
    (self.remote, self.records) = (remote, records)
    batches = [batch]
  }

  package var encoded: [UInt8] {
    var writer = ByteWriter()
    writer.write(byte: Self.version)
    writer.write(text: remote)
    writer.write(count: batches.count)
    for batch in batches.map(\.description).sorted() { writer.write(text: batch) }
    writer.write(count: records.count)
    let sorted = records.sorted { ($0.collection, $0.id) < ($1.collection, $1.id) }
    for record in sorted {
      writer.write(text: record.collection.text)
      writer.write(text: record.id.text)
    }
    return writer.bytes
  }

  package init(decoding row: [UInt8]) throws {
    self = try row.reading { reader in
      guard try reader.byte() == Self.version else {
        throw SyncError(
          .storeNewer, "Kept edits were written by a newer version of cloudsync.",
          hint: "Upgrade cloudsync on this device.")
      }
      var kept = RetainedTree(remote: try reader.text())
      for _ in 0..<(try reader.count(of: 1)) {
        guard let batch = BatchID(try reader.text()) else { throw Keys.damaged("a kept tree") }
        kept.batches.insert(batch)
      }
      for _ in 0..<(try reader.count(of: 2)) {
        kept.records.insert(
          RootName(collection: CollectionName(try reader.text()), id: RecordID(try reader.text())))
      }
      return kept
    }
  }

  private init(remote: String) { (self.remote, batches, records) = (remote, [], []) }
}

extension StorageReader {
  /// Why edits in a zone stay here without a choice; nil when they leave, or stay by choice.
  func reasonNotToSend(_ id: ZoneID, _ zone: ZoneState) throws -> UnsentEdits? {
    guard !zone.isClosed, id != .local, id != .home else { return nil }
    guard zone.isPublished else {
      return try retainedTree(id).map { UnsentEdits(.erased, remote: $0.remote) }
    }
    if let shared = try sharedZone(id), !shared.access.role.mayWrite, shared.access.role != .left {
      return UnsentEdits(
        shared.access.role == .reader ? .reader : .removed, owner: shared.access.owner,
        remote: shared.remote)
    }
    for (key, row) in try entries(.meta, prefix: Keys.idCollisions)
    where key.split(separator: 0).last.map({ $0.elementsEqual(id.text.utf8) }) == true {
      let theirs = try SharedZone(decoding: row)
      return UnsentEdits(.idCollision, owner: theirs.access.owner, remote: theirs.remote)
    }
    return nil
  }

  func retainedTree(_ id: ZoneID) throws -> RetainedTree? {
    try get(.meta, Keys.kept(id)).map { try RetainedTree(decoding: $0) }
  }
}

extension StoreTransaction {
  /// Why what was written in some zones stays on this device, each reason once.
  func reasonsNotToSend(_ zones: some Sequence<ZoneID>) throws -> [UnsentEdits] {
    var reasons: [UnsentEdits] = []
    for id in zones.sorted() {
      guard var reason = try storage.reasonNotToSend(id, zone(id)) else { continue }
      reason.domain = rules.schema.name
      reason.root = try rules.root(of: id, in: storage, symbols)
        .map { RecordKey(zone: id, collection: $0.collection, id: $0.id) }
      reasons.append(reason)
    }
    return reasons
  }
}

extension StoreReader {
  /// The edits of this device that no remote gets as things stand, by tree.
  ///
  /// Those in a tree that is kept apart from another one are left out: a run with that remote fails, and says
  /// what helps.
  package func unsentEdits() throws -> [UnsentEdits] {
    var found: [UnsentEdits] = []
    let withheld = try withheldZones()
    for (id, zone) in try zones().sorted(by: { $0.key < $1.key }) where !withheld.contains(id) {
      guard var edits = try storage.reasonNotToSend(id, zone), edits.reason != .idCollision else {
        continue
      }
      edits.records = try records(
        notSentIn: id, zone, beyond: storage.sharedZone(id)?.sent)
      guard !edits.records.isEmpty else { continue }
      edits.domain = rules.schema.name
      edits.root = try rules.root(of: id, in: storage, symbols)
        .map { RecordKey(zone: id, collection: $0.collection, id: $0.id) }
      found.append(edits)
    }
    return found
  }

  /// The records with own edits in a zone of which nothing leaves; `sent` is the last one that did.
  package func records(
    notSentIn id: ZoneID, _ zone: ZoneState, beyond sent: Dot?
  ) throws -> [RecordKey] {
    let kept = try storage.retainedTree(id)
    var names = kept?.records ?? []
    var context = zone.sealedContext
    for row in try unsealed(id) {
      let change = try row.bytes.reading(allowingRest: true) {
        try Change(&$0, series: zone.own, after: context)
      }
      context = change.context
      guard kept?.batches.contains(change.batch) != true else { continue }
      names.formUnion(change.editedRecords)
    }
    for row in try logRows(id) where !row.isHashIndex {
      let last = row.series == sent?.replica ? sent?.seq ?? 0 : 0
      // In a repaired store what was not sealed lies in a series of its own.
      let isOwn = sent.map { row.series == zone.own || row.series == $0.replica } ?? (kept != nil)
      guard isOwn, row.last > last else { continue }
      let segment = try segment(row)
      var context = segment.info.base
      for bytes in try coding.changes(of: segment) {
        let change = try bytes.reading(allowingRest: true) {
          try Change(&$0, series: segment.info.series, after: context)
        }
        context = change.context
        guard kept?.batches.contains(change.batch) != true else { continue }
        names.formUnion(change.editedRecords)
      }
    }
    return names.map { RecordKey(zone: id, collection: $0.collection, id: $0.id) }.sorted()
  }
}
