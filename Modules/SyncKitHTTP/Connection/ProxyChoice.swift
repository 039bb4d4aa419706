import SyncKitText

/// Which proxy leads to a server.
public enum ProxyChoice: Hashable, Sendable {
  /// None, whatever the environment says.
  case direct
  /// What the variables `https_proxy`, `http_proxy`, `all_proxy` and `no_proxy` say, in lower or, but for
  /// `http_proxy`, in upper case.
  case environment([String: String])
  /// This one, as `http://[user:password@]host:port` or `socks5://host[:port]`.
  case server(String)

  /// The proxy for a server; nil for none, as always for this machine.
  package func proxy(to server: ServerAddress) -> Proxy? {
    guard !server.isLoopback else { return nil }
    switch self {
    case .direct: return nil
    case .server(let text): return Proxy(text)
    case .environment(let variables):
      func value(_ names: String...) -> String? {
        names.lazy.compactMap { variables[$0] }.first { !$0.isEmpty }
      }
      if let list = value("no_proxy", "NO_PROXY"), Self.exempts(list, server) { return nil }
      // A web server hands a header named Proxy to its programs as HTTP_PROXY; that one is not trusted.
      let own =
        server.isEncrypted ? value("https_proxy", "HTTPS_PROXY") : value("http_proxy")
      return (own ?? value("all_proxy", "ALL_PROXY")).flatMap { Proxy($0) }
    }
  }

  private static func exempts(_ list: String, _ server: ServerAddress) -> Bool {
    list.split(whereSeparator: { $0 == "," || $0 == " " }).contains { entry in
      if entry == "*" { return true }
      var name = entry.lowercased()
      if let colon = name.lastIndex(of: ":"), let port = Int(name[name.index(after: colon)...]),
        !name[..<colon].contains(":")
      {
        guard port == server.port else { return false }
        name = String(name[..<colon])
      }
      while name.hasPrefix(".") || name.hasPrefix("*") { name.removeFirst() }
      return !name.isEmpty && (server.host == name || server.host.hasSuffix("." + name))
    }
  }
}

/// A proxy, taken apart.
package struct Proxy: Hashable, Sendable {
  package var isSOCKS: Bool
  package var host: String
  package var port: Int
  /// `user:password`.
  package var credentials: String?

  /// Reads one; without a scheme it is one of HTTP.
  package init?(_ text: String) {
    var rest = Substring(text)
    isSOCKS = false
    if let mark = rest.firstRange(of: "://") {
      switch rest[..<mark.lowerBound].lowercased() {
      case "http": break
      case "socks5", "socks5h", "socks": isSOCKS = true
      default: return nil
      }
      rest = rest[mark.upperBound...]
    }
    if let at = rest.lastIndex(of: "@") {
      credentials = PercentEncoding.decode(rest[..<at])
      rest = rest[rest.index(after: at)...]
    }
    guard let address = ServerAddress("http://\(rest)"), address.path.isEmpty else { return nil }
    host = address.host
    let hasPort = rest.drop { $0 != "]" }.contains(":") || !rest.contains("[") && rest.contains(":")
    port = hasPort ? address.port : isSOCKS ? 1_080 : 8_080
  }
}
