import CSyncKitZlib

/// Packs whole buffers with deflate.
enum Deflater {
  /// The window of a stream without a wrapper, and of a member of a gzip file.
  static let raw: Int32 = -15
  static let gzip: Int32 = 31

  static func pack(_ bytes: [UInt8], windowBits: Int32) throws -> [UInt8] {
    var stream = z_stream()
    let size = Int32(MemoryLayout<z_stream>.size)
    guard
      deflateInit2_(
        &stream, 6, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY, zlibVersion(), size) == Z_OK,
      let length = UInt32(exactly: bytes.count)
    else { throw ArchiveError("there is not enough memory to pack it") }
    defer { deflateEnd(&stream) }
    let room = deflateBound(&stream, uLong(bytes.count))
    return bytes.withUnsafeBufferPointer { source in
      [UInt8](unsafeUninitializedCapacity: Int(room)) { target, count in
        stream.next_in = UnsafeMutablePointer(mutating: source.baseAddress)
        stream.avail_in = length
        stream.next_out = target.baseAddress
        stream.avail_out = UInt32(clamping: room)
        // It ends in one step, as there is room for the worst case.
        deflate(&stream, Z_FINISH)
        count = target.count - Int(stream.avail_out)
      }
    }
  }

  /// Goes on with the checksum CRC-32, which begins at 0.
  static func checksum(_ bytes: ArraySlice<UInt8>, after checksum: UInt32) -> UInt32 {
    bytes.withUnsafeBufferPointer { buffer in
      // Without an address zlib would start over.
      guard let start = buffer.baseAddress else { return checksum }
      return UInt32(truncatingIfNeeded: crc32_z(uLong(checksum), start, buffer.count))
    }
  }
}
