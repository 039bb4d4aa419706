import CommandFoundation
import CurlNetwork
import SyncKitHTTP
import SyncKit

/// A server, reached over HTTP.
enum HTTPRegistration: TransportRegistration {
  static let scheme = "http"
  static let isShared = true
  static let about = """
    Your own server, or that of a person you trust (cloudsync serve), with accounts and sharing.
    """

  static var address: RemoteAddress {
    RemoteAddress(
      schemes: ["http", "https"], form: "https://HOST",
      read: { text, _ throws(SyncError) in
        guard let address = ServerAddress(text) else {
          throw SyncError(
            .usage, "'\(Sanitized.line(text))' is not the address of a server",
            hint: "write https://HOST, without a user, a query or a fragment")
        }
        return ConfigValues(["url": address.text])
      },
      show: { $0.text("url") ?? "" })
  }

  static var tables: PlugInTables {
    PlugInTables(
      keys: [
        ConfigKey("url", .url, "The server's address", required: true),
        ConfigKey("token", .secret(orText: false), "The token for the server"),
      ] + ConfigKey.network,
      errors: PlugInTables.networkErrors)
  }

  static func open(
    _ remote: RemoteSettings, _ context: TransportContext
  ) throws -> any Transport {
    try HTTPTransport(ServerAccess(remote.configured, context))
  }
}

extension Configuration.Remote.Location {
  /// A server, by its address.
  static func http(url: String, token: Secret?) -> Self {
    var values = ConfigValues(["url": url])
    if let token { values.set("token", to: .secret(token)) }
    return Self(type: HTTPRegistration.scheme, values: values)
  }

  /// Whether it is a server, which has accounts, sharing and news.
  var isServer: Bool { type == HTTPRegistration.scheme }

  /// The address of the server, if it is one.
  var serverAddress: ServerAddress? {
    isServer ? values.text("url").flatMap { ServerAddress($0) } : nil
  }
}

extension Configuration.Remote {
  /// What may stand between this device and a server.
  struct Web: Hashable, Sendable {
    /// Certificates to trust in place of the system's, by the absolute path of their file.
    var certificates: String?
    /// The only certificate that is taken from the server.
    var fingerprint: CertificateFingerprint?
    /// A proxy's address, or `direct`; nil for what the environment says.
    var proxy: String?
    /// Whether the connection may be unencrypted though it leaves this machine.
    var allowsCleartext = false
  }

  /// How a server is reached; of no meaning elsewhere.
  var web: Web {
    let values = location.values
    return Web(
      certificates: values.text("ca-file"),
      fingerprint: values.text("fingerprint").flatMap { CertificateFingerprint($0) },
      proxy: values.text("proxy"), allowsCleartext: values.flag("allow-cleartext"))
  }
}
