import Formats
public import SyncKit

/// A secret as text: what it is, who it names, 256 random bits, and a checksum.
///
/// `cst_` (a token), `csi_` (an invitation), then 13 digits that name it and may be logged, `_`, 52
/// digits that must not be, and 7 digits of CRC-32 over all before, so that scanners of code find lost
/// ones and a typing mistake costs no request. All digits are those of ``Base32``.
public struct TokenText: Sendable, Equatable {
  /// What a secret is for.
  public enum Kind: String, Sendable, CaseIterable {
    case token = "cst"
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
  public init?(_ text: some StringProtocol) {
    let parts = text.split(separator: "_", omittingEmptySubsequences: false)
    guard parts.count == 3, let kind = Kind(rawValue: String(parts[0])), parts[1].utf8.count == 13,
      parts[2].utf8.count == 59
    else { return nil }
    let tail = String(parts[2])
    let digits = tail.prefix(52)
    guard let secret = Base32.decode(digits), secret.count == 32,
      Base32.decode(parts[1])?.count == 8
    else { return nil }
    self.kind = kind
    id = String(parts[1])
    self.secret = secret
    guard checksum == tail.dropFirst(52) else { return nil }
  }

  /// The whole text, a secret.
  public var text: String { body + checksum }

  private var body: String { "\(kind.rawValue)_\(id)_\(Base32.encode(secret))" }

  private var checksum: String {
    var sum: UInt32 = .max
    for byte in body.utf8 {
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
