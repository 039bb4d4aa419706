/// A link that hands over a secret: `https://host/join#CODE` or `https://host/share#SECRET`.
///
/// The secret stands in the fragment, which no browser sends and no server logs. Where no authority vouches
/// for the server, its fingerprint may stand behind it: `#CODE&sha256=` and 64 hexadecimal digits. Where the account is
/// encrypted, the code for its keys does: `#CODE&key=CODE`; the server never sees it.
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
  /// The code that opens the keys of an encrypted account; nil for one that is not.
  public let key: String?

  /// Makes a link.
  public init(
    _ purpose: Purpose, at server: ServerAddress, secret: String,
    fingerprint: CertificateFingerprint? = nil, key: String? = nil
  ) {
    self.key = key
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
    for part in parts.dropFirst() where part.hasPrefix(Self.fingerprintMark) {
      // A fingerprint that cannot be read must not count as none.
      fingerprint = CertificateFingerprint(part.dropFirst(Self.fingerprintMark.count))
      guard fingerprint != nil else { return nil }
    }
    let key = parts.dropFirst().first { $0.hasPrefix(Self.keyMark) }
      .map { String($0.dropFirst(Self.keyMark.count)) }
    self.init(purpose, at: server, secret: secret, fingerprint: fingerprint, key: key)
  }

  private static let fingerprintMark = "sha256="
  private static let keyMark = "key="

  /// What stands behind the secret for a server that no authority vouches for.
  package static func mark(_ fingerprint: CertificateFingerprint) -> String {
    "&\(fingerprintMark)\(fingerprint.digits)"
  }

  /// The whole link, a secret.
  public var text: String {
    let key = key.map { "&\(Self.keyMark)\($0)" } ?? ""
    return "\(server)/\(purpose.rawValue)#\(secret)\(fingerprint.map(Self.mark) ?? "")\(key)"
  }
}
