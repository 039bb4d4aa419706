import SyncKitModel

// A block of a snapshot: some records in order, with the names and replicas that they are the first to use.
// Numbers of names and replicas continue from block to block.

/// The content of a block of a snapshot.
package enum SnapshotBlockKind: UInt8 {
  case hashIndex = 0
  case records = 1
}

/// Packs records into blocks.
struct SnapshotBlockWriter {
  /// A block is closed at this size, in bytes.
  package static let size = 256 << 10

  private var symbols = SymbolTable()
  private var known = (names: 0, replicas: 0)
  private var body = ByteWriter()
  private var count = 0

  /// Whether nothing is waiting for its block to be closed.
  package var isEmpty: Bool { count == 0 }
  /// Whether the block is large enough.
  package var isFull: Bool { body.bytes.count >= Self.size }

  package mutating func append(_ key: RecordKey, _ state: RecordState) {
    body.write(count: symbols.number(key.collection.name))
    body.write(compact: key.id.text)
    body.write(block: state.packed(&symbols))
    count += 1
  }

  /// Closes the block.
  package mutating func close() -> [UInt8] {
    var block = ByteWriter(reserving: body.bytes.count + 64)
    block.write(byte: SnapshotBlockKind.records.rawValue)
    block.write(count: symbols.names.count - known.names)
    for name in symbols.names[known.names...] { block.write(text: name.text) }
    block.write(count: symbols.replicas.count - known.replicas)
    for replica in symbols.replicas[known.replicas...] { block.write(replica) }
    block.write(count: count)
    block.write(raw: body.bytes)
    known = (symbols.names.count, symbols.replicas.count)
    body = ByteWriter()
    count = 0
    return block.bytes
  }
}

/// Reads the records of blocks, in order.
struct SnapshotBlockReader {
  private var symbols = SymbolTable()
  private var last: RecordKey?

  /// The records of the next block.
  ///
  /// - Throws: ``SyncError`` `format.damaged`, also when the records are not in order.
  package mutating func records(
    of block: [UInt8], in zone: ZoneID
  ) throws -> [(key: RecordKey, state: RecordState)] {
    try block.reading { reader in
      guard try reader.byte() == SnapshotBlockKind.records.rawValue else {
        throw ByteReader.damaged("a block of a snapshot is not the expected one")
      }
      for _ in 0..<(try reader.count()) {
        _ = symbols.number(Name(try reader.text(limit: NameLimit.id)))
      }
      for _ in 0..<(try reader.count(of: 16)) { _ = symbols.number(try reader.replica()) }
      var records: [(key: RecordKey, state: RecordState)] = []
      for _ in 0..<(try reader.count(of: 4)) {
        let collection = symbols.names[try reader.index(below: symbols.names.count)]
        let key = RecordKey(
          zone: zone, collection: CollectionName(collection),
          id: RecordID(try reader.compactText(limit: NameLimit.id)))
        let state = try RecordState(packed: try reader.block(), symbols)
        if let last, !Keys.record(last).precedes(Keys.record(key)) {
          throw ByteReader.damaged("the records of a snapshot are not in order")
        }
        last = key
        guard state.isOrdered else {
          throw ByteReader.damaged("the values of a record are not in order")
        }
        records.append((key, state))
      }
      return records
    }
  }
}

extension RecordState {
  /// Whether everything stands in the one order that it can have.
  fileprivate var isOrdered: Bool {
    func ascends<T: Comparable>(_ items: [T]) -> Bool {
      zip(items, items.dropFirst()).allSatisfy { $0 < $1 }
    }
    return !isEmpty && ascends(alive.map(\.dot)) && ascends(registers.map(\.name))
      && ascends(erasures)
      && registers.allSatisfy { !$0.siblings.isEmpty && ascends($0.siblings.map(\.dot)) }
  }
}
