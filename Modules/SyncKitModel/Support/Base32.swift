/// RFC 4648 base32 in lowercase without padding: safe in any file name on any file system.
public enum Base32 {
  private static let alphabet = Array("abcdefghijklmnopqrstuvwxyz234567".utf8)

  /// Writes five bits a digit, most significant first.
  public static func encode(_ bytes: some Sequence<UInt8>) -> String {
    var digits: [UInt8] = []
    var buffer: UInt32 = 0
    var bits = 0
    for byte in bytes {
      buffer = buffer << 8 | UInt32(byte)
      bits += 8
      while bits >= 5 {
        bits -= 5
        digits.append(alphabet[Int(buffer >> UInt32(bits)) & 31])
      }
      buffer &= (1 << UInt32(bits)) - 1
    }
    if bits > 0 { digits.append(alphabet[Int(buffer << UInt32(5 - bits)) & 31]) }
    return String(decoding: digits, as: UTF8.self)
  }

  /// Reads lowercase digits; nil for a foreign digit or left-over bits that are not zero.
  public static func decode(_ text: some StringProtocol) -> [UInt8]? {
    var bytes: [UInt8] = []
    var buffer: UInt32 = 0
    var bits = 0
    for digit in text.utf8 {
      let value: UInt8
      switch digit {
      case UInt8(ascii: "a")...UInt8(ascii: "z"): value = digit - UInt8(ascii: "a")
      case UInt8(ascii: "2")...UInt8(ascii: "7"): value = digit - UInt8(ascii: "2") + 26
      default: return nil
      }
      buffer = buffer << 5 | UInt32(value)
      bits += 5
      if bits >= 8 {
        bits -= 8
        bytes.append(UInt8(truncatingIfNeeded: buffer >> UInt32(bits)))
        buffer &= (1 << UInt32(bits)) - 1
      }
    }
    return bits < 5 && buffer == 0 ? bytes : nil
  }
}
