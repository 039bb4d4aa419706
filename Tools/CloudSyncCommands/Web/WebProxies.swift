#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The proxies that the environment names: `HTTP_PROXY`, `HTTPS_PROXY`, `ALL_PROXY` and `NO_PROXY`, in
/// upper or lower case.
struct WebProxies: Sendable {
  /// A proxy for http, which tunnels https.
  struct Proxy: Hashable, Sendable {
    let host: String
    let port: Int
    /// The name and the password in Base64, as the header has them.
    let credentials: String?
  }

  private let plain: Proxy?
  private let secure: Proxy?
  private let exceptions: [String]

  init(environment: [String: String]) {
    func value(_ name: String) -> String? {
      [environment[name.lowercased()], environment[name]].compactMap { $0 }.first { !$0.isEmpty }
    }
    let all = value("ALL_PROXY")
    plain = (value("HTTP_PROXY") ?? all).flatMap(Self.proxy)
    secure = (value("HTTPS_PROXY") ?? all).flatMap(Self.proxy)
    exceptions = (value("NO_PROXY") ?? "").lowercased().split { $0 == "," || $0 == " " }.map(
      String.init)
  }

  /// The proxy for a server, nil for a direct connection.
  func proxy(for origin: WebOrigin) -> Proxy? {
    exceptions.contains { Self.covers($0, origin) } ? nil : origin.isSecure ? secure : plain
  }

  /// Whether an exception covers a host: `*`, the host itself or a domain it is in, perhaps with a port.
  private static func covers(_ exception: String, _ origin: WebOrigin) -> Bool {
    if exception == "*" { return true }
    var name = exception[...]
    let parts = exception.split(separator: ":", omittingEmptySubsequences: false)
    if parts.count == 2, let port = Int(parts[1]) {
      guard port == origin.port else { return false }
      name = parts[0]
    }
    while name.first == "." || name.first == "*" { name.removeFirst() }
    return !name.isEmpty && (origin.host == name || origin.host.hasSuffix(".\(name)"))
  }

  /// Reads `http://name:password@host:port`, of which only the host is needed.
  private static func proxy(_ text: String) -> Proxy? {
    let address = text.contains("://") ? text : "http://\(text)"
    guard let url = URL(string: address), url.scheme?.lowercased() == "http",
      let host = url.host(percentEncoded: false), !host.isEmpty
    else { return nil }
    var credentials: String?
    if let name = url.user(percentEncoded: false) {
      let password = url.password(percentEncoded: false) ?? ""
      credentials = Data("\(name):\(password)".utf8).base64EncodedString()
    }
    return Proxy(host: host, port: url.port ?? 80, credentials: credentials)
  }
}
