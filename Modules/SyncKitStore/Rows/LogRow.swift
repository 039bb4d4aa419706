import SyncKitModel

/// Where a sealed segment lies in its series, without its bytes.
package struct LogRow: Hashable, Sendable {
  /// The series by the name it bears here.
  package var series: ReplicaID
  /// The series by the name in the segment.
  package var wire: ReplicaID
  package var first: UInt64
  package var last: UInt64
  package var previous: ContentHash
  package var head: ContentHash
  /// Its number in the order of arrival; the key of its bytes.
  package var arrival: UInt64
  /// Its place in an order in which nothing comes before what it names: the number of its arrival,
  /// or that of the segment it was cut out of.
  package var order: UInt64
  /// Operations on the domain's own records.
  package var operations: Int
  /// The newest stamp in it.
  package var newest: UInt64
  /// The size of its bytes; 0 when only the hashes of its changes are here.
  package var size: Int

  /// Whether only the hashes of its changes are here; what they did came as state.
  package var isHashIndex: Bool { size == 0 }

  /// Describes a part of a series of which only the hashes are here.
  package init(_ hashIndex: HashIndex, series: ReplicaID, arrival: UInt64, order: UInt64? = nil) {
    self.series = series
    wire = hashIndex.series
    first = hashIndex.first
    last = hashIndex.last
    previous = hashIndex.previous
    head = hashIndex.head
    self.arrival = arrival
    self.order = order ?? arrival
    operations = 0
    newest = 0
    size = 0
  }

  package init(_ segment: Segment, series: ReplicaID, arrival: UInt64, order: UInt64? = nil) {
    self.series = series
    wire = segment.info.series
    first = segment.info.first
    last = segment.info.last
    previous = segment.info.previous
    head = segment.info.head
    self.arrival = arrival
    self.order = order ?? arrival
    operations = segment.info.operations
    newest = segment.info.newest
    size = segment.bytes.count
  }

  package var encoded: [UInt8] {
    var writer = ByteWriter()
    writer.write(wire)
    writer.write(varint: first)
    writer.write(previous)
    writer.write(head)
    writer.write(varint: arrival)
    writer.write(varint: order)
    writer.write(count: operations)
    writer.write(fixed: newest)
    writer.write(count: size)
    return writer.bytes
  }

  package init(key: [UInt8], row: [UInt8]) throws {
    guard key.count >= 24 else { throw Keys.damaged("the list of segments") }
    let tail = Array(key.suffix(24))
    series = ReplicaID(
      high: UInt64(bigEndian: tail[0..<8]), low: UInt64(bigEndian: tail[8..<16]))
    last = UInt64(bigEndian: tail[16..<24])
    (wire, first, previous, head, arrival, order, operations, newest, size) = try row.reading {
      reader in
      (
        try reader.replica(), try reader.varint(), try reader.hash(), try reader.hash(),
        try reader.varint(), try reader.varint(), Int(truncatingIfNeeded: try reader.varint()),
        try reader.fixed(),
        Int(truncatingIfNeeded: try reader.varint())
      )
    }
  }
}
