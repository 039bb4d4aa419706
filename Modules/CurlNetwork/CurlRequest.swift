import CSyncKitCurl
import SyncKitText
import SyncKitHTTP

/// A request as libcurl takes it.
package struct CurlRequest: Sendable {
  /// The authorities that vouch for the other side.
  package enum Trust: Hashable, Sendable {
    /// The authorities of the system, or those of a file in PEM alone.
    case authorities(file: String?)
    /// The same, whatever the name in the certificate.
    case authoritiesForAnyName(file: String?)
    /// No check at all, to read the certificate.
    case unchecked
  }

  package var url: String
  package var method = "GET"
  package var headers: [(name: String, value: String)] = []
  package var body: [UInt8] = []
  package var proxy: Proxy?
  /// Who asks, if the server wants Digest authentication; it is challenged first.
  package var digest: DigestLogin?
  package var trust = Trust.authorities(file: nil)
  /// The only key that the other side may have, as the base64 of its SHA-256; nil for any.
  package var pinnedKey: String?
  /// How long the connection may take, the whole may take (nil for ever), and the other side may say nothing.
  package var connectTimeout = Duration.seconds(10)
  package var timeout: Duration?
  package var silence = Duration.seconds(45)
  /// Whether the connection is only made, and nothing asked.
  package var onlyConnects = false

  /// Whether the address says that it is encrypted.
  var isEncrypted: Bool { url.hasPrefix("https:") }
  /// Whether the server may get it twice, as libcurl sends it again when a connection that was kept turns out to be gone.
  var isRepeatable: Bool { !["POST", "PATCH"].contains(method) }

  package init(url: String) { self.url = url }

  /// Why the request cannot be sent at all; nil when it can.
  package var refusal: CarrierFailure? {
    let texts = [url, method] + headers.flatMap { [$0.name, $0.value] }
    let isPlain = texts.allSatisfy { $0.utf8.allSatisfy { $0 != 0 && $0 != 10 && $0 != 13 } }
    return isPlain
      ? nil : .unreachable("the request has a line break where none is allowed", wasSent: false)
  }

  /// Sets all options of a handle but those of where the answer goes.
  ///
  /// - Returns: The header fields, which have to stay until the transfer has ended.
  func configure(_ easy: UnsafeMutableRawPointer) -> UnsafeMutablePointer<curl_slist>? {
    ccurl_set_long(easy, CURLOPT_NOSIGNAL, 1)
    // A lookup of a name that hangs holds up no other transfer when it is given up.
    ccurl_set_long(easy, CURLOPT_QUICK_EXIT, 1)
    ccurl_set_text(easy, CURLOPT_URL, url)
    ccurl_set_long(easy, CURLOPT_PATH_AS_IS, 1)
    ccurl_set_long(
      easy, CURLOPT_PROTOCOLS, Int(CURLPROTO_HTTP | CURLPROTO_HTTPS))
    // One connection carries a large upload at full speed over 1.1, and a fraction of it over 2.
    ccurl_set_long(easy, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
    ccurl_set_long(easy, CURLOPT_FOLLOWLOCATION, 0)
    ccurl_set_long(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    // What is packed is unpacked; what is asked for stands in the header fields.
    ccurl_set_text(easy, CURLOPT_ACCEPT_ENCODING, "gzip, deflate")
    ccurl_set_long(easy, CURLOPT_BUFFERSIZE, 64 << 10)
    ccurl_set_long(easy, CURLOPT_CONNECTTIMEOUT_MS, connectTimeout.milliseconds)
    if let timeout { ccurl_set_long(easy, CURLOPT_TIMEOUT_MS, timeout.milliseconds) }
    // A connection that has been idle for longer is closed by many a server just now.
    ccurl_set_long(easy, CURLOPT_MAXAGE_CONN, 20)
    setMethod(of: easy)
    setTrust(of: easy)
    setProxy(of: easy)
    if let digest {
      ccurl_set_long(easy, CURLOPT_HTTPAUTH, Int(ccurl_digest))
      ccurl_set_text(easy, CURLOPT_USERNAME, digest.user)
      ccurl_set_text(easy, CURLOPT_PASSWORD, digest.password)
    }
    if onlyConnects { ccurl_set_long(easy, CURLOPT_CONNECT_ONLY, 1) }
    let list = headerList()
    if let list { ccurl_set_pointer(easy, CURLOPT_HTTPHEADER, list) }
    return list
  }

  private func setMethod(of easy: UnsafeMutableRawPointer) {
    switch method {
    case "GET" where body.isEmpty: ccurl_set_long(easy, CURLOPT_HTTPGET, 1)
    case "HEAD": ccurl_set_long(easy, CURLOPT_NOBODY, 1)
    default:
      if !body.isEmpty || ["POST", "PUT", "PATCH"].contains(method) {
        // The transfer hands the bytes on as they are asked for.
        ccurl_set_long(easy, CURLOPT_POST, 1)
        ccurl_set_size(easy, CURLOPT_POSTFIELDSIZE_LARGE, Int64(body.count))
      }
      ccurl_set_text(easy, CURLOPT_CUSTOMREQUEST, method)
    }
    // One with a body is not sent again because the transfer refuses to begin the body again.
    if !isRepeatable, body.isEmpty { ccurl_set_long(easy, CURLOPT_FRESH_CONNECT, 1) }
  }

  private func setTrust(of easy: UnsafeMutableRawPointer) {
    ccurl_set_long(easy, CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
    switch trust {
    case .authorities(let file):
      if let file { ccurl_set_text(easy, CURLOPT_CAINFO, file) }
    case .authoritiesForAnyName(let file):
      if let file { ccurl_set_text(easy, CURLOPT_CAINFO, file) }
      ccurl_set_long(easy, CURLOPT_SSL_VERIFYHOST, 0)
    case .unchecked:
      ccurl_set_long(easy, CURLOPT_SSL_VERIFYPEER, 0)
      ccurl_set_long(easy, CURLOPT_SSL_VERIFYHOST, 0)
      ccurl_set_long(easy, CURLOPT_CERTINFO, 1)
    }
    if let pinnedKey { ccurl_set_text(easy, CURLOPT_PINNEDPUBLICKEY, "sha256//\(pinnedKey)") }
  }

  private func setProxy(of easy: UnsafeMutableRawPointer) {
    // Without one libcurl would look into the environment itself.
    guard let proxy else {
      ccurl_set_text(easy, CURLOPT_PROXY, "")
      return
    }
    let host = proxy.host.contains(":") ? "[\(proxy.host)]" : proxy.host
    let scheme = proxy.isSOCKS ? "socks5h" : "http"
    ccurl_set_text(easy, CURLOPT_PROXY, "\(scheme)://\(host):\(proxy.port)")
    ccurl_set_text(easy, CURLOPT_NOPROXY, "")
    // A tunnel hands news on as they come.
    ccurl_set_long(easy, CURLOPT_HTTPPROXYTUNNEL, 1)
    guard let credentials = proxy.credentials else { return }
    let parts = credentials.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    ccurl_set_text(easy, CURLOPT_PROXYUSERNAME, String(parts[0]))
    ccurl_set_text(easy, CURLOPT_PROXYPASSWORD, parts.count > 1 ? String(parts[1]) : "")
  }

  /// Fields that libcurl would add of its own accord.
  private static let added = ["Accept", "Accept-Encoding", "Content-Type", "Expect", "User-Agent"]

  private func headerList() -> UnsafeMutablePointer<curl_slist>? {
    let names = Set(headers.map { $0.name.lowercased() })
    let lines =
      headers.map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" }
      + Self.added.filter { !names.contains($0.lowercased()) }.map { "\($0):" }
    return lines.reduce(nil) { ccurl_list_append($0, $1) ?? $0 }
  }
}

extension Duration {
  /// For libcurl, to which 0 means without end.
  fileprivate var milliseconds: Int {
    let (seconds, attoseconds) = components
    guard seconds < 1_000_000_000 else { return 0 }
    return max(1, Int(seconds) * 1_000 + Int(attoseconds / 1_000_000_000_000_000))
  }
}
