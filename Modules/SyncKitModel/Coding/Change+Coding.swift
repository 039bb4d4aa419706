// The bytes of a change. They are hashed and passed on as their author wrote them, so whatever a
// newer version adds at the end travels on untouched. Byte by byte in Documentation/Formats/Segment.md.

private enum Flag {
  static let stampReplica: UInt8 = 1
  static let lastPart: UInt8 = 2
  /// Reserved: the change repeats another one (dot and hash follow the stamp).
  static let repeats: UInt8 = 8
  static let known: UInt8 = stampReplica | lastPart
}

private enum WriteFlag {
  static let value: UInt8 = 1
  static let prior: UInt8 = 2
  static let overridden: UInt8 = 4
  static let known: UInt8 = value | prior | overridden
}

private enum OperationFlag {
  /// The kind's bits.
  static let kind: UInt8 = 0x0F
  static let stamp: UInt8 = 0x10
}

/// The longest name of a zone, collection or field and the longest record id, in bytes.
package enum NameLimit {
  package static let collection = 64
  package static let field = 1_024
  package static let id = 1_024
}

/// Encodes the operations of a change one by one, so that none has to be kept until the last one is known.
package struct ChangeWriter {
  /// How many operations there are.
  package private(set) var count = 0
  private var collections = NameTable()
  private var names = NameTable()
  private var body = ByteWriter()

  package init() {}

  /// Adds an operation.
  package mutating func append(_ operation: RecordOperation) {
    count += 1
    body.write(byte: operation.kind.rawValue | (operation.stamp == nil ? 0 : OperationFlag.stamp))
    body.write(count: collections.number(operation.collection.name))
    body.write(compact: operation.id.text)
    if let stamp = operation.stamp { body.write(fixed: stamp) }
    body.write(count: operation.writes.count)
    // By index: a loop over the writes copies each of them.
    for index in operation.writes.indices {
      let name = names.number(operation.writes[index].name.name)
      body.write(operation.writes[index], name: name)
    }
  }

  /// The bytes of a change with these operations, as ``Change/encoded(series:after:versions:)`` gives them; of `head`
  /// all counts but its operations.
  package func encoded(
    _ head: Change, series replica: ReplicaID, after previous: VersionVector,
    versions: (CollectionName) -> Int
  ) -> [UInt8] {
    var writer = ByteWriter(reserving: body.bytes.count + 256)
    var flags: UInt8 = 0
    if head.stamp.replica != replica { flags |= Flag.stampReplica }
    if head.isLastPart { flags |= Flag.lastPart }
    writer.write(byte: flags)
    writer.write(fixed: head.stamp.time)
    if head.stamp.replica != replica { writer.write(head.stamp.replica) }
    writer.write(raw: head.batch.bytes)
    writer.write(count: head.part)
    writer.write(VersionVector(head.context.heads.filter { previous[$0.key] != $0.value }))
    writer.write(count: collections.names.count)
    for name in collections.names {
      writer.write(text: name.text)
      writer.write(count: versions(CollectionName(name)))
    }
    writer.write(count: names.names.count)
    for name in names.names { writer.write(text: name.text) }
    writer.write(count: count)
    writer.write(raw: body.bytes)
    return writer.bytes
  }
}

extension Change {
  /// The bytes of the change.
  ///
  /// - Parameters:
  ///   - replica: The series it belongs to.
  ///   - previous: The context of the change before it in the series; only what differs is written.
  ///   - versions: The schema version of each collection.
  /// - Returns: The bytes that are hashed, stored and passed on.
  public func encoded(
    series replica: ReplicaID, after previous: VersionVector, versions: (CollectionName) -> Int
  ) -> [UInt8] {
    var writer = ChangeWriter()
    for operation in operations { writer.append(operation) }
    return writer.encoded(self, series: replica, after: previous, versions: versions)
  }

  /// When a change was made, as in ``Stamp/time``, from its bytes.
  package static func time(of bytes: [UInt8]) throws -> UInt64 {
    try bytes.reading(allowingRest: true) { reader in
      _ = try reader.byte()
      return try reader.fixed()
    }
  }

  /// Marks the bytes of a change that no other device has seen as the end of its batch.
  package static func markLastPart(in bytes: inout [UInt8]) { bytes[0] |= Flag.lastPart }

  /// Reads a change.
  ///
  /// - Throws: ``SyncError`` `format.newer` for a feature this version does not know (the bytes
  ///   must be kept), `format.damaged` for anything that is not a change.
  public init(
    _ reader: inout ByteReader, series replica: ReplicaID, after previous: VersionVector
  ) throws {
    let flags = try reader.byte()
    guard flags & ~Flag.known == 0 else {
      throw SyncError(
        .formatNewer, "A change uses a feature that this version does not know.",
        hint: "Upgrade cloudsync on this device.")
    }
    let time = try reader.fixed()
    stamp = Stamp(
      time: time, replica: flags & Flag.stampReplica != 0 ? try reader.replica() : replica)
    guard let batch = BatchID(bytes: Array(try reader.slice(10))) else {
      throw ByteReader.damaged("a batch has no name")
    }
    self.batch = batch
    part = Int(truncatingIfNeeded: min(try reader.varint(), 1 << 32))
    isLastPart = flags & Flag.lastPart != 0
    context = previous
    for (replica, head) in try reader.vector().sorted { context[replica] = head }

    let collections = try reader.collections()
    let names = try reader.fields()
    let length = try reader.count(of: 4)
    guard length <= Self.maximumOperations else {
      throw ByteReader.damaged("a change has more than \(Self.maximumOperations) operations")
    }
    operations = []
    operations.reserveCapacity(length)
    for _ in 0..<length {
      operations.append(try reader.operation(collections, names))
    }
  }
}

extension ByteWriter {
  fileprivate mutating func write(_ write: FieldWrite, name: Int) {
    self.write(count: name)
    var flags: UInt8 = 0
    if write.value != nil { flags |= WriteFlag.value }
    if write.prior != nil { flags |= WriteFlag.prior }
    if write.isOverridden { flags |= WriteFlag.overridden }
    self.write(byte: flags)
    if let value = write.value { self.write(value) }
    if let prior = write.prior { self.write(prior) }
  }
}

extension ByteReader {
  fileprivate mutating func collections() throws -> [CollectionName] {
    let length = try count()
    var names: [CollectionName] = []
    names.reserveCapacity(length)
    for _ in 0..<length {
      let text = try text(limit: NameLimit.collection)
      guard !text.isEmpty, !text.utf8.contains(0) else {
        throw Self.damaged("a collection has no valid name")
      }
      _ = try varint()
      names.append(CollectionName(text))
    }
    return names
  }

  fileprivate mutating func fields() throws -> [FieldName] {
    let length = try count()
    var names: [FieldName] = []
    names.reserveCapacity(length)
    for _ in 0..<length { names.append(FieldName(try text(limit: NameLimit.field))) }
    return names
  }

  fileprivate mutating func operation(
    _ collections: [CollectionName], _ names: [FieldName]
  ) throws -> RecordOperation {
    let flags = try byte()
    guard let kind = OperationKind(rawValue: flags & OperationFlag.kind),
      flags & ~(OperationFlag.kind | OperationFlag.stamp) == 0
    else {
      throw SyncError(
        .formatNewer, "A change holds an operation that this version does not know.",
        hint: "Upgrade cloudsync on this device.")
    }
    let collection = collections[try index(below: collections.count)]
    let id = RecordID(try compactText(limit: NameLimit.id))
    let stamp = flags & OperationFlag.stamp != 0 ? try fixed() : nil
    let length = try count(of: 2)
    var writes: [FieldWrite] = []
    writes.reserveCapacity(length)
    for _ in 0..<length { writes.append(try fieldWrite(names)) }
    return RecordOperation(kind, collection, id, writes, stamp: stamp)
  }

  fileprivate mutating func fieldWrite(_ names: [FieldName]) throws -> FieldWrite {
    let name = names[try index(below: names.count)]
    let flags = try byte()
    guard flags & ~WriteFlag.known == 0 else {
      throw SyncError(
        .formatNewer, "A change writes a field in a way that this version does not know.",
        hint: "Upgrade cloudsync on this device.")
    }
    let written = flags & WriteFlag.value != 0 ? try value(depth: 0) : nil
    let prior = flags & WriteFlag.prior != 0 ? try value(depth: 0) : nil
    return FieldWrite(
      name: name, value: written, prior: prior, isOverridden: flags & WriteFlag.overridden != 0)
  }
}
