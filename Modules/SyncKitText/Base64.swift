/// Bytes as text in base64, with padding.
///
/// Source: [RFC 4648](https://www.rfc-editor.org/rfc/rfc4648), chapter 4.
public enum Base64 {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// The value of each byte as a digit; 255 for those that are none.
  private static let digits: [UInt8] = {
    var digits = [UInt8](repeating: 255, count: 256)
    for (value, byte) in alphabet.enumerated() { digits[Int(byte)] = UInt8(value) }
    return digits
  }()

  /// The text of some bytes.
  public static func encode(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      var bits: UInt32 = 0
      for index in 0..<3 {
        bits = bits << 8 | (index < group.count ? UInt32(group[start + index]) : 0)
      }
      for index in 0..<4 {
        let digit = Int(bits >> UInt32(18 - 6 * index) & 0x3F)
        text.append(index <= group.count ? alphabet[digit] : UInt8(ascii: "="))
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The bytes of a text; nil for one that is not base64, or whose padding is not as it has to be.
  public static func decode(_ text: String) -> [UInt8]? {
    let characters = Array(text.utf8)
    guard characters.count % 4 == 0 else { return nil }
    let padding = characters.reversed().prefix(2).prefix { $0 == UInt8(ascii: "=") }.count
    var bytes: [UInt8] = []
    bytes.reserveCapacity(characters.count / 4 * 3)
    var bits: UInt32 = 0
    for (index, byte) in characters.dropLast(padding).enumerated() {
      let digit = digits[Int(byte)]
      guard digit != 255 else { return nil }
      bits = bits << 6 | UInt32(digit)
      guard index % 4 > 0 else { continue }
      bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(6 - 2 * (index % 4))))
    }
    return bytes
  }
}
