/// Compares bytes eight at a time; keys and names are compared more often than anything else happens.
enum ByteOrder {
  /// Where two buffers first differ, as far as the shorter one goes; nil when they do not.
  static func firstDifference(
    _ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer
  ) -> Int? {
    let count = min(left.count, right.count)
    var offset = 0
    while offset &+ 8 <= count {
      let difference =
        left.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        ^ right.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      if difference != 0 {
        return offset &+ UInt64(littleEndian: difference).trailingZeroBitCount / 8
      }
      offset &+= 8
    }
    while offset < count {
      if left[offset] != right[offset] { return offset }
      offset &+= 1
    }
    return nil
  }

  /// Whether the left bytes come first; of two that begin alike the shorter one does.
  package static func precedes(
    _ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer
  ) -> Bool {
    guard let offset = firstDifference(left, right) else { return left.count < right.count }
    return left[offset] < right[offset]
  }
}

extension Array where Element == UInt8 {
  /// Whether these bytes come before others, as `lexicographicallyPrecedes` says.
  package func precedes(_ other: [UInt8]) -> Bool {
    withUnsafeBytes { left in other.withUnsafeBytes { ByteOrder.precedes(left, $0) } }
  }
}
