import AsyncHTTPClient
import Formats
import NIOCore
import NIOPosix

/// Why no answer came, in words.
enum WebFault: Error, CustomStringConvertible {
  case tooSlow(Duration)
  case tooLong(Int)
  /// A server, and why it gave no answer.
  case noAnswer(String, String)

  var description: String { Self.reason(of: self) }

  /// The reason as the end of a sentence, free of headers and control characters.
  static func reason(of error: any Error) -> String {
    switch error {
    case WebFault.tooSlow(let limit): "it took longer than \(limit.components.seconds) seconds"
    case WebFault.tooLong(let limit): "it is longer than \(limit) bytes"
    case WebFault.noAnswer(let host, let reason): "\(host) gave no answer: \(reason)"
    case let error as HTTPClientError: reason(of: error)
    case let error as NIOConnectionError: reason(of: error)
    case let error as IOError: text(error.description)
    default: text(String(describing: error))
    }
  }

  private static func reason(of error: HTTPClientError) -> String {
    switch error {
    case .connectTimeout: "there was no connection in time"
    case .deadlineExceeded, .readTimeout: "it took too long"
    case .remoteConnectionClosed: "the connection was closed"
    case .proxyAuthenticationRequired: "the proxy wants a name and a password"
    default: text(error.shortDescription)
    }
  }

  private static func reason(of error: NIOConnectionError) -> String {
    if let first = error.connectionErrors.first?.error {
      return (first as? IOError).map { text($0.description) } ?? text(String(describing: first))
    }
    return "the name \"\(text(error.host))\" cannot be resolved"
  }

  private static func text(_ description: String) -> String {
    DisplayWidth.truncated(DisplayWidth.sanitized(description), to: 200)
  }
}
