import NIOHTTP1
import SyncWire

/// What the head of a request must be like before anything looks at it.
///
/// A proxy and a server that read one request in two ways can be played against each other, so what
/// could be read in two ways is refused, and the connection is closed.
/// Source: [RFC 9112](https://www.rfc-editor.org/rfc/rfc9112), sections 3 and 6.
struct RequestHeadRules: Sendable {
  /// Whether only requests to this machine by its own name are taken.
  ///
  /// A web page that has its name point to 127.0.0.1 makes the browser of its reader ask us, with its own name as the host.
  var onlyLoopbackHosts = false
  /// No body is longer.
  var maximumBody = WireProtocol.maximumSegmentBytes

  private static let methods: Set<String> = [
    "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS",
  ]

  /// Why a head is refused; nil when it is in order.
  func refusal(_ head: HTTPRequestHead) -> WireError? {
    guard head.version == .http1_1 || head.version == .http1_0 else {
      return WireError(.badRequest, "the version of HTTP is not 1.1")
    }
    guard Self.methods.contains(head.method.rawValue) else {
      return WireError(.methodNotAllowed, "there is no such method here")
    }
    return refusal(path: head.uri) ?? hostRefusal(head) ?? framingRefusal(head)
  }

  private func refusal(path: String) -> WireError? {
    guard path.utf8.first == UInt8(ascii: "/") else {
      return WireError(.badRequest, "the target of the request is not a path")
    }
    guard path.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") }) else {
      return WireError(.badRequest, "the path has bytes that must be escaped")
    }
    var rest = path.utf8[...]
    while let percent = rest.firstIndex(of: UInt8(ascii: "%")) {
      rest = rest[percent...].dropFirst()
      let digits = rest.prefix(2)
      guard digits.count == 2, let byte = UInt8(String(decoding: digits, as: UTF8.self), radix: 16),
        digits.first != UInt8(ascii: "+"), digits.first != UInt8(ascii: "-")
      else { return WireError(.badRequest, "the path has a broken escape") }
      guard byte != 0 else { return WireError(.badRequest, "the path has a zero byte") }
    }
    return nil
  }

  private func hostRefusal(_ head: HTTPRequestHead) -> WireError? {
    let hosts = head.headers["host"]
    if hosts.isEmpty, head.version == .http1_0 { return nil }
    guard hosts.count == 1, let host = hosts.first else {
      return WireError(.badRequest, "a request must name its host exactly once")
    }
    guard host.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "@") }) else {
      return WireError(.badRequest, "the host has invalid bytes")
    }
    guard onlyLoopbackHosts, !ServerAddress.isLoopback(ServerAddress.name(of: host)) else {
      return nil
    }
    return WireError(.badRequest, "this server answers only to localhost")
  }

  private func framingRefusal(_ head: HTTPRequestHead) -> WireError? {
    let lengths = head.headers["content-length"]
    let codings = head.headers["transfer-encoding"]
    guard codings.isEmpty || lengths.isEmpty, lengths.count <= 1, codings.count <= 1 else {
      return WireError(.badRequest, "the request states its end in two ways")
    }
    if let coding = codings.first {
      guard coding.lowercased() == "chunked", head.version == .http1_1 else {
        return WireError(.badRequest, "the only transfer encoding is 'chunked'")
      }
    }
    if let length = lengths.first {
      guard !length.isEmpty,
        length.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 })
      else { return WireError(.badRequest, "the length of the body is not a number") }
      guard let count = Int(length), count <= maximumBody else {
        return WireError(.tooLarge, "the body has more than \(maximumBody) bytes")
      }
    }
    if let coding = head.headers["content-encoding"].first, coding.lowercased() != "identity" {
      return WireError(.unsupportedMedia, "bodies must have no content encoding")
    }
    return nil
  }
}
