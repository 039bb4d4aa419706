import Formats
import HTTPNetwork
import HTTPTransport
import NIOHTTP1
import SyncKit

/// Why no answer came, in words.
enum WebFault: Error, CustomStringConvertible {
  case tooSlow(Duration)
  case tooLong(Int)
  case untrusted(TrustFault)
  /// A server, and why it gave no answer.
  case noAnswer(String, String)

  var description: String { Self.reason(of: self) }

  /// The reason as the end of a sentence, in words of our own.
  static func reason(of error: any Error) -> String {
    switch error {
    case WebFault.tooSlow(let limit): "it took longer than \(limit.components.seconds) seconds"
    case WebFault.tooLong(let limit): "it is longer than \(limit) bytes"
    case WebFault.untrusted(let fault): fault.clause
    case WebFault.noAnswer(let host, let reason):
      "\(DisplayWidth.truncated(DisplayWidth.sanitized(host), to: 200)) gave no answer: \(reason)"
    case let error as SyncError: error.message
    case is HTTPParserError: "it does not speak HTTP"
    default: ConnectionFault(error).reason
    }
  }
}
