import SyncKitModel
import SyncKitStore

/// A record as it stands in a document, before it is interpreted.
package struct DocumentEntry: Sendable {
  /// Its type, by where it stands.
  package let collection: CollectionName
  /// Its own members; those that hold other records are left out.
  package let object: ValueMap
  /// How many records it stands in.
  package let depth: Int

  /// Describes a record.
  package init(_ collection: CollectionName, _ object: ValueMap, depth: Int) {
    self.collection = collection
    self.object = object
    self.depth = depth
  }

  /// What the document calls it; null if it has no id.
  package var id: Value { object["id"] ?? .null }

  /// What tells whether a record is as it was written: its members, and the id of what it stands in.
  ///
  /// `parent` is the id of the record around it, null at the top.
  package func digest(in parent: Value, _ coding: any SegmentCoding) -> ContentHash {
    var writer = ByteWriter()
    writer.write(text: collection.text)
    writer.write(parent)
    writer.write(.map(object))
    return writer.bytes.withUnsafeBytes { coding.hash([$0]) }
  }
}

/// The records of a document, which need not fit into memory.
package protocol DocumentEntries {
  /// Visits the records in the order of the file, parents before their children; each visit is the same.
  func forEach(_ body: (DocumentEntry) throws -> Void) throws
}
