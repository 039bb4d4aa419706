/// Where a server is: `https://host[:port][/path]`.
///
/// The path is where the server is mounted behind a proxy; all that the protocol names lies below it.
/// A user, a password, a query or a fragment is never part of an address.
public struct ServerAddress: Hashable, Sendable {
  /// Whether the connection is encrypted.
  public let isEncrypted: Bool
  /// The host in lower case; an IPv6 address without its brackets.
  public let host: String
  /// The port, the scheme's own where none is named.
  public let port: Int
  /// The path without a slash at its end; empty for none.
  public let path: String

  /// Reads an address; nil when the text is none.
  public init?(_ text: some StringProtocol) {
    guard let mark = text.firstRange(of: "://") else { return nil }
    switch text[..<mark.lowerBound].lowercased() {
    case "https": isEncrypted = true
    case "http": isEncrypted = false
    default: return nil
    }
    let rest = text[mark.upperBound...]
    let slash = rest.firstIndex(of: "/") ?? rest.endIndex
    var path = String(rest[slash...])
    while path.hasSuffix("/") { path.removeLast() }
    guard path.utf8.allSatisfy(Self.isPathByte), !path.contains("//"),
      !path.split(separator: "/").contains(where: { $0 == "." || $0 == ".." })
    else { return nil }
    self.path = path
    let authority = rest[..<slash]
    let ports: Substring
    if authority.hasPrefix("[") {
      guard let bracket = authority.firstIndex(of: "]") else { return nil }
      host = authority[authority.index(after: authority.startIndex)..<bracket].lowercased()
      ports = Substring(authority[authority.index(after: bracket)...])
      guard host.utf8.allSatisfy(Self.isNumericByte), host.contains(":") else { return nil }
    } else {
      let colon = authority.firstIndex(of: ":") ?? authority.endIndex
      host = authority[..<colon].lowercased()
      ports = Substring(authority[colon...])
      guard host.utf8.allSatisfy(Self.isHostByte), host.utf8.count <= 253 else { return nil }
    }
    guard !host.isEmpty else { return nil }
    if ports.isEmpty {
      port = isEncrypted ? 443 : 80
    } else {
      guard ports.first == ":", ports.dropFirst().utf8.allSatisfy({ 0x30...0x39 ~= $0 }),
        let number = Int(ports.dropFirst()), 1...65_535 ~= number
      else { return nil }
      port = number
    }
  }

  /// Whether what is sent there stays on this machine.
  public var isLoopback: Bool {
    if host == "localhost" || host == "::1" || host.hasSuffix(".localhost") { return true }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }

  /// The scheme, host and port: whom a token is for.
  public var origin: String {
    let name = host.contains(":") ? "[\(host)]" : host
    let usual = isEncrypted ? 443 : 80
    return "\(isEncrypted ? "https" : "http")://\(name)\(port == usual ? "" : ":\(port)")"
  }

  /// The whole address, written in one way only.
  public var text: String { origin + path }

  private static func isHostByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  private static func isNumericByte(_ byte: UInt8) -> Bool {
    isHostByte(byte) || byte == UInt8(ascii: ":")
  }

  private static func isPathByte(_ byte: UInt8) -> Bool {
    isHostByte(byte | 0x20) || isHostByte(byte) || byte == UInt8(ascii: "/")
      || byte == UInt8(ascii: "~") || byte == UInt8(ascii: "%")
  }
}

extension ServerAddress: CustomStringConvertible {
  public var description: String { text }
}
