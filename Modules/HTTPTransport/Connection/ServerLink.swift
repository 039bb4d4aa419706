/// A link that hands over a secret: `https://host/join#CODE` or `https://host/share#SECRET`.
///
/// The secret stands in the fragment, which no browser sends and no server logs.
public struct ServerLink: Hashable, Sendable {
  /// What the secret is for.
  public enum Purpose: String, Sendable {
    /// To let one more device into an account.
    case join
    /// To take part in somebody's record.
    case share
  }

  /// The server.
  public let server: ServerAddress
  /// What it is for.
  public let purpose: Purpose
  /// The secret.
  public let secret: String

  /// Makes a link.
  public init(_ purpose: Purpose, at server: ServerAddress, secret: String) {
    self.server = server
    self.purpose = purpose
    self.secret = secret
  }

  /// Reads a link; nil when the text is none.
  public init?(_ text: some StringProtocol) {
    guard let mark = text.firstIndex(of: "#"), let address = ServerAddress(text[..<mark]),
      let slash = address.path.lastIndex(of: "/"),
      let purpose = Purpose(rawValue: String(address.path[address.path.index(after: slash)...])),
      let server = ServerAddress(address.origin + address.path[..<slash])
    else { return nil }
    let secret = String(text[text.index(after: mark)...])
    guard !secret.isEmpty, secret.utf8.count <= 200,
      secret.utf8.allSatisfy({ 0x21...0x7E ~= $0 })
    else { return nil }
    self.init(purpose, at: server, secret: secret)
  }

  /// The whole link, a secret.
  public var text: String { "\(server)/\(purpose.rawValue)#\(secret)" }
}
