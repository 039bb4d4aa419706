/// XXH64, the 64-bit checksum of every row; about as fast as memory.
///
/// The algorithm is public (https://github.com/Cyan4973/xxHash, doc/xxhash_spec.md); its test
/// vectors and ours are in Documentation/Formats/Store.md. It finds accidents, not forgers.
enum RowChecksum {
  private static let prime1: UInt64 = 0x9E37_79B1_85EB_CA87
  private static let prime2: UInt64 = 0xC2B2_AE3D_27D4_EB4F
  private static let prime3: UInt64 = 0x1656_67B1_9E37_79F9
  private static let prime4: UInt64 = 0x85EB_CA77_C2B2_AE63
  private static let prime5: UInt64 = 0x27D4_EB2F_1656_67C5

  /// The checksum of a row: it covers the store, the table, the key and the value, so that a row
  /// that strays into another place is as wrong as a damaged one.
  static func row(
    store seed: UInt64, table: UInt8, key: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer
  ) -> UInt64 {
    hash(value, seed: hash(key, seed: seed ^ (UInt64(table) &* prime1)))
  }

  /// XXH64 of the bytes.
  static func hash(_ bytes: UnsafeRawBufferPointer, seed: UInt64) -> UInt64 {
    var offset = 0
    let end = bytes.count
    var sum: UInt64
    if end >= 32 {
      var lane1 = seed &+ prime1 &+ prime2
      var lane2 = seed &+ prime2
      var lane3 = seed
      var lane4 = seed &- prime1
      while offset <= end - 32 {
        lane1 = round(lane1, word(bytes, offset))
        lane2 = round(lane2, word(bytes, offset + 8))
        lane3 = round(lane3, word(bytes, offset + 16))
        lane4 = round(lane4, word(bytes, offset + 24))
        offset += 32
      }
      sum = rotate(lane1, 1) &+ rotate(lane2, 7) &+ rotate(lane3, 12) &+ rotate(lane4, 18)
      sum = merge(merge(merge(merge(sum, lane1), lane2), lane3), lane4)
    } else {
      sum = seed &+ prime5
    }
    sum = sum &+ UInt64(end)
    while offset <= end - 8 {
      sum = rotate(sum ^ round(0, word(bytes, offset)), 27) &* prime1 &+ prime4
      offset += 8
    }
    if offset <= end - 4 {
      let half = UInt64(
        UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
      sum = rotate(sum ^ (half &* prime1), 23) &* prime2 &+ prime3
      offset += 4
    }
    while offset < end {
      sum = rotate(sum ^ (UInt64(bytes[offset]) &* prime5), 11) &* prime1
      offset += 1
    }
    sum = (sum ^ (sum >> 33)) &* prime2
    sum = (sum ^ (sum >> 29)) &* prime3
    return sum ^ (sum >> 32)
  }

  private static func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
    UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  private static func rotate(_ value: UInt64, _ bits: UInt64) -> UInt64 {
    value << bits | value >> (64 - bits)
  }

  private static func round(_ lane: UInt64, _ word: UInt64) -> UInt64 {
    rotate(lane &+ word &* prime2, 31) &* prime1
  }

  private static func merge(_ sum: UInt64, _ lane: UInt64) -> UInt64 {
    (sum ^ round(0, lane)) &* prime1 &+ prime4
  }
}
