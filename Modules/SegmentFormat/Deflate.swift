import CSyncKitZlib
import SyncKit

/// Raw deflate (RFC 1951) of whole buffers by the system's zlib.
enum Deflate {
  /// No wrapper of zlib's own: the file has a better checksum.
  private static let windowBits: Int32 = -15
  /// What a window has room for beside the bytes that are looked back at.
  private static let margin = 262

  /// Packs bytes; nil when that would not make them smaller.
  static func pack(_ bytes: [UInt8], level: Int32) throws -> [UInt8]? {
    guard bytes.count > 1 else { return nil }
    var stream = z_stream()
    let size = Int32(MemoryLayout<z_stream>.size)
    // No more memory than the bytes need: most segments are small, and clearing it takes longer than they do.
    let bits = min(max(Int32(64 - (bytes.count + margin).leadingZeroBitCount), 9), -windowBits)
    guard
      deflateInit2_(
        &stream, level, Z_DEFLATED, -bits, bits - 6, Z_DEFAULT_STRATEGY, zlibVersion(), size)
        == Z_OK
    else { throw SyncError(.failure, "There is not enough memory to pack a segment.") }
    defer { deflateEnd(&stream) }

    var status = Z_OK
    let packed = try bytes.withUnsafeBytes { source in
      // One byte less than the source: what does not fit is not worth it.
      try [UInt8](unsafeUninitializedCapacity: bytes.count - 1) { target, count in
        guard let input = source.bindMemory(to: Bytef.self).baseAddress,
          let length = UInt32(exactly: source.count)
        else { throw SyncError(.bug, "A segment is too large to be packed.") }
        stream.next_in = UnsafeMutablePointer(mutating: input)
        stream.avail_in = length
        stream.next_out = target.baseAddress
        stream.avail_out = UInt32(target.count)
        status = deflate(&stream, Z_FINISH)
        count = target.count - Int(stream.avail_out)
      }
    }
    return status == Z_STREAM_END ? packed : nil
  }

  /// Unpacks to exactly `length` bytes, which the caller has bounded.
  ///
  /// - Throws: ``SyncError`` `format.damaged` for anything that is not one whole stream of them.
  static func unpack(_ packed: UnsafeRawBufferPointer, length: Int) throws -> [UInt8] {
    var stream = z_stream()
    let size = Int32(MemoryLayout<z_stream>.size)
    guard inflateInit2_(&stream, windowBits, zlibVersion(), size) == Z_OK else {
      throw SyncError(.failure, "There is not enough memory to unpack a segment.")
    }
    defer { inflateEnd(&stream) }

    return try [UInt8](unsafeUninitializedCapacity: length) { target, count in
      guard let input = packed.bindMemory(to: Bytef.self).baseAddress,
        let available = UInt32(exactly: packed.count), let room = UInt32(exactly: length)
      else { throw ByteReader.damaged("their content cannot be unpacked") }
      stream.next_in = UnsafeMutablePointer(mutating: input)
      stream.avail_in = available
      stream.next_out = target.baseAddress
      stream.avail_out = room
      let status = inflate(&stream, Z_FINISH)
      guard status == Z_STREAM_END, stream.avail_in == 0, stream.avail_out == 0 else {
        throw ByteReader.damaged("their content cannot be unpacked")
      }
      count = length
    }
  }
}
