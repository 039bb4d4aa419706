import SyncKitModel

/// The indexes of a schema, numbered.
///
/// What an index holds follows from the records alone. So it may be dropped at any time and built again; no sync, no
/// backup and no salvage knows of it. Documented in Documentation/Formats/Store.md.
package struct RecordIndexes: Sendable {
  /// An index with the number under which its rows lie.
  struct Numbered: Sendable {
    let number: UInt16
    let index: RecordIndex
  }

  /// The indexes of one collection.
  struct OfCollection: Sendable {
    let type: RecordType
    let indexes: [Numbered]
    /// The registers that hold the fields.
    let registers: Set<FieldName>
  }

  private let collections: [CollectionName: OfCollection]
  /// The same for schemas under which the rows would be the same; empty when there are no indexes.
  let encoded: [UInt8]

  init(_ schema: DomainSchema) {
    var collections: [CollectionName: OfCollection] = [:]
    var writer = ByteWriter()
    var number: UInt16 = 0
    for type in schema.collections.sorted(by: { $0.name < $1.name })
    where collections[type.name] == nil {
      let usable = type.indexes.filter { type.problem(with: $0) == nil }
      guard !usable.isEmpty else { continue }
      var numbered: [Numbered] = []
      for index in usable where number < .max {
        numbered.append(Numbered(number: number, index: index))
        number += 1
        Self.write(index, of: type, to: &writer)
      }
      collections[type.name] = OfCollection(
        type: type, indexes: numbered,
        registers: Set(
          usable.flatMap(\.parts).flatMap { [$0.name, $0.former?.name] }.compactMap { name in
            name.flatMap(type.place).map { type.fields[$0.owner].name }
          }))
    }
    self.collections = collections
    encoded = collections.isEmpty ? [] : [Self.version] + writer.bytes
  }

  /// Another number has the rows of all stores built again.
  private static let version: UInt8 = 1

  /// Writes what the rows of an index depend on: besides the fields, all that decides what a record shows.
  private static func write(_ index: RecordIndex, of type: RecordType, to writer: inout ByteWriter)
  {
    writer.write(text: type.name.text)
    writer.write(text: "\(type.deleteRule)")
    writer.write(byte: (index.isByParent ? 1 : 0) | (type.isMovable ? 2 : 0))
    writer.write(count: index.parts.count)
    for part in index.parts {
      writer.write(text: part.name.text)
      writer.write(block: SortKey.encode(part.unset))
      writer.write(text: part.former?.name.text ?? "")
      let owner = type.place(of: part.name).map { type.fields[$0.owner] }
      writer.write(text: owner?.policy.name ?? "")
    }
  }

  subscript(collection: CollectionName) -> OfCollection? { collections[collection] }
  var names: [CollectionName] { collections.keys.sorted() }
  var isEmpty: Bool { collections.isEmpty }
}

/// A row of the index table.
struct IndexRow: Hashable {
  let key: [UInt8]
  /// How many bytes of the key come before the record's id.
  let value: [UInt8]

  /// The prefix of the rows of an index.
  static func prefix(_ number: UInt16) -> [UInt8] { [UInt8(number >> 8), UInt8(number & 0xFF)] }

  /// Adds a parent to the beginning of a key.
  static func append(
    parent: (collection: CollectionName, id: RecordID)?, to key: inout [UInt8]
  ) {
    SortKey.append(parent.map { .string($0.collection.text) } ?? .null, to: &key)
    SortKey.append(parent.map { .string($0.id.text) } ?? .null, to: &key)
  }

  fileprivate init(_ beginning: [UInt8], _ record: RecordKey) {
    key = beginning + Array(record.id.text.utf8) + [0] + Array(record.zone.text.utf8)
    var writer = ByteWriter()
    writer.write(count: beginning.count)
    value = writer.bytes
  }

  /// The record that a row leads to.
  static func record(
    _ key: [UInt8], _ value: [UInt8], in collection: CollectionName
  ) throws -> RecordKey {
    let start = Int(clamping: try value.reading { try $0.varint() })
    // A zone's id holds no zero byte.
    guard start <= key.count, let end = key[start...].lastIndex(of: 0) else {
      throw Keys.damaged("a row of an index")
    }
    return RecordKey(
      zone: ZoneID(String(decoding: key[(end + 1)...], as: UTF8.self)), collection: collection,
      id: RecordID(String(decoding: key[start..<end], as: UTF8.self)))
  }
}

extension Rules {
  /// The rows by which a record is found; none for a deleted one, and for one whose collection has no index.
  func indexRows(of key: RecordKey, _ state: RecordState) -> [IndexRow] {
    guard let found = indexes[key.collection], isVisible(state, in: key.collection) else {
      return []
    }
    let content = RecordContent(
      state, of: found.type, self, key.collection, only: found.registers)
    let parent = parent(of: state, key).map { ($0.collection, $0.id) }
    return found.indexes.map { numbered in
      var bytes = IndexRow.prefix(numbered.number)
      if numbered.index.isByParent { IndexRow.append(parent: parent, to: &bytes) }
      for part in numbered.index.parts {
        SortKey.append(self.found(part, in: content.fields, of: key.collection), to: &bytes)
      }
      return IndexRow(bytes, key)
    }
  }
}
