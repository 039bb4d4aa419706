import CommandFoundation
import SyncKit

/// The name of a record on the command line: `ID` in the first collection, or `collection/ID`.
///
/// Where several trees have a record of that id, `PARENT/ID` and `collection/PARENT/ID` tell them apart.
struct RecordAddress {
  let collection: RecordType
  /// In the domain's normal form, so that `jfk` finds `JFK`; as typed if there is none.
  let id: RecordID
  /// As typed: another program may have written a record under an id that is not in normal form.
  private let typed: RecordID

  /// Reads a name; if an option names the collection, the text is only the id.
  ///
  /// - Throws: ``SyncError`` `usage` for a collection that the domain lacks or an empty id.
  init(_ text: String, in domain: any SyncDomain, collection name: String? = nil) throws {
    var id = text
    if let name {
      collection = try domain.collection(name)
    } else if let slash = text.firstIndex(of: "/"),
      let named = domain.schema[CollectionName(String(text[..<slash]))]
    {
      collection = named
      id = String(text[text.index(after: slash)...])
    } else {
      collection = try domain.firstCollection
    }
    guard !id.isEmpty else {
      throw SyncError(.usage, "a record's id is missing", hint: "write ID or collection/ID")
    }
    var draft = RecordDraft(collection.name, id: RecordID(id), fields: [:], isNew: false)
    // A text without a normal form is not a record's id either; the lookup will report that.
    try? domain.normalize(&draft)
    self.id = draft.id ?? RecordID(id)
    typed = RecordID(id)
  }

  /// The record, deleted ones included: by its id, or by a name if the domain has names.
  ///
  /// - Throws: ``SyncError`` `record.not-found` if it never existed, `usage` if several trees
  ///   have it, or several records have the name.
  func record(in store: SyncStore) throws -> Record {
    var found = try store.records(collection.name, id: id)
    if typed != id, !found.contains(where: { !$0.isDeleted }) {
      let exact = try store.records(collection.name, id: typed)
      if !exact.isEmpty { found = exact }
    }
    if found.isEmpty, let slash = id.text.lastIndex(of: "/") {
      let parent = RecordID(String(id.text[..<slash]))
      let rest = RecordID(String(id.text[id.text.index(after: slash)...]))
      found = try store.records(collection.name, id: rest).filter { $0.parent?.id == parent }
    }
    let living = found.filter { !$0.isDeleted }
    guard living.count <= 1 else {
      let parents = living.compactMap { $0.parent?.id.text }
      throw SyncError(
        .usage, "there are several records '\(Sanitized.line("\(self)"))'",
        hint: parents.first.map { "write PARENT/ID, such as \($0)/\(id)" })
    }
    if let record = living.first ?? found.first { return record }
    // A local store beside a domain has no names of its own.
    if let registration = try? DomainRegistry.registration(store.domain.name),
      let record = try registration.record(named: id.text, in: collection.name, of: store)
    {
      return record
    }
    throw SyncError(.notFound, "there is no record '\(Sanitized.line("\(self)"))'")
  }

  /// The record, which must not be deleted; `command` is the path of the verbs that bring one back, where
  /// that is not the domain's name.
  ///
  /// - Throws: ``SyncError`` `record.not-found`.
  func liveRecord(in store: SyncStore, command: String? = nil) throws -> Record {
    let record = try record(in: store)
    guard record.isDeleted else { return record }
    let name = Sanitized.line("\(self)")
    throw SyncError(
      .notFound, "the record '\(name)' is deleted",
      hint: "bring it back with 'cloudsync \(command ?? store.domain.name) restore \(name)'")
  }
}

extension RecordAddress: CustomStringConvertible {
  var description: String { "\(collection.name)/\(id)" }
}

extension SyncDomain {
  /// The collection for an id without one.
  var firstCollection: RecordType {
    get throws {
      guard let first = schema.collections.first else {
        throw SyncError(.usage, "the domain \(name) has no records of its own")
      }
      return first
    }
  }

  /// The collection with a name.
  ///
  /// - Throws: ``SyncError`` `usage` with the nearest name.
  func collection(_ name: String) throws -> RecordType {
    if let found = schema[CollectionName(name)] { return found }
    throw SyncError.unknownName(
      "collection", name, among: schema.collections.map(\.name.text))
  }

  /// The collections that an option names, or the first one.
  func collections(_ names: [String]) throws -> [RecordType] {
    names.isEmpty ? [try firstCollection] : try names.map { try collection($0) }
  }
}
