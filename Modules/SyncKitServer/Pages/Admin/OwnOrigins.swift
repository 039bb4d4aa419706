import HTTPTypes

/// Tells the server's own origins from those of others: scheme, host and port, as a browser names them.
///
/// A browser says with every form from which origin it comes. Whether that is ours follows from the host that the
/// browser asked for, and from what the settings say of encryption: behind a proxy that encrypts, the page was
/// `https:`, although the request that arrives here was not.
struct OwnOrigins: Sendable {
  /// Whether the server itself encrypts.
  var isEncrypted = false
  /// Where people reach the server by its settings; nil when they do not say.
  var url: String?

  /// The origins that a page of ours can have which made a request, directly or through a proxy whose word counts.
  func all(for request: HTTPRequest, isBehindProxy: Bool) -> Set<String> {
    var origins: Set<String> = []
    if let url, let origin = Self.origin(of: url) { origins.insert(origin) }
    var hosts = [request.authority].compactMap(\.self)
    if isBehindProxy, let host = Self.last(.forwardedHost, of: request) { hosts.append(host) }
    for host in hosts {
      for scheme in schemes(for: host, request, isBehindProxy) {
        if let origin = Self.origin(of: "\(scheme)://\(host)") { origins.insert(origin) }
      }
    }
    return origins
  }

  private func schemes(
    for host: String, _ request: HTTPRequest, _ isBehindProxy: Bool
  ) -> [String] {
    if isEncrypted { return ["https"] }
    guard isBehindProxy else { return ["http"] }
    switch Self.last(.forwardedScheme, of: request)?.lowercased() {
    case "http": return ["http"]
    case "https": return ["https"]
    default:
      // What does not pass the proxy comes from this machine, or through a tunnel that leads to it.
      return ServerAddress.isLoopback(ServerAddress.name(of: host)) ? ["https", "http"] : ["https"]
    }
  }

  /// The proxy's own word, which comes last.
  private static func last(_ name: HTTPField.Name?, of request: HTTPRequest) -> String? {
    guard let name, let field = request.headerFields[values: name].last,
      let word = field.split(separator: ",").last?.trimmingSpaces()
    else { return nil }
    return String(word)
  }

  /// The origin of an address, as a browser writes it; nil for what is none.
  static func origin(of url: String) -> String? {
    let url = url.lowercased()
    for (scheme, port) in [("https", "443"), ("http", "80")] where url.hasPrefix("\(scheme)://") {
      var host = url.dropFirst(scheme.utf8.count + 3).prefix { !"/?#".contains($0) }
      if host.hasSuffix(":\(port)") { host = host.dropLast(port.utf8.count + 1) }
      guard !host.isEmpty, !host.contains("@") else { return nil }
      return "\(scheme)://\(host)"
    }
    return nil
  }
}

extension HTTPField.Name {
  fileprivate static let forwardedHost = HTTPField.Name("X-Forwarded-Host")
  fileprivate static let forwardedScheme = HTTPField.Name("X-Forwarded-Proto")
}
