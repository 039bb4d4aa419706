import AsyncHTTPClient
import SyncKitHTTP
import NIOHTTP1
import NIOHTTPCompression

extension NetworkCarrier {
  /// What broke below HTTP, once no lack of trust is behind it.
  static func failure(_ error: any Error) -> any Error {
    switch error {
    case is CancellationError, is CarrierFailure: return error
    case is NIOHTTPDecompression.DecompressionError,
      is NIOHTTPDecompression.ExtraDecompressionError:
      return CarrierFailure.notUnpackable
    case HTTPParserError.invalidEOFState, HTTPParserError.closedConnection: break
    case is HTTPParserError: return CarrierFailure.notHTTP
    case let error as HTTPClientError where error == .proxyAuthenticationRequired:
      return CarrierFailure.proxyDenied
    default: break
    }
    let fault = ConnectionFault(error)
    return CarrierFailure.unreachable(fault.reason, wasSent: fault.wasSent)
  }
}
