/// The SHA-256 of a certificate, as people compare it: `AB:CD:…`, 32 pairs.
public struct CertificateFingerprint: Hashable, Sendable {
  /// The 32 bytes.
  public let bytes: [UInt8]

  /// Takes a hash; nil unless it has 32 bytes.
  public init?(bytes: [UInt8]) {
    guard bytes.count == 32 else { return nil }
    self.bytes = bytes
  }

  /// Reads what a person copies: 64 hexadecimal digits, with colons or spaces between them or without, also
  /// behind `SHA256:` or the words that `openssl x509 -fingerprint` puts before them.
  public init?(_ text: some StringProtocol) {
    var digits = Substring(text)
    if let equals = digits.lastIndex(of: "=") { digits = digits[digits.index(after: equals)...] }
    if digits.lowercased().hasPrefix("sha256:") { digits = digits.dropFirst(7) }
    if digits.lowercased().hasPrefix("sha-256:") { digits = digits.dropFirst(8) }
    var bytes: [UInt8] = []
    var high: UInt8?
    for character in digits where !": \t".contains(character) {
      guard character.isASCII, let digit = character.hexDigitValue.map({ UInt8($0) }) else {
        return nil
      }
      if let first = high {
        bytes.append(first << 4 | digit)
        high = nil
      } else {
        high = digit
      }
    }
    guard high == nil else { return nil }
    self.init(bytes: bytes)
  }

  /// 64 digits in lowercase, as a link has them.
  public var digits: String { Self.pairs(bytes).joined() }

  private static func pairs(_ bytes: [UInt8]) -> [String] {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
  }
}

extension CertificateFingerprint: CustomStringConvertible {
  public var description: String { Self.pairs(bytes).joined(separator: ":").uppercased() }
}
