public import SyncKitModel

/// A sealed object on a remote, which was opened once.
public struct KnownObject: Hashable, Sendable {
  /// The segment in it, with its size before it was sealed.
  public var segment: SegmentReference
  /// The size of the object itself.
  public var size: Int
  /// The public key of the device that has signed it.
  public var author: [UInt8]
  /// The hash of all bytes that were sealed: an author may sign others under the same head.
  public var digest: ContentHash

  /// Names a segment and the object that holds it.
  public init(_ segment: SegmentReference, size: Int, author: [UInt8], digest: ContentHash) {
    self.segment = segment
    self.size = size
    self.author = author
    self.digest = digest
  }
}

// What the encrypted objects on a remote hold, so that each of them is opened once.
extension SyncStore {
  /// The objects of a remote that are known, by their heads.
  package func objects(on remote: String) throws -> [ContentHash: KnownObject] {
    let prefix = Keys.objects(on: remote)
    return try storage.read { reader in
      var objects: [ContentHash: KnownObject] = [:]
      for (key, row) in try reader.entries(.meta, prefix: prefix) {
        let head = try Array(key.dropFirst(prefix.count)).reading { try $0.hash() }
        objects[head] = try row.reading { try KnownObject(&$0) }
      }
      return objects
    }
  }

  /// The digests of all objects, on whichever remote, that some devices have signed.
  package func objects(by authors: Set<[UInt8]>) throws -> [[UInt8]: Set<ContentHash>] {
    try storage.read { reader in
      var digests: [[UInt8]: Set<ContentHash>] = [:]
      for (_, row) in try reader.entries(.meta, prefix: Keys.allObjects) {
        let object = try row.reading { try KnownObject(&$0) }
        guard authors.contains(object.author) else { continue }
        digests[object.author, default: []].insert(object.digest)
      }
      return digests
    }
  }

  /// Notes what objects of a remote hold, and forgets those that are gone.
  package func note(
    _ found: [ContentHash: KnownObject], forgetting gone: [ContentHash], on remote: String
  ) throws {
    let prefix = Keys.objects(on: remote)
    try storage.write { writer in
      for (head, object) in found { try writer.put(.meta, prefix + head.bytes, object.row) }
      for head in gone { try writer.delete(.meta, prefix + head.bytes) }
    }
  }
}

extension KnownObject {
  fileprivate init(_ reader: inout ByteReader) throws {
    segment = SegmentReference(
      zone: ZoneID(try reader.text(limit: 64)), series: try reader.replica(),
      first: try reader.varint(), last: try reader.varint(), head: try reader.hash(),
      size: Int(clamping: try reader.varint()), location: try reader.text())
    size = Int(clamping: try reader.varint())
    author = try reader.block()
    digest = try reader.hash()
  }

  fileprivate var row: [UInt8] {
    var writer = ByteWriter()
    writer.write(text: segment.zone.text)
    writer.write(segment.series)
    writer.write(varint: segment.first)
    writer.write(varint: segment.last)
    writer.write(segment.head)
    writer.write(count: segment.size ?? 0)
    writer.write(text: segment.location)
    writer.write(count: size)
    writer.write(block: author)
    writer.write(digest)
    return writer.bytes
  }
}
