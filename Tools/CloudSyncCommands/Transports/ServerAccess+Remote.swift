import CommandFoundation
import CurlNetwork
import HTTPTransport
import SyncKit

extension ServerAccess {
  /// How a configured server is reached; its token is read when it is first needed.
  ///
  /// - Throws: ``SyncError`` `config.invalid` for an address that is none.
  init(_ remote: Configuration.Remote, _ surroundings: TransportSurroundings) throws {
    guard let address = remote.location.serverAddress else {
      throw SyncError(
        .configInvalid, "'\(Sanitized.line(remote.location.url))' is no address of a server",
        hint: "write https://HOST, without a user, a query or a fragment")
    }
    let secret = remote.location.values.secret("token")
    let proxy: ProxyChoice =
      switch remote.web.proxy {
      case "direct": .direct
      case let text?: .server(text)
      case nil: .environment(surroundings.variables)
      }
    self.init(
      curl: address, environment: surroundings.environment,
      certificates: remote.web.authorities(surroundings.variables),
      fingerprint: remote.web.fingerprint, proxy: proxy,
      allowsCleartext: remote.web.allowsCleartext
    ) {
      if let secret { return try secret.read(environment: surroundings.variables) }
      return try StoredToken.read(remote.name, for: address, in: surroundings.data)
    }
  }
}

extension Configuration.Remote.Web {
  /// The file of the authorities that count; nil for those of the system, or where a fingerprint alone does.
  fileprivate func authorities(_ variables: [String: String]) -> String? {
    certificates ?? (fingerprint == nil ? AuthorityFile.named(by: variables) : nil)
  }
}
