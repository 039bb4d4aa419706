/// A link that hands over a secret: `https://host/join#CODE` or `https://host/share#SECRET`.
///
/// The secret stands in the fragment, which no browser sends and no server logs. Where no authority vouches
/// for the server, its fingerprint may stand behind it: `#CODE&sha256=` and 64 hexadecimal digits.
public struct ServerLink: Hashable, Sendable {
  /// What the secret is for.
  public enum Purpose: String, Sendable {
    /// To let one more device into an account.
    case join
    /// To take part in another person's record.
    case share
  }

  /// The server.
  public let server: ServerAddress
  /// What it is for.
  public let purpose: Purpose
  /// The secret.
  public let secret: String
  /// The server's certificate; nil when an authority vouches for it.
  public let fingerprint: CertificateFingerprint?

  /// Makes a link.
  public init(
    _ purpose: Purpose, at server: ServerAddress, secret: String,
    fingerprint: CertificateFingerprint? = nil
  ) {
    self.server = server
    self.purpose = purpose
    self.secret = secret
    self.fingerprint = fingerprint
  }

  /// Reads a link; nil when the text is none.
  public init?(_ text: some StringProtocol) {
    guard let mark = text.firstIndex(of: "#"), let address = ServerAddress(text[..<mark]),
      let slash = address.path.lastIndex(of: "/"),
      let purpose = Purpose(rawValue: String(address.path[address.path.index(after: slash)...])),
      let server = ServerAddress(address.origin + address.path[..<slash])
    else { return nil }
    let parts = text[text.index(after: mark)...]
      .split(separator: "&", omittingEmptySubsequences: false)
    let secret = String(parts[0])
    guard !secret.isEmpty, secret.utf8.count <= 200,
      secret.utf8.allSatisfy({ 0x21...0x7E ~= $0 })
    else { return nil }
    var fingerprint: CertificateFingerprint?
    for part in parts.dropFirst() where part.hasPrefix(Self.key) {
      // A fingerprint that cannot be read must not count as none.
      fingerprint = CertificateFingerprint(part.dropFirst(Self.key.count))
      guard fingerprint != nil else { return nil }
    }
    self.init(purpose, at: server, secret: secret, fingerprint: fingerprint)
  }

  private static let key = "sha256="

  /// What stands behind the secret for a server that no authority vouches for.
  package static func mark(_ fingerprint: CertificateFingerprint) -> String {
    "&\(key)\(fingerprint.digits)"
  }

  /// The whole link, a secret.
  public var text: String {
    "\(server)/\(purpose.rawValue)#\(secret)\(fingerprint.map(Self.mark) ?? "")"
  }
}
