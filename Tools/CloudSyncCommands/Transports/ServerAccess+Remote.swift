import CommandFoundation
import CurlNetwork
import SyncKitHTTP
import SyncKit

extension ServerAccess {
  /// The access to a configured server; its token is read when it is first needed.
  ///
  /// - Throws: ``SyncError`` `config.invalid` for an invalid address.
  init(_ remote: Configuration.Remote, _ context: TransportContext) throws {
    guard let address = remote.location.serverAddress else {
      throw SyncError(
        .configInvalid, "'\(Sanitized.line(remote.location.url))' is not the address of a server",
        hint: "write https://HOST, without a user, a query or a fragment")
    }
    let secret = remote.location.values.secret("token")
    self.init(address, remote, context) {
      if let secret { return try secret.read(environment: context.variables) }
      return try StoredToken.read(remote.name, for: address.text, in: context.data)
    }
  }

  /// The access to a service at an address, reached as ``ConfigKey/network`` of a remote say.
  init(
    _ address: ServerAddress, _ remote: Configuration.Remote, _ context: TransportContext,
    token: @escaping @Sendable () throws -> String? = { nil }
  ) {
    let proxy: ProxyChoice =
      switch remote.web.proxy {
      case "direct": .direct
      case let text?: .server(text)
      case nil: .environment(context.variables)
      }
    self.init(
      curl: address, environment: context.environment,
      certificates: remote.web.authorities(context.variables),
      fingerprint: remote.web.fingerprint, proxy: proxy,
      allowsCleartext: remote.web.allowsCleartext, token: token)
  }
}

extension Configuration.Remote.Web {
  /// The file of trusted authorities; nil for those of the system, or for a fingerprint alone.
  fileprivate func authorities(_ variables: [String: String]) -> String? {
    certificates ?? (fingerprint == nil ? AuthorityFile.named(by: variables) : nil)
  }
}
