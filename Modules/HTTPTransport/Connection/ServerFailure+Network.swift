import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOHTTPCompression
import NIOSSL
import SyncKit

extension ServerFailure {
  /// What broke below HTTP; `hasAnswer` says whether the head of an answer had come.
  init(_ error: any Error, from server: ServerAddress, hasAnswer: Bool) {
    switch error {
    case let failure as ServerFailure: self = failure
    case is NIOTooManyBytesError: self = .broken(server, "an answer is longer than any may be")
    case is NIOHTTPDecompression.DecompressionError,
      is NIOHTTPDecompression.ExtraDecompressionError:
      self = .broken(server, "an answer cannot be unpacked, or grows out of proportion")
    case is NIOSSLError where !hasAnswer, is BoringSSLError, is NIOSSLExtraError:
      self = .untrusted(server, "\(error)")
    case let error as HTTPParserError:
      switch error {
      case .invalidEOFState, .closedConnection:
        self = .unreachable(server, "the answer breaks off", wasSent: true)
      default: self = .foreign(server, "it does not speak HTTP")
      }
    case let error as HTTPClientError:
      switch error {
      case .proxyAuthenticationRequired:
        self.init(
          SyncError(
            .remoteDenied, "The proxy on the way to \(server) wants a user and a password.",
            hint: "Write them into the proxy's address."))
      case .tlsHandshakeTimeout: self = .unreachable(server, "\(error)", wasSent: false)
      case .connectTimeout, .socksHandshakeTimeout, .httpProxyHandshakeTimeout,
        .invalidProxyResponse, .getConnectionFromPoolTimeout:
        self = .unreachable(server, "\(error.shortDescription)", wasSent: false)
      default: self = .unreachable(server, "\(error.shortDescription)", wasSent: true)
      }
    case is ChannelError, is IOError:
      self = .unreachable(server, "\(error)", wasSent: true)
    default:
      // Network.framework and the resolver have errors that cannot be named here.
      let type = String(reflecting: Swift.type(of: error))
      if type.contains("TLS") || type.contains("SSL") {
        self = .untrusted(server, "\(error)")
      } else {
        let isConnecting = type.contains("NIOConnectionError")
        self = .unreachable(
          server, isConnecting ? "no connection can be made" : "\(error)", wasSent: !isConnecting)
      }
    }
  }

  private static func untrusted(_ server: ServerAddress, _ cause: String) -> ServerFailure {
    ServerFailure(
      SyncError(
        .remoteTLS, "The certificate of \(server) is not to be trusted, or the encryption fails.",
        hint: "If the server has an authority of its own, name its file with 'ca-file'.",
        cause: String(cause.prefix(300))))
  }
}
