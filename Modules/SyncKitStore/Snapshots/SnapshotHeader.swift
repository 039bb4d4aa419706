import SyncKitModel

/// The first block of a snapshot: its zone and vector, and how to check that it is complete.
package struct SnapshotHeader: Hashable, Sendable {
  /// What its author had applied: the state is of exactly these changes.
  package var vector: VersionVector
  /// How many blocks come after this one.
  package var blocks: Int
  /// How many records they hold.
  package var records: Int
  /// The hash over the blocks of records; equal vectors have equal ones.
  package var digest: ContentHash
  /// The hash over the outlines.
  package var hashIndexes: ContentHash
  /// The newest stamp in the state, as in `Stamp.time`.
  package var newest: UInt64
  /// The schema version of each collection that has records, as its author knows it.
  package var versions: [CollectionName: Int]

  private static let version: UInt64 = 1

  package var encoded: [UInt8] {
    var writer = ByteWriter()
    writer.write(varint: Self.version)
    writer.write(vector)
    writer.write(count: blocks)
    writer.write(count: records)
    writer.write(digest)
    writer.write(hashIndexes)
    writer.write(fixed: newest)
    writer.write(count: versions.count)
    for (name, version) in versions.sorted(by: { $0.key < $1.key }) {
      writer.write(text: name.text)
      writer.write(count: version)
    }
    return writer.bytes
  }

  package init(
    vector: VersionVector, blocks: Int, records: Int, digest: ContentHash, hashIndexes: ContentHash,
    newest: UInt64, versions: [CollectionName: Int]
  ) {
    self.vector = vector
    self.blocks = blocks
    self.records = records
    self.digest = digest
    self.hashIndexes = hashIndexes
    self.newest = newest
    self.versions = versions
  }

  /// Reads a header; what a newer version adds at the end is passed over.
  ///
  /// - Throws: ``SyncError`` `format.newer`, `format.damaged`.
  package init(decoding bytes: [UInt8]) throws {
    self = try bytes.reading(allowingRest: true) { reader in
      guard try reader.varint() == Self.version else {
        throw SyncError(
          .formatNewer, "A snapshot was written by a newer version of cloudsync.",
          hint: "Upgrade cloudsync on this device.")
      }
      var header = SnapshotHeader(
        vector: try reader.vector(), blocks: Int(clamping: try reader.varint()),
        records: Int(clamping: try reader.varint()), digest: try reader.hash(),
        hashIndexes: try reader.hash(), newest: try reader.fixed(), versions: [:])
      for _ in 0..<(try reader.count(of: 2)) {
        header.versions[CollectionName(try reader.text(limit: NameLimit.collection))] = Int(
          clamping: try reader.varint())
      }
      guard !header.vector.heads.isEmpty, header.blocks > 0,
        header.vector.heads.allSatisfy({ $1.seq > 0 && !$0.isSnapshot })
      else { throw ByteReader.damaged("a snapshot covers nothing") }
      return header
    }
  }

  /// The name of the series that a snapshot lies under.
  package func series(_ zone: ZoneID, _ domain: String, _ coding: any ContentHashing) -> ReplicaID {
    let name = Array("cloudsync snapshot 1\u{0}\(domain)\u{0}\(zone.text)\u{0}".utf8) + encoded
    return .snapshot(name.withUnsafeBytes { coding.hash([$0]) })
  }
}
