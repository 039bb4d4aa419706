import SyncKit

/// A code that a person reads aloud or types: digits and letters that are not mixed up easily.
///
/// It is written in groups of four, such as `4F7K-92QD`. Small letters count as capitals, `O` as 0,
/// `I` and `L` as 1; anything but digits and letters is passed over.
public struct JoinCode: Sendable, Equatable {
  private static let digits = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)

  /// Of a code for pairing, and of one for an account.
  private static let lengths = [8, 16]

  /// The digits without anything between.
  package let plain: String

  /// Draws a code of that many digits, five random bits each.
  package init(digits count: Int, from environment: SyncEnvironment) {
    plain = String(
      decoding: (0..<count).map { _ in Self.digits[Int(environment.random() >> 59)] },
      as: UTF8.self)
  }

  /// Reads what a person has typed; nil when it can be no code.
  public init?(_ text: String) {
    guard text.utf8.count <= 64 else { return nil }
    var plain: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"): plain.append(byte - 32)
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
        plain.append(byte)
      case UInt8(ascii: "-"), UInt8(ascii: " "): continue
      default: return nil
      }
    }
    plain = plain.map { byte in
      switch byte {
      case UInt8(ascii: "O"): UInt8(ascii: "0")
      case UInt8(ascii: "I"), UInt8(ascii: "L"): UInt8(ascii: "1")
      default: byte
      }
    }
    guard Self.lengths.contains(plain.count), plain.allSatisfy(Self.digits.contains) else {
      return nil
    }
    self.plain = String(decoding: plain, as: UTF8.self)
  }

  /// The code in groups of four.
  public var text: String {
    var text = ""
    for (index, digit) in plain.enumerated() {
      if index > 0, index % 4 == 0 { text.append("-") }
      text.append(digit)
    }
    return text
  }
}
