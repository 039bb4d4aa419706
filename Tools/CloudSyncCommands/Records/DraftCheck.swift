import CommandFoundation
import SyncKit

/// Finds the records of an import that a store would refuse, before anything is written.
///
/// A large import takes several transactions, so a refusal midway could not be undone.
struct DraftCheck {
  let store: SyncStore
  /// The keys of the file's records and of the parents found so far, by collection and id.
  private var known: [CollectionName: [RecordID: RecordKey]] = [:]

  init(store: SyncStore) { self.store = store }

  private var domain: any SyncDomain { store.domain }

  /// Separates the bad rows of a file.
  mutating func sorted(_ imported: ImportedRecords) throws -> ImportedRecords {
    var result = imported
    result.rows = []
    result.rows.reserveCapacity(imported.rows.count)
    // Roots first: their children may stand above them in the file.
    let schema = domain.schema
    let isRoot = { (row: ImportedRecords.Row) in
      schema[row.draft.collection]?.placement == .root
    }
    for row in imported.rows.filter(isRoot) + imported.rows.filter({ !isRoot($0) }) {
      do {
        let draft = try checked(row.draft)
        result.rows.append(ImportedRecords.Row(row: row.row, draft: draft, kind: row.kind))
      } catch let error as SyncError where error.code == .inputInvalid {
        result.faults.append(ImportedRecords.Fault(row: row.row, message: error.message))
      }
    }
    result.faults.sort { ($0.row ?? 0) < ($1.row ?? 0) }
    return result
  }

  /// The draft in its writable form.
  private mutating func checked(_ draft: RecordDraft) throws -> RecordDraft {
    guard let collection = domain.schema[draft.collection] else {
      throw SyncError(.inputInvalid, "there is no collection '\(draft.collection)'")
    }
    var draft = draft
    if let parent = draft.parent {
      do { draft.parent = try place(of: parent) } catch let error as SyncError {
        draft.parent = nil
        guard try derivesParent(draft) else { throw error }
      }
    } else if collection.placement == .parent, try !derivesParent(draft) {
      throw SyncError(.inputInvalid, "a record of \(collection.name) needs a parent")
    }
    try checkShape(draft, collection)
    var whole = draft
    try domain.normalize(&whole)
    try checkShape(whole, collection)
    do {
      try domain.complete(&whole, over: nil)
    } catch let error as SyncError where error.code == .inputInvalid {
      // The store may already have the fields that the draft lacks.
      guard let id = whole.id, let record = try store.record(whole.collection, id),
        !record.isDeleted
      else { throw error }
      try domain.complete(&whole, over: record)
    }
    if let id = whole.id, let key = key(of: whole, id, collection) {
      known[collection.name, default: [:]][id] = key
    }
    return draft
  }

  /// Whether the domain itself derives the parent of the record, which need not exist.
  private func derivesParent(_ draft: RecordDraft) throws -> Bool {
    var draft = draft
    try domain.normalize(&draft)
    return draft.parent != nil
  }

  /// The record that a draft's parent names: one of the file itself, above, or of the store.
  private mutating func place(of parent: RecordKey) throws -> RecordKey {
    if let key = known[parent.collection]?[parent.id] { return key }
    guard let found = try store.record(parent.collection, parent.id), !found.isDeleted else {
      throw SyncError(.inputInvalid, "there is no parent '\(parent)'")
    }
    known[parent.collection, default: [:]][parent.id] = found.key
    return found.key
  }

  /// The key of a draft that may become a parent.
  private func key(of draft: RecordDraft, _ id: RecordID, _ collection: RecordType) -> RecordKey? {
    guard domain.schema.collections.contains(where: { $0.parents.contains(collection.name) }) else {
      return nil
    }
    return switch collection.placement {
    case .home: RecordKey(collection: collection.name, id: id)
    case .root: .root(collection.name, id)
    case .parent: draft.parent.map { RecordKey(zone: $0.zone, collection: collection.name, id: id) }
    case .local: RecordKey(zone: .local, collection: collection.name, id: id)
    }
  }

  private func checkShape(_ draft: RecordDraft, _ collection: RecordType) throws {
    if let id = draft.id, !(1...Self.longestID ~= id.text.utf8.count) {
      throw SyncError(.inputInvalid, "an id must have 1 to \(Self.longestID) bytes")
    }
    var size = 0
    for (name, value) in draft.fields {
      guard let field = collection.field(name) else { continue }
      guard field.accepts(value) else {
        throw SyncError(.inputInvalid, "the field '\(name)' takes \(field.type.phrase)")
      }
      size += name.text.utf8.count + value.roughSize
    }
    guard size <= Self.largest else {
      throw SyncError(.inputInvalid, "the record is larger than 1 MiB")
    }
  }

  private static let longestID = 1_024
  /// Less than the limit of a change, since the estimate of the fields is rough.
  private static let largest = 1_000_000
}

extension Value {
  /// An upper estimate of the value's bytes.
  fileprivate var roughSize: Int {
    switch self {
    case .null, .bool, .int, .double, .instant: 12
    case .string(let text): 8 + text.utf8.count
    case .bytes(let bytes): 8 + bytes.count
    case .list(let values): values.reduce(8) { $0 + $1.roughSize }
    case .map(let map):
      map.members.reduce(8) { $0 + 8 + $1.name.text.utf8.count + $1.value.roughSize }
    }
  }
}
