/// An own change that nobody else has seen: it may still give way to a remote one.
struct UnsealedChange {
  /// What a write replaced in a register whose rebase policy may undo the write.
  struct Replaced: Hashable {
    var collection: Name
    var id: Name
    var register: Name
    var siblings: [Sibling]
  }

  /// Its number in the own series.
  var seq: UInt64
  /// The encoded change.
  var bytes: [UInt8]
  /// What its writes replaced.
  var replaced: [Replaced]

  var encoded: [UInt8] {
    var writer = ByteWriter(reserving: bytes.count + 16)
    writer.write(block: bytes)
    writer.write(count: replaced.count)
    for item in replaced {
      writer.write(text: item.collection.text)
      writer.write(text: item.id.text)
      writer.write(text: item.register.text)
      writer.write(count: item.siblings.count)
      for sibling in item.siblings {
        writer.write(sibling.dot.replica)
        writer.write(varint: sibling.dot.seq)
        writer.write(fixed: sibling.stamp.time)
        writer.write(sibling.stamp.replica)
        writer.write(sibling.value)
      }
    }
    return writer.bytes
  }

  init(seq: UInt64, bytes: [UInt8], replaced: [Replaced]) {
    self.seq = seq
    self.bytes = bytes
    self.replaced = replaced
  }

  /// Reads an entry of the table of changes; see ``Keys/change(_:_:)``.
  init(key: [UInt8], row: [UInt8]) throws {
    guard key.count >= 8 else { throw Keys.damaged("an unsealed change") }
    let seq = UInt64(bigEndian: key.suffix(8))
    self = try row.reading { reader in
      let bytes = try reader.block()
      var replaced: [Replaced] = []
      for _ in 0..<(try reader.count(of: 4)) {
        var item = Replaced(
          collection: Name(try reader.text()), id: Name(try reader.text()),
          register: Name(try reader.text()), siblings: [])
        for _ in 0..<(try reader.count(of: 42)) {
          let dot = Dot(try reader.replica(), try reader.varint())
          let stamp = Stamp(time: try reader.fixed(), replica: try reader.replica())
          item.siblings.append(Sibling(dot: dot, stamp: stamp, value: try reader.value()))
        }
        replaced.append(item)
      }
      return UnsealedChange(seq: seq, bytes: bytes, replaced: replaced)
    }
  }
}
