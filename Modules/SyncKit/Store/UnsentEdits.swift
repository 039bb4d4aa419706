/// Edits made on this device that no remote gets, although no person has chosen to keep them here.
///
/// They do not include what a person keeps on a device by scope, by configuration, or by never publishing it.
public struct UnsentEdits: Hashable, Sendable {
  /// Why edits stay here.
  public enum Reason: String, Hashable, Sendable, CaseIterable {
    /// Another person shares the tree to read.
    case reader
    /// Another person no longer shares the tree.
    case removed
    /// The tree was made local on another device; edits that it had not seen continue here as a local record.
    case erased
    /// Another person's tree on the remote has the same id.
    case namesake
    /// The domain was synced before and has no remote now.
    case noRemote = "no-remote"
    /// The domain was synced before and is switched off now.
    case disabled
  }

  /// Whose domain it is.
  public var domain = ""
  /// Why they stay.
  public var reason: Reason
  /// The record at the top of the tree; nil when it is not here, or when all trees are meant.
  public var root: RecordKey?
  /// What the owner of the tree is called; empty when that is this person, or not known.
  public var owner = ""
  /// The remote that does not get them; empty for all.
  public var remote = ""
  /// The records that hold such edits, in order.
  public var records: [RecordKey] = []

  init(_ reason: Reason, owner: String = "", remote: String = "") {
    self.reason = reason
    self.owner = owner
    self.remote = remote
  }
}

extension UnsentEdits {
  /// Why an edit that was just made stays on this device, and what helps, as a sentence.
  public var warning: String {
    switch reason {
    case .reader, .removed: "\(cause): the edit will not be sent. \(export)."
    case .erased: "\(cause): the edit will not be sent. \(letOut), or \(export)."
    case .namesake: "\(cause): the edit will not be sent there. 'cloudsync sync' says what helps."
    case .noRemote:
      "\(cause): the edit stays here until 'cloudsync config set domains.\(domain).remote NAME'"
        + " names one."
    case .disabled:
      "\(cause): the edit stays here until 'cloudsync config set domains.\(domain).enabled true'."
    }
  }

  /// What stays on this device, why, and what helps, as a sentence.
  public var summary: String {
    let what = "Edits of \(records.count) \(records.count == 1 ? "record" : "records") are not sent"
    return "\(what): \(cause). \(reason == .erased ? "\(letOut), or \(export)" : export)."
  }

  /// What the tree is called: `collection/id` of its root.
  public var name: String { root.map { "\($0.collection)/\($0.id)" } ?? "a record" }

  private var cause: String {
    let owner = owner.isEmpty ? "the owner" : owner
    return switch reason {
    case .reader: "\(owner) shares \(name) with you to read, not to write"
    case .removed: "\(owner) no longer shares \(name) with you"
    case .erased: "\(name) was made local on another device, and is a local record here"
    case .namesake: "\(name) is kept apart from \(owner)'s record with the same id on '\(remote)'"
    case .noRemote: "\(domain) was synced before and meets no remote now"
    case .disabled: "\(domain) was synced before and is switched off now"
    }
  }

  private var letOut: String { "'cloudsync \(domain) scope \(name) synced' lets it out" }

  private var export: String { "'cloudsync \(domain) export FILE --unsent' writes a copy" }
}

/// What a store remembers of a zone that was erased on another device before edits of this device had arrived
/// there: they continue in a local zone that no person here has chosen.
struct KeptTree: Hashable, Sendable {
  /// The remote that listed the erasure.
  var remote: String
  /// The batches that have carried the edits over.
  var batches: Set<BatchID>
  /// The records that held such edits then: collection and id.
  var records: Set<RootName>

  private static let version: UInt8 = 1

  init(remote: String, batch: BatchID, records: Set<RootName>) {
    (self.remote, self.records) = (remote, records)
    batches = [batch]
  }

  var encoded: [UInt8] {
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

  init(decoding row: [UInt8]) throws {
    self = try row.reading { reader in
      guard try reader.byte() == Self.version else {
        throw SyncError(
          .storeNewer, "Edits that were kept were written down by a newer version of cloudsync.",
          hint: "Upgrade cloudsync on this device.")
      }
      var kept = KeptTree(remote: try reader.text())
      for _ in 0..<(try reader.count(of: 1)) {
        guard let batch = BatchID(try reader.text()) else { throw Keys.damaged("a kept tree") }
        kept.batches.insert(batch)
      }
      for _ in 0..<(try reader.count(of: 2)) {
        kept.records.insert(
          RootName(collection: Name(try reader.text()), id: Name(try reader.text())))
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
      return try keptTree(id).map { UnsentEdits(.erased, remote: $0.remote) }
    }
    if let shared = try sharedZone(id), !shared.access.role.mayWrite, shared.access.role != .left {
      return UnsentEdits(
        shared.access.role == .reader ? .reader : .removed, owner: shared.access.owner,
        remote: shared.remote)
    }
    for (key, row) in try entries(.meta, prefix: Keys.namesakes)
    where key.split(separator: 0).last.map({ $0.elementsEqual(id.text.utf8) }) == true {
      let theirs = try SharedZone(decoding: row)
      return UnsentEdits(.namesake, owner: theirs.access.owner, remote: theirs.remote)
    }
    return nil
  }

  func keptTree(_ id: ZoneID) throws -> KeptTree? {
    try get(.meta, Keys.kept(id)).map { try KeptTree(decoding: $0) }
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
  func unsentEdits() throws -> [UnsentEdits] {
    var found: [UnsentEdits] = []
    let keptBack = try zonesKeptBack()
    for (id, zone) in try zones().sorted(by: { $0.key < $1.key }) where !keptBack.contains(id) {
      guard var edits = try storage.reasonNotToSend(id, zone), edits.reason != .namesake else {
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
  func records(
    notSentIn id: ZoneID, _ zone: ZoneState, beyond sent: Dot?
  ) throws -> [RecordKey] {
    let kept = try storage.keptTree(id)
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
    for row in try seriesRows(id) where !row.isOutline {
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

extension SyncStore {
  /// The edits of this device that no remote can get at present, although no person has chosen that, by tree.
  public func unsentEdits() throws -> [UnsentEdits] { try read { try $0.unsentEdits() } }

  /// Why new edits in some zones stay on this device without a choice.
  func reasonsNotToSend(
    _ zones: some Sequence<ZoneID>, _ transaction: StoreTransaction
  ) throws -> [UnsentEdits] {
    let reasons = try transaction.reasonsNotToSend(zones)
    guard reasons.isEmpty, let detachment, try transaction.storage.get(.meta, Keys.vault) != nil,
      try zones.contains(where: { id in
        guard id != .local, try transaction.zone(id).isPublished else { return false }
        return try rules.root(of: id, in: transaction.storage, transaction.symbols)
          .map { !rules.keepsBack($0) } ?? true
      })
    else { return reasons }
    var reason = UnsentEdits(detachment)
    reason.domain = domain.name
    return [reason]
  }
}
