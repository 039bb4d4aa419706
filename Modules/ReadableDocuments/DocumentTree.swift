import SyncKitModel
import SyncKitStore

/// A record as it stands in a document, before it is interpreted.
package struct DocumentEntry: Sendable {
  /// Its type, by where it stands.
  package let collection: CollectionName
  /// Its own members; those that hold other records are left out.
  package let object: ValueMap
  /// The index of its parent among the entries; nil at the top.
  package let parent: Int?
}

/// The records of a document, parents before their children.
package struct DocumentTree: Sendable {
  /// The records in the order of the file.
  package private(set) var entries: [DocumentEntry] = []
  /// What stands where a record should, as sentences.
  package private(set) var faults: [String] = []

  /// Finds the records in a document's top members.
  package init(_ root: ValueMap, levels: [DocumentLevel]) {
    collect(levels, in: root, parent: nil)
  }

  private mutating func collect(_ levels: [DocumentLevel], in object: ValueMap, parent: Int?) {
    for level in levels {
      switch object[level.key] {
      case nil, .null: continue
      case .list(let elements):
        for element in elements {
          guard case .map(var own) = element else {
            faults.append("'\(level.key)' contains something other than objects.")
            continue
          }
          let whole = own
          for child in level.children { own[child.key] = nil }
          entries.append(
            DocumentEntry(collection: level.collection, object: own, parent: parent))
          collect(level.children, in: whole, parent: entries.count - 1)
        }
      default: faults.append("'\(level.key)' is not an array.")
      }
    }
  }

  /// What tells whether a record is as it was written: its members, and what it stands in.
  package func digest(_ index: Int, _ coding: any SegmentCoding) -> ContentHash {
    let entry = entries[index]
    var writer = ByteWriter()
    writer.write(text: entry.collection.text)
    writer.write(entry.parent.map { entries[$0].object["id"] ?? .null } ?? .null)
    writer.write(.map(entry.object))
    return writer.bytes.withUnsafeBytes { coding.hash([$0]) }
  }
}

extension DocumentReplica {
  /// The members at the top of the document that shows the whole state.
  ///
  /// The same segments give the same members on every device. `kept` are unknown members; they stand beside
  /// the others.
  package func render(_ document: some ReadableDocument, keeping kept: ValueMap) throws -> ValueMap
  {
    var collections: Set<CollectionName> = []
    document.levels.forEach { $0.name(in: &collections) }
    let records = try records(of: collections)
    var children: [RecordKey?: [ReplicatedRecord]] = [:]
    for record in records { children[record.parent, default: []].append(record) }

    func array(_ level: DocumentLevel, in parent: RecordKey?) -> Value {
      let own = (children[parent] ?? []).filter { $0.key.collection == level.collection }
      let sorted = own.sorted { document.precedes($0.document, $1.document) }
      return .list(
        sorted.map { record in
          var object = document.write(record.document)
          for child in level.children { object[child.key] = array(child, in: record.key) }
          return .map(object)
        })
    }

    let newest = records.map(\.document).max {
      ($0.modified ?? 0, $0.device) < ($1.modified ?? 0, $1.device)
    }
    var root = kept
    for member in document.head(newest: newest?.modified, device: newest?.device).members {
      root[member.name] = member.value
    }
    root["version"] = .int(document.version)
    for level in document.levels { root[level.key] = array(level, in: nil) }
    return root
  }
}

extension DocumentLevel {
  func name(in collections: inout Set<CollectionName>) {
    collections.insert(collection)
    children.forEach { $0.name(in: &collections) }
  }
}
