import CSyncKitZlib

/// Unpacks one stream of deflate piece by piece, holding no more than a window and a piece.
///
/// ```swift
/// let inflater = try Inflater(.raw)
/// while !inflater.isFinished { _ = try inflater.feed(nextBytes()) { write($0) } }
/// ```
///
/// Source: [RFC 1951](https://www.rfc-editor.org/rfc/rfc1951); the wrappers are those of
/// [RFC 1950](https://www.rfc-editor.org/rfc/rfc1950) and
/// [RFC 1952](https://www.rfc-editor.org/rfc/rfc1952), whose checksums are compared.
public final class Inflater {
  /// What stands around the compressed bytes.
  public enum Wrapper: Sendable {
    /// Nothing, as in ZIP.
    case raw
    /// A head of two bytes and Adler-32, as in PDF and PNG.
    case zlib
    /// One member of a gzip file.
    case gzip

    fileprivate var windowBits: Int32 {
      switch self {
      case .raw: -15
      case .zlib: 15
      case .gzip: 31
      }
    }
  }

  /// The longest piece that is given out.
  static let pieceLength = 1 << 16

  /// Whether the end of the stream was read.
  public private(set) var isFinished = false

  // zlib remembers where the stream lies in memory, so it must not move.
  private let stream: UnsafeMutablePointer<z_stream>

  /// Prepares for the first byte of a stream.
  ///
  /// - Throws: ``ArchiveError`` when there is not enough memory.
  public init(_ wrapper: Wrapper) throws {
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    let size = Int32(MemoryLayout<z_stream>.size)
    guard inflateInit2_(stream, wrapper.windowBits, zlibVersion(), size) == Z_OK else {
      // What was not initialised is left alone by `inflateEnd` in `deinit`.
      throw ArchiveError("there is not enough memory to unpack it")
    }
  }

  deinit {
    inflateEnd(stream)
    stream.deinitialize(count: 1)
    stream.deallocate()
  }

  /// Unpacks the next bytes of the stream, split anywhere.
  ///
  /// - Parameters:
  ///   - bytes: What comes next; it is taken whole unless the stream ends in it.
  ///   - body: Takes what was unpacked, in pieces of up to 64 KiB; what it throws is passed on, after
  ///     which the inflater is of no more use.
  /// - Returns: How many of the bytes were taken.
  /// - Throws: ``ArchiveError`` when the bytes are no such stream.
  public func feed(
    _ bytes: ArraySlice<UInt8>, _ body: (ArraySlice<UInt8>) throws -> Void
  ) throws -> Int {
    var taken = 0
    while !isFinished {
      let (piece, length) = try step(bytes.dropFirst(taken).prefix(1 << 30))
      taken += length
      if !piece.isEmpty { try body(piece[...]) }
      // A full piece may leave more behind even if all input was taken.
      if taken == bytes.count, piece.count < Self.pieceLength { break }
    }
    return taken
  }

  private func step(_ bytes: ArraySlice<UInt8>) throws -> (piece: [UInt8], taken: Int) {
    var status = Z_OK
    let piece = bytes.withUnsafeBufferPointer { source in
      [UInt8](unsafeUninitializedCapacity: Self.pieceLength) { target, count in
        stream.pointee.next_in = UnsafeMutablePointer(mutating: source.baseAddress)
        stream.pointee.avail_in = UInt32(truncatingIfNeeded: source.count)
        stream.pointee.next_out = target.baseAddress
        stream.pointee.avail_out = UInt32(truncatingIfNeeded: target.count)
        status = inflate(stream, Z_NO_FLUSH)
        count = target.count - Int(stream.pointee.avail_out)
      }
    }
    let taken = bytes.count - Int(stream.pointee.avail_in)
    stream.pointee.next_in = nil
    stream.pointee.next_out = nil
    switch status {
    case Z_OK, Z_BUF_ERROR: break
    case Z_STREAM_END: isFinished = true
    case Z_MEM_ERROR: throw ArchiveError("there is not enough memory to unpack it")
    default: throw ArchiveError("its compressed bytes are damaged")
    }
    return (piece, taken)
  }
}
