/// Files packed by gzip, of one member or of several in a row.
///
/// Source: [RFC 1952](https://www.rfc-editor.org/rfc/rfc1952).
public enum Gzip {
  /// Whether bytes begin as a gzip file does.
  public static func isGzip(_ bytes: some Sequence<UInt8>) -> Bool {
    Array(bytes.prefix(3)) == [0x1F, 0x8B, 0x08]
  }

  /// Unpacks a whole file.
  ///
  /// - Parameters:
  ///   - bytes: The file; zeros after the last member are allowed, as tapes leave them.
  ///   - limit: How many bytes it may unpack to.
  /// - Returns: What was packed, all members one after the other.
  /// - Throws: ``ArchiveError`` when the file is damaged, cut off, or unpacks to more.
  public static func decompress(_ bytes: [UInt8], limit: Int) throws -> [UInt8] {
    var result: [UInt8] = []
    var reader = GzipReader()
    try reader.feed(bytes[...]) { piece in
      guard piece.count <= limit - result.count else {
        throw ArchiveError("it unpacks to more than \(limit) bytes")
      }
      result.append(contentsOf: piece)
    }
    try reader.finish()
    return result
  }

  /// Packs bytes into one member without a name or a time, so that the same give the same.
  ///
  /// - Throws: ``ArchiveError`` for 4 GiB and more, or when there is not enough memory.
  public static func compress(_ bytes: [UInt8]) throws -> [UInt8] {
    try Deflater.pack(bytes, windowBits: Deflater.gzip)
  }
}

/// Unpacks a gzip file piece by piece.
///
/// The checksum and the length of each member are compared; what was given out before a fault is found
/// must be thrown away then.
public struct GzipReader {
  private var member: Inflater?
  private var hasMember = false
  private var isPadding = false

  /// Prepares for the first byte of a file.
  public init() {}

  /// Unpacks the next bytes of the file, split anywhere.
  ///
  /// - Throws: ``ArchiveError`` when the bytes are not gzip; and what `body` throws.
  public mutating func feed(
    _ bytes: ArraySlice<UInt8>, _ body: (ArraySlice<UInt8>) throws -> Void
  ) throws {
    var rest = bytes
    while let first = rest.first {
      if member == nil {
        if hasMember, isPadding || first == 0 {
          isPadding = true
          guard rest.allSatisfy({ $0 == 0 }) else {
            throw ArchiveError("there are other bytes after its end")
          }
          return
        }
        member = try Inflater(.gzip)
        hasMember = true
      }
      guard let member else { return }
      rest = rest.dropFirst(try member.feed(rest, body))
      if member.isFinished { self.member = nil }
    }
  }

  /// Says that the file ends here.
  ///
  /// - Throws: ``ArchiveError`` when it must not.
  public func finish() throws {
    guard hasMember, member == nil else { throw ArchiveError("it ends too early") }
  }
}
