import SyncKitModel

// A merged segment on a remote is not among the rows of the store, so its size is recorded: when one was cut
// off or damaged there, the device notices, and uploads its parts again.
extension SyncStore {
  /// Remembers the size of a merged segment that this device has stored on a remote.
  package func noteMergedSize(_ segment: Segment, on remote: String) throws {
    let key = Keys.piece(SegmentReference(segment), on: remote)
    let size = UInt64(segment.bytes.count).bigEndianBytes
    try storage.write { try $0.put(.meta, key, size) }
  }

  /// Forgets what does not lie on a remote any more.
  package func keepMergedSizes(_ references: [SegmentReference], on remote: String) throws {
    let known = try pieces(on: remote)
    let gone = Set(known.keys).subtracting(references.map { Keys.piece($0, on: remote) })
    guard !gone.isEmpty else { return }
    try storage.write { writer in
      for key in gone { try writer.delete(.meta, key) }
    }
  }

  /// The sizes of the merged segments that this device has stored on a remote.
  package func pieces(on remote: String) throws -> MergedSizes {
    try storage.read { try $0.pieces(on: remote) }
  }
}

extension StorageReader {
  package func pieces(on remote: String) throws -> MergedSizes {
    var pieces = MergedSizes(remote: remote)
    for (key, row) in try entries(.meta, prefix: Keys.pieces(on: remote)) {
      pieces.sizes[key] = Int(truncatingIfNeeded: try row.reading { try $0.fixed() })
    }
    return pieces
  }
}

/// The sizes that merged segments on a remote should have.
package struct MergedSizes {
  package let remote: String
  package fileprivate(set) var sizes: [[UInt8]: Int] = [:]

  package var keys: Dictionary<[UInt8], Int>.Keys { sizes.keys }

  /// Whether a segment is known to have another size than it has there.
  package func contradict(_ reference: SegmentReference) -> Bool {
    guard !sizes.isEmpty, let found = reference.size,
      let size = sizes[Keys.piece(reference, on: remote)]
    else { return false }
    return size != found
  }
}
