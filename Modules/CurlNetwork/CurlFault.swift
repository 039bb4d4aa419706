import CSyncKitCurl
import SyncKitHTTP

/// Why a transfer has failed, as libcurl tells it, taken down before its handle goes.
package struct CurlFault: Error, Sendable {
  /// How far a transfer had come.
  enum Stage {
    /// There was no connection.
    case connecting
    /// The proxy had not said whether it leads there.
    case proxy
    /// The two sides had not agreed on encryption.
    case encryption
    /// The other side may have got the request.
    case sent
  }

  private let code: CURLcode
  private let stage: Stage
  /// The error of the system below; 0 for none.
  private let number: Int32
  /// What a proxy has answered to `CONNECT`; 0 for nothing.
  private let proxyStatus: Int
  /// Whether the other side has ended the encryption with a complaint.
  private let isRefusedByAlert: Bool

  /// Takes down what a handle knows.
  ///
  /// - Parameters:
  ///   - code: The result.
  ///   - easy: The handle.
  ///   - request: What was asked.
  ///   - words: The words of libcurl, which are for developers.
  init(
    _ code: CURLcode, of easy: UnsafeMutableRawPointer, _ request: CurlRequest, words: String
  ) {
    self.code = code
    number = Int32(truncatingIfNeeded: ccurl_get_long(easy, CURLINFO_OS_ERRNO))
    proxyStatus = ccurl_get_long(easy, CURLINFO_HTTP_CONNECTCODE)
    let isNew = ccurl_get_long(easy, CURLINFO_NUM_CONNECTS) > 0
    stage =
      if !isNew, ccurl_get_long(easy, CURLINFO_REQUEST_SIZE) > 0 {
        .sent
      } else if ccurl_get_size(easy, CURLINFO_CONNECT_TIME_T) == 0 {
        .connecting
      } else if request.proxy?.isSOCKS == false, !(200..<300 ~= proxyStatus) {
        .proxy
      } else if request.isEncrypted, ccurl_get_size(easy, CURLINFO_APPCONNECT_TIME_T) == 0 {
        .encryption
      } else {
        .sent
      }
    // Nothing else tells that a server wants a certificate, which it says after both have agreed.
    isRefusedByAlert =
      [CURLE_RECV_ERROR, CURLE_SEND_ERROR].contains(code) && words.contains("alert")
  }

  private init(_ code: CURLcode, _ stage: Stage = .sent) {
    (self.code, self.stage) = (code, stage)
    (number, proxyStatus, isRefusedByAlert) = (0, 0, false)
  }

  /// An answer that grows out of proportion when it is unpacked.
  static let overlong = CurlFault(CURLE_BAD_CONTENT_ENCODING)
  /// A head that has no end.
  static let overlongHead = CurlFault(CURLE_WEIRD_SERVER_REPLY)
  /// An end without an answer.
  static let noAnswer = CurlFault(CURLE_GOT_NOTHING)
  /// No handle, for want of memory.
  static let noHandle = CurlFault(CURLE_FAILED_INIT, .connecting)

  /// Whether the certificate could not be verified, as also where there are no authorities.
  var isOfCertificate: Bool {
    [CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE].contains(code)
  }
  /// Whether the key of the other side is not the pinned one.
  var isOfPinnedKey: Bool { code == CURLE_SSL_PINNEDPUBKEYNOTMATCH }

  /// Whether both sides did not agree on encryption.
  var isOfEncryption: Bool {
    isRefusedByAlert
      || [
        CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CLIENTCERT,
        CURLE_SSL_ENGINE_INITFAILED, CURLE_USE_SSL_FAILED, CURLE_SSL_ISSUER_ERROR,
      ].contains(code)
  }

  /// Whether it may be that one side encrypts and the other does not.
  var mayBeMisunderstanding: Bool {
    isOfEncryption
      || [
        CURLE_GOT_NOTHING, CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_UNSUPPORTED_PROTOCOL,
        CURLE_WEIRD_SERVER_REPLY,
      ].contains(code)
      || code == CURLE_OPERATION_TIMEDOUT && [.encryption, .sent].contains(stage)
  }

  /// What has happened, once no lack of trust is behind it.
  package var failure: CarrierFailure {
    if proxyStatus == 407 { return .proxyDenied }
    switch code {
    case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY: return .notHTTP
    case CURLE_BAD_CONTENT_ENCODING: return .notUnpackable
    default: return .unreachable(reason, wasSent: stage == .sent)
    }
  }

  /// The reason, as the end of a sentence.
  private var reason: String {
    switch code {
    case CURLE_COULDNT_RESOLVE_HOST: "the host name cannot be resolved"
    case CURLE_COULDNT_RESOLVE_PROXY: "the proxy's name cannot be resolved"
    case CURLE_OPERATION_TIMEDOUT:
      switch stage {
      case .connecting: "the connection timed out"
      case .proxy: "the proxy did not answer in time"
      case .encryption: "encryption was not agreed on in time"
      case .sent: "the answer took too long"
      }
    case CURLE_PARTIAL_FILE: "the answer was cut short"
    case CURLE_GOT_NOTHING, CURLE_SEND_FAIL_REWIND: "the connection was closed"
    case CURLE_PROXY: "the proxy does not answer like a proxy"
    default:
      stage == .proxy ? "the proxy does not answer like a proxy" : CarrierFailure.reason(number)
    }
  }
}
