import SyncKitModel

/// Where a record stands in a document.
package struct DocumentPlace: Sendable {
  let key: RecordKey
  /// What decides about its place in its array.
  let order: [Value]

  /// Whether one record of an array stands before another one.
  package static func precedes(_ left: DocumentPlace, _ right: DocumentPlace) -> Bool {
    for (left, right) in zip(left.order, right.order) where left != right {
      return Value.precedes(left, right)
    }
    return left.key.id < right.key.id
  }
}

/// The records of a replica in the order in which a document shows them, without their content.
package struct DocumentArrangement {
  /// The newest change of a record's content, and the id of the device that made it.
  package struct Newest: Comparable, Sendable {
    /// Milliseconds since 1970.
    package let modified: Int64
    package let device: String

    package static func < (left: Newest, right: Newest) -> Bool {
      (left.modified, left.device) < (right.modified, right.device)
    }
  }

  /// The newest change; nil without content.
  package private(set) var newest: Newest?
  private var children: [RecordKey?: [DocumentPlace]] = [:]

  init(_ replica: DocumentReplica, _ document: some ReadableDocument) throws {
    try replica.forEachRecord(of: document.collections) { record in
      let newest = Newest(
        modified: record.document.modified ?? 0, device: record.document.device)
      self.newest = max(self.newest ?? newest, newest)
      children[record.parent, default: []].append(
        DocumentPlace(key: record.key, order: document.order(of: record.document)))
    }
  }

  /// The records of an array at the top, or in a record, in order.
  package func places(
    of level: DocumentLevel, in parent: DocumentPlace? = nil
  ) -> [DocumentPlace] {
    guard let places = children[parent?.key] else { return [] }
    return places.filter { $0.key.collection == level.collection }
      .sorted(by: DocumentPlace.precedes)
  }
}

extension ReadableDocument {
  /// The collections of the records that it shows.
  var collections: Set<CollectionName> {
    var names: Set<CollectionName> = []
    levels.forEach { $0.name(in: &names) }
    return names
  }
}

extension DocumentLevel {
  fileprivate func name(in collections: inout Set<CollectionName>) {
    collections.insert(collection)
    children.forEach { $0.name(in: &collections) }
  }
}
