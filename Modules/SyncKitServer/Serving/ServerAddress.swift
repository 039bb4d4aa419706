import SyncKit

/// Where a server listens: a host and a port, or a socket in the file system.
public enum ServerAddress: Sendable, Hashable, CustomStringConvertible {
  /// A name or address of this machine; port 0 for one that is free.
  case host(String, port: Int)
  /// The absolute path of a socket.
  case unix(String)

  /// Reads `host:port`, `[::1]:port` or `unix:/path`; nil when it is none of them.
  public init?(_ text: String) {
    if text.hasPrefix("unix:") {
      let path = String(text.dropFirst(5))
      // The kernel's own limit, with a byte for the end.
      guard path.hasPrefix("/"), path.utf8.count < 108, !path.utf8.contains(0) else { return nil }
      self = .unix(path)
      return
    }
    guard let colon = text.lastIndex(of: ":") else { return nil }
    let digits = text[text.index(after: colon)...]
    guard !digits.isEmpty, digits.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }),
      let port = Int(digits), 0...65_535 ~= port
    else { return nil }
    var host = text[..<colon]
    if host.hasPrefix("[") {
      guard host.hasSuffix("]"), host.count > 2 else { return nil }
      host = host.dropFirst().dropLast()
    } else {
      guard !host.isEmpty, !host.contains(":") else { return nil }
    }
    self = .host(String(host), port: port)
  }

  public var description: String {
    switch self {
    case .host(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    case .unix(let path): "unix:\(path)"
    }
  }

  /// Whether only this machine can reach it.
  public var isLocal: Bool {
    switch self {
    case .host(let host, _): Self.isLoopback(host)
    case .unix: true
    }
  }

  /// The name in a field `Host`, without its port.
  static func name(of host: String) -> String {
    if host.hasPrefix("[") { return String(host.dropFirst().prefix { $0 != "]" }) }
    return String(host.prefix { $0 != ":" })
  }

  /// Whether a host is this machine by its name or address; `localhost.example.org` is not.
  static func isLoopback(_ host: String) -> Bool {
    let host = host.lowercased()
    if host == "localhost" || host == "::1" || host == "0:0:0:0:0:0:0:1" { return true }
    let address = host.hasPrefix("::ffff:") ? host.dropFirst(7) : host[...]
    let parts = address.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }
}
