import SyncKitText
public import SyncKit

/// A secret as text: its kind, its id, 256 random bits, and a checksum.
///
/// `cst_` (a token), `csi_` (an invitation), then 13 digits that name it and may be logged, `_`, 52
/// digits that must not be, and 7 digits of CRC-32 over all before, so that scanners of code find lost
/// ones and a typing mistake costs no request. All digits are those of ``Base32``.
public struct TokenText: Sendable, Equatable {
  /// What a secret is for.
  public enum Kind: String, Sendable, CaseIterable {
    /// Opens an account.
    case token = "cst"
    /// Lets a guest into a share.
    case invitation = "csi"
  }

  /// What it is for.
  public let kind: Kind
  /// The part that names it.
  public let id: String
  /// The part that proves it.
  public let secret: [UInt8]

  /// Draws a new one.
  public init(_ kind: Kind, from environment: SyncEnvironment) {
    self.kind = kind
    id = Base32.encode(Self.bytes(1, from: environment))
    secret = Self.bytes(4, from: environment)
  }

  /// Reads a text; nil when it is none or has a mistake in it.
  ///
  /// A server does this with every request, so it makes few strings on the way.
  public init?(_ text: some StringProtocol) {
    let bytes = Array(text.utf8)
    guard bytes.count == Self.length, bytes[3] == Self.separator, bytes[17] == Self.separator,
      let kind = Kind.allCases.first(where: { bytes.starts(with: $0.rawValue.utf8) }),
      bytes[70...].elementsEqual(Self.checksum(of: bytes[..<70]).utf8)
    else { return nil }
    id = String(decoding: bytes[4..<17], as: UTF8.self)
    guard Base32.decode(id)?.count == 8,
      let secret = Base32.decode(String(decoding: bytes[18..<70], as: UTF8.self)),
      secret.count == 32
    else { return nil }
    self.kind = kind
    self.secret = secret
  }

  /// How many characters a text has.
  public static let length = 77

  private static let separator = UInt8(ascii: "_")

  /// The whole text, a secret.
  public var text: String {
    let body = "\(kind.rawValue)_\(id)_\(Base32.encode(secret))"
    return body + Self.checksum(of: Array(body.utf8)[...])
  }

  private static func checksum(of body: ArraySlice<UInt8>) -> String {
    var sum: UInt32 = .max
    for byte in body {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
    }
    return Base32.encode([24, 16, 8, 0].map { UInt8(truncatingIfNeeded: ~sum >> $0) })
  }

  private static func bytes(_ words: Int, from environment: SyncEnvironment) -> [UInt8] {
    (0..<words).flatMap { _ in
      let word = environment.random()
      return (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64(56 - 8 * $0)) }
    }
  }
}
