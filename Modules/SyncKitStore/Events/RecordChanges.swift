import SyncKitModel

/// The records that changed in a run for one reason.
public struct RecordChanges: Hashable, Sendable {
  /// Why they changed.
  public let reason: SyncEvent.Reason
  /// The records, as many as are named: ``most`` at most.
  public private(set) var records: Set<RecordKey> = []
  /// How many records there are; beyond those that are named, one that changed twice may count twice.
  public private(set) var count = 0

  /// The most records that are named.
  public static let most = 1_000

  /// Whether no more records are named than are already.
  package var isFull: Bool { records.count >= Self.most }

  fileprivate init(_ reason: SyncEvent.Reason) { self.reason = reason }

  fileprivate mutating func add(_ other: RecordChanges) {
    add(other.records)
    count += other.count - other.records.count
  }

  fileprivate mutating func add(_ keys: some Sequence<RecordKey>) {
    for key in keys where !records.contains(key) {
      if !isFull { records.insert(key) }
      count += 1
    }
  }
}

extension SyncReport {
  /// Adds what another run has changed.
  package mutating func add(_ other: RecordChanges) {
    let index = changes.firstIndex { $0.reason == other.reason } ?? changes.endIndex
    if index == changes.endIndex { changes.append(RecordChanges(other.reason)) }
    changes[index].add(other)
  }

  /// Notes the domain's own records among those that changed.
  package mutating func note(_ touched: some Sequence<RecordKey>, _ reason: SyncEvent.Reason) {
    let keys = Set(touched.lazy.filter { !Rules.isSystem($0.collection) })
    guard !keys.isEmpty else { return }
    let index = changes.firstIndex { $0.reason == reason } ?? changes.endIndex
    if index == changes.endIndex { changes.append(RecordChanges(reason)) }
    changes[index].add(keys)
  }

  /// Notes the records that a segment of this device carries to a remote; enough are named at last.
  package mutating func noteSent(_ segment: Segment, _ coding: any SegmentCoding) throws {
    guard changes.first(where: { $0.reason == .local })?.isFull != true else { return }
    try segment.forEachChange(coding) { change in
      note(
        change.editedRecords.map {
          RecordKey(zone: segment.info.zone, collection: $0.collection, id: $0.id)
        }, .local)
    }
  }
}

extension Change {
  /// The domain's own records that the change says something of; an ancestor is only mentioned.
  var editedRecords: [RootName] {
    operations.lazy.filter { $0.isOfDomain && ($0.kind != .edit || !$0.writes.isEmpty) }
      .map { RootName(collection: $0.collection, id: $0.id) }
  }
}
