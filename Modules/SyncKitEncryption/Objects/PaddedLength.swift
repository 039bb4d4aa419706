/// How long something becomes before it is sealed, so that its size says little of it.
enum PaddedLength {
  /// The padded length of so many bytes: 4 KiB at least, a multiple of 1 KiB up to 16 KiB, and above a length that
  /// has few digits: at most an eighth more (Padmé).
  static func of(_ count: Int) -> Int {
    if count <= 16 << 10 { return max(4 << 10, (count + 1_023) & ~1_023) }
    // As many leading bits stay as the number of bits has bits.
    let exponent = Int.bitWidth - 1 - count.leadingZeroBitCount
    let digits = Int.bitWidth - exponent.leadingZeroBitCount
    let mask = (1 << (exponent - digits)) - 1
    return (count + mask) & ~mask
  }
}
