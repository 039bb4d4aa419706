import CommandFoundation
import CurlNetwork
import SyncKit
import SyncKitHTTP

extension ConfigKey {
  /// How a service on the network is reached, whatever it keeps; ``Configuration/Remote/Web`` reads them.
  static var network: [ConfigKey] {
    [
      ConfigKey("ca-file", .path, "Certificates in PEM to trust in place of the system's"),
      ConfigKey(
        "fingerprint", .fingerprint,
        "The SHA-256 of the only certificate to trust; with ca-file, both must match"),
      ConfigKey(
        "proxy", .proxy, "The proxy to use, or 'direct'; taken from the environment if unset"),
      ConfigKey(
        "allow-cleartext", .flag, "Whether to allow http:// to another machine", fallback: "false"),
    ]
  }
}

extension PlugInTables {
  /// The errors of any service on the network, whatever it keeps.
  static var networkErrors: [(code: SyncError.Code, meaning: String)] {
    [
      (.libraryMissing, "A required system library is not installed"),
      (.remoteTooLarge, "Something is larger than the server accepts"),
      (.remoteRateLimited, "The server asks for fewer requests"),
      (.remoteTLS, "The server's certificate is not trusted"),
      (
        .remoteForeign,
        "The answer is not from the service that was expected; perhaps a captive portal"
      ),
    ]
  }
}
