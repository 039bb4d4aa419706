import SyncKitModel
import SyncKitStore

/// The changes that a program without segments has made in a document, as ordinary segments.
///
/// The id of such a log is a hash of its content, so all devices that read the same file over the same base
/// make the same bytes, and applying them twice changes nothing.
///
/// - The author counts as having seen what the base says, and nothing else.
/// - Only differences from the base are written, field by field.
/// - If several objects have one id, each gets a log of its own, so that they are concurrent and none is
///   lost.
/// - A missing member says nothing; a deletion says so.
package struct ForeignEdits {
  /// What an edit is measured by.
  package enum Standard: Sendable {
    /// The file tells which records are not as they were written; those have been edited.
    case edited(Set<Int>)
    /// It tells nothing: a record of the base counts when its time is later than the base's.
    case later
  }

  /// The edits, by zone.
  package private(set) var segments: [Segment] = []
  /// What could not be taken in, as sentences.
  package private(set) var faults: [String] = []

  /// Finds the edits of a document.
  package init(
    in tree: DocumentTree, over base: DocumentReplica, by standard: Standard,
    _ document: some ReadableDocument, coding: any SegmentCoding
  ) throws {
    var reading = try ForeignReading(tree, base, document)
    var layers: [ZoneID: [ForeignLayer]] = [:]
    for index in tree.entries.indices {
      if case .edited(let suspects) = standard, !suspects.contains(index) { continue }
      guard let found = reading.resolve(index) else { continue }
      var isLater = true
      if case .later = standard, let known = found.known {
        let time = max(found.record.modified ?? .min, found.record.deleted ?? .min)
        isLater = time > max(known.shown.modified ?? .min, known.shown.deleted ?? .min)
      }
      guard isLater, try !base.isErased(found.key) else { continue }
      let zone = found.key.zone
      var number = 0
      while let layer = layers[zone]?[at: number], layer.has(found) { number += 1 }
      if layers[zone]?[at: number] == nil { layers[zone, default: []].append(ForeignLayer()) }
      layers[zone]?[number].take(found, schema: base.store.rules.schema)
    }
    faults = reading.faults
    for (zone, layers) in layers.sorted(by: { $0.key < $1.key }) {
      let context = try base.vector(of: zone)
      var known: Set<ContentHash> = []
      for var layer in layers {
        layer.finish { reading.isDeleted($0) }
        let series = try ForeignLog(
          layer.operations, zone: zone, context: context, rules: base.store.rules, coding: coding)
        faults += layer.faults + series.faults
        for segment in series.segments where known.insert(segment.info.head).inserted {
          segments.append(segment)
        }
      }
    }
  }
}

/// A record of a document, found by its position in it.
struct ForeignRecord {
  /// What the base says of it.
  struct Known {
    let replicated: ReplicatedRecord
    /// The members that the base's own document has for it.
    let object: ValueMap
    /// What they say.
    let shown: DocumentRecord
  }

  let key: RecordKey
  let parent: RecordKey?
  /// The parents above it that exist in the base or are new, nearest first.
  let ancestors: [RecordKey]
  let record: DocumentRecord
  let object: ValueMap
  let known: Known?
}

/// Understands the records of a document one by one, parents first.
private struct ForeignReading<Document: ReadableDocument> {
  private struct Published: Hashable {
    let collection: CollectionName
    let parent: RecordKey?
    let id: RecordID
  }

  private let tree: DocumentTree
  private let document: Document
  private let schema: DomainSchema
  private var byKey: [RecordKey: ForeignRecord.Known] = [:]
  private var byName: [Published: RecordKey] = [:]
  private var resolved: [Int: ForeignRecord?] = [:]
  private(set) var faults: [String]

  init(_ tree: DocumentTree, _ base: DocumentReplica, _ document: Document) throws {
    self.tree = tree
    self.document = document
    schema = base.store.rules.schema
    faults = tree.faults
    var collections: Set<CollectionName> = []
    document.levels.forEach { $0.name(in: &collections) }
    for record in try base.records(of: collections) {
      // Through the document and back, so that what it cannot express is no difference.
      let object = document.write(record.document)
      let shown = try document.read(
        object, of: record.key.collection, in: record.parent?.id, over: object)
      byKey[record.key] = ForeignRecord.Known(replicated: record, object: object, shown: shown)
      let name = Published(
        collection: record.key.collection, parent: record.parent, id: RecordID(shown.published))
      byName[name] = record.key
    }
  }

  mutating func resolve(_ index: Int) -> ForeignRecord? {
    if let done = resolved[index] { return done }
    let record = read(index)
    resolved[index] = .some(record)
    return record
  }

  /// Whether the base says that a record is deleted.
  func isDeleted(_ key: RecordKey) -> Bool { byKey[key]?.shown.deleted != nil }

  private mutating func read(_ index: Int) -> ForeignRecord? {
    let entry = tree.entries[index]
    var parent: ForeignRecord?
    if let above = entry.parent {
      parent = resolve(above)
      guard parent != nil else { return nil }
    }
    do {
      var record = try document.read(
        entry.object, of: entry.collection, in: parent?.key.id, over: nil)
      guard let key = key(of: record, in: parent?.key) else {
        throw SyncError(.inputInvalid, "'\(record.published)' cannot be a \(entry.collection).")
      }
      if let known = byKey[key] {
        record = try document.read(
          entry.object, of: entry.collection, in: parent?.key.id, over: known.object)
      }
      let ancestors = parent.map { [$0.key] + $0.ancestors } ?? []
      return ForeignRecord(
        key: key, parent: parent?.key, ancestors: ancestors, record: record, object: entry.object,
        known: byKey[key])
    } catch {
      faults.append((error as? SyncError)?.message ?? "\(error)")
      return nil
    }
  }

  private func key(of record: DocumentRecord, in parent: RecordKey?) -> RecordKey? {
    let name = Published(
      collection: record.collection, parent: parent, id: RecordID(record.published))
    if let key = byName[name] { return key }
    guard let type = schema[record.collection], !record.id.text.isEmpty,
      record.id.text.utf8.count <= NameLimit.id
    else { return nil }
    let zone: ZoneID
    switch type.placement {
    case .home: zone = .home
    case .root: zone = .root(type.name, record.id)
    case .parent:
      guard let parent else { return nil }
      zone = parent.zone
    // What never leaves a device never comes from another one.
    case .local: return nil
    }
    return RecordKey(zone: zone, collection: record.collection, id: record.id)
  }
}

extension Array {
  fileprivate subscript(at index: Int) -> Element? {
    indices.contains(index) ? self[index] : nil
  }
}
