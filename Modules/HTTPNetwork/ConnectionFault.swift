import AsyncHTTPClient
import SyncKitHTTP
import NIOCore
import NIOHTTP1
import NIOPosix

/// Why a connection was not made or did not hold, in words of our own.
package struct ConnectionFault: Hashable, Sendable {
  /// The reason, as the end of a sentence.
  package let reason: String
  /// Whether the other side may have got what was sent.
  package let wasSent: Bool

  private init(_ reason: String, wasSent: Bool = true) {
    self.reason = reason
    self.wasSent = wasSent
  }

  /// Finds words for an error of the libraries below.
  package init(_ error: any Error) {
    switch error {
    case let error as HTTPClientError: self.init(client: error)
    case let error as NIOConnectionError: self.init(connecting: error)
    case let error as IOError: self.init(CarrierFailure.reason(error.errnoCode))
    case ChannelError.connectTimeout: self.init("the connection timed out", wasSent: false)
    case is HTTPParserError: self.init("the answer was cut short")
    default:
      // Network.framework has errors that cannot be named here.
      self.init("the connection was lost")
    }
  }

  private init(client error: HTTPClientError) {
    switch error {
    case .connectTimeout, .getConnectionFromPoolTimeout:
      self.init("the connection timed out", wasSent: false)
    case .tlsHandshakeTimeout:
      self.init("encryption was not agreed on in time", wasSent: false)
    case .socksHandshakeTimeout, .httpProxyHandshakeTimeout:
      self.init("the proxy did not answer in time", wasSent: false)
    case .invalidProxyResponse: self.init("the proxy does not answer like a proxy", wasSent: false)
    case .proxyAuthenticationRequired:
      self.init("the proxy requires a user and a password", wasSent: false)
    case .readTimeout, .deadlineExceeded: self.init("the answer took too long")
    case .writeTimeout: self.init("sending took too long")
    case .remoteConnectionClosed: self.init("the connection was closed")
    case .cancelled: self.init("this device cancelled it")
    default: self.init("the connection was lost")
    }
  }

  private init(connecting error: NIOConnectionError) {
    let codes = error.connectionErrors.compactMap { ($0.error as? IOError)?.errnoCode }
    if let code = codes.first {
      self.init(CarrierFailure.reason(code), wasSent: false)
    } else if !error.connectionErrors.isEmpty {
      self.init("the connection timed out", wasSent: false)
    } else {
      self.init("the host name cannot be resolved", wasSent: false)
    }
  }
}
