#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What two addresses share that belong to the same server: scheme, host and port.
struct WebOrigin: Hashable, Sendable {
  let isSecure: Bool
  /// In lower case, without brackets.
  let host: String
  let port: Int

  /// The origin of an absolute http or https URL, nil for any other text.
  init?(_ url: String) {
    guard let url = URL(string: url), let scheme = url.scheme?.lowercased(),
      scheme == "http" || scheme == "https", let host = url.host(percentEncoded: false),
      !host.isEmpty
    else { return nil }
    isSecure = scheme == "https"
    self.host = host.lowercased()
    port = url.port ?? (isSecure ? 443 : 80)
  }
}
