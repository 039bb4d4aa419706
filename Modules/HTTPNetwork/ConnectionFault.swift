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
    case ChannelError.connectTimeout: self.init("there was no connection in time", wasSent: false)
    case is HTTPParserError: self.init("the answer breaks off")
    default:
      // Network.framework has errors that cannot be named here.
      self.init("the connection broke off")
    }
  }

  private init(client error: HTTPClientError) {
    switch error {
    case .connectTimeout, .getConnectionFromPoolTimeout:
      self.init("there was no connection in time", wasSent: false)
    case .tlsHandshakeTimeout:
      self.init("no encrypted connection was agreed on in time", wasSent: false)
    case .socksHandshakeTimeout, .httpProxyHandshakeTimeout:
      self.init("the proxy gave no answer in time", wasSent: false)
    case .invalidProxyResponse: self.init("the proxy gives no answer of a proxy", wasSent: false)
    case .proxyAuthenticationRequired:
      self.init("the proxy wants a user and a password", wasSent: false)
    case .readTimeout, .deadlineExceeded: self.init("the answer took too long")
    case .writeTimeout: self.init("sending took too long")
    case .remoteConnectionClosed: self.init("the connection was closed")
    case .cancelled: self.init("it was broken off here")
    default: self.init("the connection broke off")
    }
  }

  private init(connecting error: NIOConnectionError) {
    let codes = error.connectionErrors.compactMap { ($0.error as? IOError)?.errnoCode }
    if let code = codes.first {
      self.init(CarrierFailure.reason(code), wasSent: false)
    } else if !error.connectionErrors.isEmpty {
      self.init("there was no connection in time", wasSent: false)
    } else {
      self.init("the name of the host leads nowhere", wasSent: false)
    }
  }
}
