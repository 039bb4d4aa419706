import CommandFoundation
import SyncKitFormats
import SyncKitHTTP
import SyncKit

/// Why no answer came, in words.
enum WebFault: Error, CustomStringConvertible {
  case tooSlow(Duration)
  case tooLong(Int)
  /// A server, and why it did not answer.
  case noAnswer(String, String)

  var description: String { Self.reason(of: self) }

  /// The reason as the end of a sentence, in our own words.
  static func reason(of error: any Error) -> String {
    switch error {
    case WebFault.tooSlow(let limit): "it took longer than \(limit.components.seconds) seconds"
    case WebFault.tooLong(let limit): "it is longer than \(limit) bytes"
    case WebFault.noAnswer(let host, let reason):
      "\(DisplayWidth.truncated(DisplayWidth.sanitized(host), to: 200)) did not answer: \(reason)"
    case let error as SyncError: error.message
    case CarrierFailure.untrusted(let fault): fault.clause
    case CarrierFailure.notHTTP: "it does not speak HTTP"
    case CarrierFailure.notUnpackable: "its answer cannot be decompressed"
    case CarrierFailure.proxyDenied: "the proxy requires a user and a password"
    case CarrierFailure.unreachable(let reason, wasSent: _): reason
    default: "the connection broke off"
    }
  }
}
