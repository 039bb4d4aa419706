// The packed row of a record in a local store. Documented in Documentation/Formats/Store.md.

extension RecordState {
  private static let version: UInt8 = 2

  fileprivate struct Origin: Hashable {
    let dot: Dot
    let stamp: Stamp
  }

  /// The row: origins once, then what refers to them.
  package func packed(_ symbols: inout SymbolTable) -> [UInt8] {
    var origins: [Origin] = []
    func number(_ dot: Dot, _ stamp: Stamp) -> Int {
      let origin = Origin(dot: dot, stamp: stamp)
      if let index = origins.lastIndex(of: origin) { return index }
      origins.append(origin)
      return origins.count - 1
    }

    var body = ByteWriter(reserving: 64 + 24 * registers.count)
    body.write(count: alive.count)
    for sibling in alive {
      body.write(byte: sibling.kind.rawValue)
      body.write(count: number(sibling.dot, sibling.stamp))
    }
    body.write(count: registers.count)
    // By index: a loop over registers and siblings copies each of them.
    for index in registers.indices {
      body.write(count: symbols.number(registers[index].name.name))
      body.write(count: registers[index].siblings.count)
      for place in registers[index].siblings.indices {
        let sibling = registers[index].siblings[place]
        body.write(
          count: number(sibling.dot, sibling.stamp) << ValueMarks.bits | Int(sibling.marks.rawValue)
        )
        body.write(sibling.value)
      }
    }
    body.write(count: erasures.count)
    for dot in erasures {
      body.write(count: symbols.number(dot.replica))
      body.write(varint: dot.seq)
    }

    var row = ByteWriter(reserving: body.bytes.count + 24 * origins.count + 2)
    row.write(byte: Self.version)
    row.write(count: origins.count)
    for origin in origins { row.write(origin, &symbols) }
    row.write(raw: body.bytes)
    return row.bytes
  }

  /// The row of a record of which nothing was known before an operation that creates it: what ``packed(_:)`` gives
  /// after ``apply(_:stamp:in:)``, without the state in between.
  ///
  /// - Returns: Nil for an operation of another kind, or one whose writes are not plain values in order.
  package static func packed(
    creating operation: RecordOperation, dot: Dot, stamp: Stamp, _ symbols: inout SymbolTable
  ) -> [UInt8]? {
    let writes = operation.writes
    guard operation.kind == .create,
      writes.indices.allSatisfy({ index in
        writes[index].value.map { !$0.isNull } ?? false && !writes[index].isOverridden
          && (index == 0 || writes[index - 1].name < writes[index].name)
      })
    else { return nil }
    var row = ByteWriter(reserving: 64 + 24 * writes.count)
    row.write(byte: Self.version)
    row.write(count: 1)
    row.write(
      Origin(
        dot: dot, stamp: Stamp(time: operation.stamp ?? stamp.time, replica: stamp.replica)),
      &symbols)
    row.write(count: 1)
    row.write(byte: AliveKind.created.rawValue)
    row.write(count: 0)
    row.write(count: writes.count)
    for index in writes.indices {
      row.write(count: symbols.number(writes[index].name.name))
      row.write(count: 1)
      row.write(count: 0)
      if let value = writes[index].value { row.write(value) }
    }
    row.write(count: 0)
    return row.bytes
  }

  /// Reads a row.
  package init(packed row: [UInt8], _ symbols: SymbolTable) throws {
    self.init()
    try row.reading { reader in
      guard try reader.byte() == Self.version else {
        throw SyncError(
          .storeNewer, "A record was written by another version of cloudsync.",
          hint: "Upgrade cloudsync on this device.")
      }
      var origins: [Origin] = []
      for _ in 0..<(try reader.count(of: 11)) {
        let replica = symbols.replicas[try reader.index(below: symbols.replicas.count)]
        let dot = Dot(replica, try reader.varint())
        let time = try reader.fixed()
        let author = try reader.index(below: symbols.replicas.count + 1)
        let stamp = Stamp(time: time, replica: author == 0 ? replica : symbols.replicas[author - 1])
        origins.append(Origin(dot: dot, stamp: stamp))
      }
      for _ in 0..<(try reader.count(of: 2)) {
        guard let kind = AliveKind(rawValue: try reader.byte()) else {
          throw ByteReader.damaged("a record's existence is unknown")
        }
        let origin = origins[try reader.index(below: origins.count)]
        alive.append(AliveSibling(dot: origin.dot, stamp: origin.stamp, kind: kind))
      }
      let length = try reader.count(of: 2)
      registers.reserveCapacity(length)
      for _ in 0..<length {
        let name = symbols.names[try reader.index(below: symbols.names.count)]
        var register = Register(name: FieldName(name))
        let siblings = try reader.count(of: 2)
        register.siblings.reserveCapacity(siblings)
        for _ in 0..<siblings {
          let code = try reader.index(below: origins.count << ValueMarks.bits)
          let origin = origins[code >> ValueMarks.bits]
          let marks = ValueMarks(rawValue: UInt8(truncatingIfNeeded: code)).intersection(.known)
          register.siblings.append(
            Sibling(
              dot: origin.dot, stamp: origin.stamp, value: try reader.value(), marks: marks))
        }
        registers.append(register)
      }
      for _ in 0..<(try reader.count(of: 2)) {
        let replica = symbols.replicas[try reader.index(below: symbols.replicas.count)]
        erasures.append(Dot(replica, try reader.varint()))
      }
    }
  }

  /// The bytes that are the same on every replica with the same state: the text of ``packed(_:)``
  /// with full names and ids; basis of digests.
  package func writeCanonical(to writer: inout ByteWriter) {
    writer.write(count: alive.count)
    for sibling in alive {
      writer.write(byte: sibling.kind.rawValue)
      writer.write(sibling.dot, sibling.stamp)
    }
    writer.write(count: registers.count)
    for register in registers {
      writer.write(text: register.name.text)
      writer.write(count: register.siblings.count)
      for sibling in register.siblings {
        writer.write(sibling.dot, sibling.stamp)
        writer.write(byte: sibling.marks.rawValue)
        writer.write(sibling.value)
      }
    }
    writer.write(count: erasures.count)
    for dot in erasures {
      writer.write(dot.replica)
      writer.write(varint: dot.seq)
    }
  }
}

extension ByteWriter {
  fileprivate mutating func write(_ origin: RecordState.Origin, _ symbols: inout SymbolTable) {
    write(count: symbols.number(origin.dot.replica))
    write(varint: origin.dot.seq)
    write(fixed: origin.stamp.time)
    let isOwn = origin.stamp.replica == origin.dot.replica
    write(count: isOwn ? 0 : 1 + symbols.number(origin.stamp.replica))
  }

  fileprivate mutating func write(_ dot: Dot, _ stamp: Stamp) {
    write(dot.replica)
    write(varint: dot.seq)
    write(fixed: stamp.time)
    write(stamp.replica)
  }
}
