#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A request as it came.
public struct LoopbackRequest: Sendable {
  /// The whole of it.
  public var bytes: [UInt8]
  /// Such as `GET`.
  public var method: String
  /// The path with its query; what a proxy is asked for.
  public var target: String
  /// The fields by their names in lower case.
  public var headers: [String: String]
  /// What follows the head.
  public var body: [UInt8]

  /// The body as text.
  public var text: String { String(decoding: body, as: UTF8.self) }

  /// Makes one that asks for a page.
  init(get target: String) {
    (bytes, method, headers, body) = ([], "GET", ["host": "127.0.0.1"], [])
    self.target = target
  }

  /// Reads one from a connection; nil when it is cut, too long or takes more than five seconds between two bytes.
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
