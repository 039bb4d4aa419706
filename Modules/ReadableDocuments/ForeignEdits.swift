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
    in entries: some DocumentEntries, over replicas: DocumentReplicas, by standard: Standard,
    _ document: some ReadableDocument
  ) throws {
    let base = try ForeignBase(replicas, document)
    var reading = ForeignReading(base, document)
    var layers: [ZoneID: [ForeignLayer]] = [:]
    var contexts: [ZoneID: VersionVector] = [:]
    var index = -1
    try entries.forEach { entry in
      index += 1
      reading.enter(entry)
      if case .edited(let suspects) = standard, !suspects.contains(index) { return }
      guard let found = try reading.resolve() else { return }
      if case .later = standard, let known = found.known {
        let time = max(found.record.modified ?? .min, found.record.deleted ?? .min)
        let isLater = time > max(known.shown.modified ?? .min, known.shown.deleted ?? .min)
        guard isLater else { return }
      }
      guard try !base.isErased(found.key) else { return }
      let zone = found.key.zone
      // Here and not in the loop below: this zone is replayed already, others would have to be replayed again.
      if contexts[zone] == nil { contexts[zone] = try base.vector(of: zone) }
      var number = 0
      while let layer = layers[zone]?[at: number], layer.has(found) { number += 1 }
      if layers[zone]?[at: number] == nil { layers[zone, default: []].append(ForeignLayer()) }
      layers[zone]?[number].take(found, schema: base.rules.schema)
    }
    faults = reading.faults
    for (zone, layers) in layers.sorted(by: { $0.key < $1.key }) {
      var known: Set<ContentHash> = []
      for var layer in layers {
        layer.finish { reading.deleted.contains($0) }
        let series = try ForeignLog(
          layer.operations, zone: zone, context: contexts[zone] ?? VersionVector(),
          rules: base.rules, coding: replicas.coding)
        faults += layer.faults + series.faults
        for segment in series.segments where known.insert(segment.info.head).inserted {
          segments.append(segment)
        }
      }
    }
  }
}

/// A record of a document that was understood.
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

/// Understands the records of a document one by one, parents first; only those that are asked for.
private struct ForeignReading<Document: ReadableDocument> {
  /// A record of the line from the top to the one that was entered last.
  private struct Step {
    let entry: DocumentEntry
    /// What it means; the outer nil until that is asked for.
    var record: ForeignRecord??
  }

  private let base: ForeignBase<Document>
  private let document: Document
  private var line: [Step] = []
  private(set) var faults: [String] = []
  /// Records that were understood and that the base says are deleted.
  private(set) var deleted: Set<RecordKey> = []

  init(_ base: ForeignBase<Document>, _ document: Document) {
    self.base = base
    self.document = document
  }

  /// Goes on to the next record of the document.
  mutating func enter(_ entry: DocumentEntry) {
    line.removeLast(line.count - entry.depth)
    line.append(Step(entry: entry))
  }

  /// What the record means that was entered last.
  mutating func resolve() throws -> ForeignRecord? { try resolve(line.count - 1) }

  private mutating func resolve(_ depth: Int) throws -> ForeignRecord? {
    if let done = line[depth].record { return done }
    let record = try read(depth)
    line[depth].record = .some(record)
    return record
  }

  private mutating func read(_ depth: Int) throws -> ForeignRecord? {
    let entry = line[depth].entry
    var parent: ForeignRecord?
    if depth > 0 {
      parent = try resolve(depth - 1)
      guard parent != nil else { return nil }
    }
    guard var record = parsed(entry, in: parent, over: nil) else { return nil }
    guard let key = try key(of: record, in: parent?.key) else {
      faults.append("'\(record.published)' cannot be a \(entry.collection).")
      return nil
    }
    let known = try base.known(key)
    if let known {
      guard let changed = parsed(entry, in: parent, over: known.object) else { return nil }
      record = changed
      if known.shown.deleted != nil { deleted.insert(key) }
    }
    let ancestors = parent.map { [$0.key] + $0.ancestors } ?? []
    return ForeignRecord(
      key: key, parent: parent?.key, ancestors: ancestors, record: record, object: entry.object,
      known: known)
  }

  /// What the members say; nil for those that make no record.
  private mutating func parsed(
    _ entry: DocumentEntry, in parent: ForeignRecord?, over base: ValueMap?
  ) -> DocumentRecord? {
    do {
      return try document.read(
        entry.object, of: entry.collection, in: parent?.key.id, over: base)
    } catch {
      faults.append((error as? SyncError)?.message ?? "\(error)")
      return nil
    }
  }

  private func key(of record: DocumentRecord, in parent: RecordKey?) throws -> RecordKey? {
    if let key = try base.key(record.collection, in: parent, id: record.published) { return key }
    guard let type = base.rules.schema[record.collection], !record.id.text.isEmpty,
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
