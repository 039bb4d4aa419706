#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A received request.
public struct LoopbackRequest: Sendable {
  /// All its bytes.
  public var bytes: [UInt8]
  /// Such as `GET`.
  public var method: String
  /// The path with its query; for a proxy the whole address.
  public var target: String
  /// The fields by their names in lower case.
  public var headers: [String: String]
  /// The bytes after the head.
  public var body: [UInt8]

  /// The body as text.
  public var text: String { String(decoding: body, as: UTF8.self) }

  /// Makes a request for a page.
  init(get target: String) {
    (bytes, method, headers, body) = ([], "GET", ["host": "127.0.0.1"], [])
    self.target = target
  }

  /// Reads a request from a connection; nil if it is cut off, too long, or pauses for more than five seconds.
  init?(from client: Int32) {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 18)
    var head: Int?
    while bytes.count < 100 << 20 {
      var event = pollfd(fd: client, events: Int16(POLLIN), revents: 0)
      guard poll(&event, 1, 5_000) > 0 else { return nil }
      let count = chunk.withUnsafeMutableBytes { recv(client, $0.baseAddress, $0.count, 0) }
      guard count > 0 else { return nil }
      bytes += chunk.prefix(count)
      if head == nil { head = bytes.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound }
      guard let head else { continue }
      let lines = String(decoding: bytes[..<head], as: UTF8.self).split(separator: "\r\n")
      let words = (lines.first ?? "").split(separator: " ")
      guard words.count == 3 else { return nil }
      var headers: [String: String] = [:]
      for line in lines.dropFirst() {
        let parts = line.split(separator: ":", maxSplits: 1)
        if parts.count == 2 { headers[parts[0].lowercased()] = String(parts[1].drop { $0 == " " }) }
      }
      guard bytes.count - head >= Int(headers["content-length"] ?? "0") ?? 0 else { continue }
      self.bytes = bytes
      self.method = String(words[0])
      self.target = String(words[1])
      self.headers = headers
      self.body = Array(bytes[head...])
      return
    }
    return nil
  }
}
