import AsyncHTTPClient
import SyncKitHTTP
import NIOCore
import NIOHTTP1
import NIOSSL
import Synchronization

/// Finds out why no connection that is trusted came about.
///
/// What the libraries below say of it is for their developers and names files of the machine they were built
/// on. So a second connection looks at the certificate, or asks in plain HTTP; neither sends anything that is
/// of worth.
package struct TrustProbe: Sendable {
  private let configuration: HTTPClient.Configuration
  private let server: ServerAddress
  private let now: @Sendable () -> Int64

  /// Prepares; nothing is sent.
  ///
  /// - Parameters:
  ///   - configuration: How the connection was made that failed.
  ///   - server: Where to.
  ///   - now: Milliseconds since 1970.
  package init(
    _ configuration: HTTPClient.Configuration, of server: ServerAddress,
    now: @escaping @Sendable () -> Int64
  ) {
    var configuration = configuration
    configuration.http1_1ConnectionDebugInitializer = nil
    configuration.timeout = HTTPClient.Configuration.Timeout(
      connect: .seconds(5), read: .seconds(5))
    self.configuration = configuration
    self.server = server
    self.now = now
  }

  /// What is wrong with the trust in the server.
  ///
  /// - Parameters:
  ///   - error: What the connection has failed with.
  ///   - isKnown: Whether it has answered before, so that both sides agree on encryption.
  /// - Returns: The fault; nil when it is something else.
  package func fault(behind error: any Error, isKnown: Bool = false) async -> TrustFault? {
    switch error {
    case let refusal as OtherCertificate: return .otherFingerprint(refusal.found)
    case let error as NIOSSLExtraError where error == .failedToValidateHostname:
      return .otherHost(await certificate())
    case NIOSSLError.uncleanShutdown: return isKnown ? nil : await misunderstanding()
    case is NIOSSLError, is BoringSSLError, is NIOSSLExtraError:
      if "\(error)".contains("CERTIFICATE_VERIFY_FAILED") {
        return TrustFault(await certificate(), now: now())
      }
      return (isKnown ? nil : await misunderstanding()) ?? .noCommonWay
    case is HTTPParserError, is ChannelError, is IOError:
      return isKnown ? nil : await misunderstanding()
    case let error as HTTPClientError:
      let mayMisunderstand: [HTTPClientError] = [
        .remoteConnectionClosed, .tlsHandshakeTimeout, .readTimeout,
      ]
      return isKnown || !mayMisunderstand.contains(error) ? nil : await misunderstanding()
    default:
      // Those of Network.framework cannot be named here.
      let type = String(reflecting: Swift.type(of: error))
      guard type.contains("TLS") || type.contains("SSL") else { return nil }
      return .unknownAuthority(nil)
    }
  }

  /// Whether one side encrypts and the other one does not.
  package func misunderstanding() async -> TrustFault? {
    if server.isEncrypted { return await answersInPlain() ? .plain : nil }
    return await certificate() == nil ? nil : .encrypted
  }

  // MARK: Looking

  /// The certificate that the server shows, trusted or not; nil when it shows none.
  private func certificate() async -> ServerCertificate? {
    var configuration = configuration
    var tls = TLSConfiguration.makeClientConfiguration()
    tls.certificateVerification = .none
    configuration.tlsConfiguration = tls
    let shown = Shown()
    // The connection ends here, before anything is asked.
    configuration.look { certificate in
      shown.certificate.withLock { $0 = certificate }
      return Seen()
    }
    _ = await status("https", configuration)
    return shown.certificate.withLock { $0 }
  }

  private func answersInPlain() async -> Bool { await status("http", configuration) != nil }

  private func status(_ scheme: String, _ configuration: HTTPClient.Configuration) async -> UInt? {
    let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    let host = server.host.contains(":") ? "[\(server.host)]" : server.host
    var request = HTTPClientRequest(url: "\(scheme)://\(host):\(server.port)/")
    request.method = .HEAD
    let status = try? await client.execute(request, timeout: .seconds(5)).status.code
    try? await client.shutdown()
    return status
  }

  private final class Shown: Sendable {
    let certificate = Mutex<ServerCertificate?>(nil)
  }

  private struct Seen: Error {}
}

/// A server has shown another certificate than the one it is known by.
struct OtherCertificate: Error {
  let found: CertificateFingerprint?
}

extension HTTPClient.Configuration {
  /// Takes no other certificate than one; it is looked at before anything is sent.
  mutating func require(_ fingerprint: CertificateFingerprint) {
    look { certificate in
      certificate?.fingerprint == fingerprint
        ? nil : OtherCertificate(found: certificate?.fingerprint)
    }
  }

  /// Looks at the certificate of each new connection before anything is sent; an objection ends it.
  fileprivate mutating func look(
    _ objection: @escaping @Sendable (ServerCertificate?) -> (any Error)?
  ) {
    http1_1ConnectionDebugInitializer = { channel in
      channel.nioSSL_peerCertificate().flatMapThrowing { certificate in
        guard let error = objection(certificate.flatMap { ShownCertificate($0)?.certificate })
        else { return }
        // The client forgets a connection that is refused here, and leaves it open. It must have
        // forgotten before the connection closes.
        channel.eventLoop.scheduleTask(in: .milliseconds(50)) { channel.close(promise: nil) }
        throw error
      }
    }
  }
}

extension ShownCertificate {
  /// Takes a certificate of the TLS library; nil for one that cannot be read.
  fileprivate init?(_ certificate: NIOSSLCertificate) {
    guard let bytes = try? certificate.toDERBytes() else { return nil }
    self.init(der: bytes)
  }
}
