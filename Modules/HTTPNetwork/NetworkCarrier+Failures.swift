import AsyncHTTPClient
import HTTPTransport
import NIOCore
import NIOHTTP1
import NIOHTTPCompression
import NIOSSL

extension NetworkCarrier {
  /// What broke below HTTP; `hasAnswer` says whether the head of an answer had come.
  static func failure(_ error: any Error, hasAnswer: Bool) -> any Error {
    switch error {
    case is CancellationError: return error
    case is NIOHTTPDecompression.DecompressionError,
      is NIOHTTPDecompression.ExtraDecompressionError:
      return CarrierFailure.notUnpackable
    case is NIOSSLError where !hasAnswer, is BoringSSLError, is NIOSSLExtraError:
      return CarrierFailure.untrusted("\(error)")
    case let error as HTTPParserError:
      switch error {
      case .invalidEOFState, .closedConnection:
        return CarrierFailure.unreachable("the answer breaks off", wasSent: true)
      default: return CarrierFailure.notHTTP
      }
    case let error as HTTPClientError:
      switch error {
      case .proxyAuthenticationRequired: return CarrierFailure.proxyDenied
      case .tlsHandshakeTimeout: return CarrierFailure.unreachable("\(error)", wasSent: false)
      case .connectTimeout, .socksHandshakeTimeout, .httpProxyHandshakeTimeout,
        .invalidProxyResponse, .getConnectionFromPoolTimeout:
        return CarrierFailure.unreachable(error.shortDescription, wasSent: false)
      default: return CarrierFailure.unreachable(error.shortDescription, wasSent: true)
      }
    case is ChannelError, is IOError:
      return CarrierFailure.unreachable("\(error)", wasSent: true)
    default:
      // Network.framework and the resolver have errors that cannot be named here.
      let type = String(reflecting: Swift.type(of: error))
      if type.contains("TLS") || type.contains("SSL") {
        return CarrierFailure.untrusted("\(error)")
      }
      let isConnecting = type.contains("NIOConnectionError")
      return CarrierFailure.unreachable(
        isConnecting ? "no connection can be made" : "\(error)", wasSent: !isConnecting)
    }
  }
}
