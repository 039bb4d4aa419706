/// The checksum of FIT files: CRC-16 with the polynomial 0x8005, reflected, from 0.
///
/// Source: the [FIT protocol](https://developer.garmin.com/fit/protocol/), "CRC".
enum FITChecksum {
  /// The checksum of some bytes.
  static func of(_ bytes: some Sequence<UInt8>) -> UInt16 {
    var sum: UInt16 = 0
    for byte in bytes {
      sum = table[Int((sum ^ UInt16(byte)) & 0xFF)] ^ (sum >> 8)
    }
    return sum
  }

  private static let table: [UInt16] = (0..<256).map { index in
    var value = UInt16(index)
    for _ in 0..<8 { value = value & 1 == 1 ? (value >> 1) ^ 0xA001 : value >> 1 }
    return value
  }
}
