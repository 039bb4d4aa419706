public import SyncKit
import SyncCrypto

/// A secret that a person writes down: 128 random bits, as 28 letters and digits in groups of four.
///
/// The last two are a checksum, which finds a slip of the pen before anything is tried.
public struct RecoveryCode: Hashable, Sendable {
  /// Bytes of the secret.
  static let length = 16

  let secret: [UInt8]

  init(secret: [UInt8]) { self.secret = secret }

  /// Draws a new code.
  public init(from environment: SyncEnvironment) {
    secret = environment.randomBytes(Self.length)
  }

  /// Reads a code as a person types it: letters of either case, in groups or not, with `0` for `o` and `1` for `l`.
  ///
  /// - Throws: ``SyncKit/SyncError`` `usage` that says what is wrong with it.
  public init(typed text: some StringProtocol) throws(SyncError) {
    var digits = ""
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: " "), UInt8(ascii: "-"), 0x09: continue
      case UInt8(ascii: "0"): digits += "o"
      case UInt8(ascii: "1"): digits += "l"
      case UInt8(ascii: "A")...UInt8(ascii: "Z"):
        digits.unicodeScalars.append(Unicode.Scalar(byte + 32))
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "2")...UInt8(ascii: "7"):
        digits.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        throw Self.wrong("has a sign that is in no code")
      }
    }
    guard digits.utf8.count == 28 else {
      throw Self.wrong("has \(digits.utf8.count) letters and digits in place of 28")
    }
    guard let secret = Base32.decode(digits.prefix(26)), secret.count == Self.length,
      Self.checksum(secret) == digits.suffix(2)
    else { throw Self.wrong("has a slip in it: its last two letters do not fit the others") }
    self.secret = secret
  }

  /// The code as it is printed: `abcd-efgh-…`.
  public var text: String {
    let digits = Array(Base32.encode(secret) + Self.checksum(secret))
    return stride(from: 0, to: digits.count, by: 4).map {
      String(digits[$0..<min($0 + 4, digits.count)])
    }
    .joined(separator: "-")
  }

  private static func checksum(_ secret: [UInt8]) -> String {
    String(Base32.encode(SHA256.hash(secret)).prefix(2))
  }

  private static func wrong(_ what: String) -> SyncError {
    SyncError(.usage, "The code \(what).", hint: "Compare it with what was printed.")
  }
}
