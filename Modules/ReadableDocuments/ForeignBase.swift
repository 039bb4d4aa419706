import SyncKitModel
import SyncKitStore

/// What segments say of records: what an edit of a document is measured by.
///
/// Records are found by what the document calls them. The names are collected zone by zone, when they are
/// asked for.
final class ForeignBase<Document: ReadableDocument> {
  private struct Published: Hashable {
    let collection: CollectionName
    let parent: RecordKey?
    let id: RecordID
  }

  let rules: Rules
  private let replicas: DocumentReplicas
  private let document: Document
  private let collections: Set<CollectionName>
  /// The records that stand in no other one, of all zones.
  private var outermost: [Published: RecordKey] = [:]
  /// The records that stand in others of one zone.
  private var inner: (zone: ZoneID, names: [Published: RecordKey])?

  init(_ replicas: DocumentReplicas, _ document: Document) throws {
    rules = Rules(replicas.domain.schema)
    self.replicas = replicas
    self.document = document
    collections = document.collections
    for zone in replicas.zones {
      try forEachName(of: zone, inner: false) { outermost[$0] = $1 }
    }
  }

  /// The record that the document calls so.
  func key(_ collection: CollectionName, in parent: RecordKey?, id: String) throws -> RecordKey? {
    let name = Published(collection: collection, parent: parent, id: RecordID(id))
    guard let parent else { return outermost[name] }
    if inner?.zone != parent.zone {
      var names: [Published: RecordKey] = [:]
      try forEachName(of: parent.zone, inner: true) { names[$0] = $1 }
      inner = (parent.zone, names)
    }
    return inner?.names[name]
  }

  /// What is known of a record; nil for a new one.
  func known(_ key: RecordKey) throws -> ForeignRecord.Known? {
    guard collections.contains(key.collection) else { return nil }
    return try replicas.replica(of: key.zone)?.record(key).map(known)
  }

  /// Whether a record was erased, so that nothing brings it back.
  func isErased(_ key: RecordKey) throws -> Bool {
    try replicas.replica(of: key.zone)?.isErased(key) ?? false
  }

  /// What has been applied of a zone.
  func vector(of zone: ZoneID) throws -> VersionVector {
    try replicas.replica(of: zone)?.vector() ?? VersionVector()
  }

  private func known(_ record: ReplicatedRecord) throws -> ForeignRecord.Known {
    // Through the document and back, so that what it cannot express is no difference.
    let object = document.write(record.document)
    let shown = try document.read(
      object, of: record.key.collection, in: record.parent?.id, over: object)
    return ForeignRecord.Known(replicated: record, object: object, shown: shown)
  }

  private func forEachName(
    of zone: ZoneID, inner: Bool, _ body: (Published, RecordKey) -> Void
  ) throws {
    try replicas.replica(of: zone)?.forEachRecord(of: collections) { record in
      guard (record.parent != nil) == inner else { return }
      let name = Published(
        collection: record.key.collection, parent: record.parent,
        id: RecordID(try known(record).shown.published))
      body(name, record.key)
    }
  }
}
