import SyncKitModel

/// The chained hashes of a run of changes, without the changes: used where the store knows the rest only as
/// state.
package struct HashIndex: Hashable, Sendable {
  /// The most hashes of a series in one block of a snapshot.
  package static let most = 16_000

  package var series: ReplicaID
  /// The number of the first change.
  package var first: UInt64
  /// The chained hash before it.
  package var previous: ContentHash
  /// The chained hash of each change; never empty.
  package var hashes: [ContentHash]

  package var last: UInt64 { first + UInt64(hashes.count) - 1 }
  package var head: ContentHash { hashes.last ?? previous }

  /// The outline as a block of a snapshot.
  package var block: [UInt8] {
    var writer = ByteWriter(reserving: 16 * hashes.count + 64)
    writer.write(byte: SnapshotBlockKind.hashIndex.rawValue)
    writer.write(series)
    writer.write(varint: first)
    writer.write(previous)
    writer.write(hashes)
    return writer.bytes
  }

  /// Reads a block; nil when it holds something else.
  ///
  /// - Throws: ``SyncError`` `format.damaged`.
  package init?(block: [UInt8]) throws {
    guard block.first == SnapshotBlockKind.hashIndex.rawValue else { return nil }
    self = try block.reading { reader in
      _ = try reader.byte()
      let hashIndex = HashIndex(
        series: try reader.replica(), first: try reader.varint(), previous: try reader.hash(),
        hashes: try reader.hashes())
      guard hashIndex.first > 0, !hashIndex.hashes.isEmpty,
        hashIndex.first <= Dot.maximumNumber - UInt64(hashIndex.hashes.count),
        !hashIndex.series.isSnapshot
      else { throw ByteReader.damaged("an outline is numbered wrongly") }
      return hashIndex
    }
  }

  package init(series: ReplicaID, first: UInt64, previous: ContentHash, hashes: [ContentHash]) {
    self.series = series
    self.first = first
    self.previous = previous
    self.hashes = hashes
  }

  /// A part of it.
  package func part(_ range: Range<Int>) -> HashIndex {
    HashIndex(
      series: series, first: first + UInt64(range.lowerBound),
      previous: range.lowerBound == 0 ? previous : hashes[range.lowerBound - 1],
      hashes: Array(hashes[range]))
  }
}

extension ByteWriter {
  package mutating func write(_ hashes: [ContentHash]) {
    write(count: hashes.count)
    for hash in hashes { write(hash) }
  }
}

extension ByteReader {
  package mutating func hashes() throws -> [ContentHash] {
    try (0..<(try count(of: 16))).map { _ in try hash() }
  }
}
