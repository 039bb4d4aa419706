/// Reads and writes the 36-byte text form of a UUID, lowercase.
public enum UUIDText {
  private static let digits = Array("0123456789abcdef".utf8)

  /// The 16 bytes of a lowercase UUID text; nil for any other text.
  package static func bytes(of text: String) -> [UInt8]? {
    guard text.utf8.count == 36 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(16)
    var high: UInt8?
    var index = -1
    for character in text.utf8 {
      index += 1
      if index == 8 || index == 13 || index == 18 || index == 23 {
        guard character == UInt8(ascii: "-") else { return nil }
        continue
      }
      let value: UInt8
      switch character {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = character - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): value = character - UInt8(ascii: "a") + 10
      default: return nil
      }
      if let first = high {
        bytes.append(first << 4 | value)
        high = nil
      } else {
        high = value
      }
    }
    return bytes
  }

  /// Whether a text is a UUID in lowercase.
  package static func isUUID(_ text: String) -> Bool { bytes(of: text) != nil }

  /// The text of 16 bytes.
  package static func text(of bytes: some Sequence<UInt8>) -> String {
    String(unsafeUninitializedCapacity: 36) { text in
      var end = 0
      for byte in bytes.prefix(16) {
        if end == 8 || end == 13 || end == 18 || end == 23 {
          text[end] = UInt8(ascii: "-")
          end += 1
        }
        text[end] = digits[Int(byte >> 4)]
        text[end + 1] = digits[Int(byte & 15)]
        end += 2
      }
      return end
    }
  }

  /// Draws a random UUID (version 4).
  public static func random(from environment: SyncEnvironment) -> String {
    let high = environment.random() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
    let low = environment.random() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
    return text(of: high.bigEndianBytes + low.bigEndianBytes)
  }
}
