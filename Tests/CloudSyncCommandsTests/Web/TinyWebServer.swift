import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A server on a free port of this machine that answers one request a connection, for as long as it is
/// kept.
final class TinyWebServer: Sendable {
  struct NoSocket: Error {}

  let port: Int
  private let listener: Int32

  init() throws {
    let (listener, port) = try Self.open()
    self.listener = listener
    self.port = port
    Thread.detachNewThread {
      while true {
        let connection = accept(listener, nil, nil)
        guard connection >= 0 else { break }
        Self.serve(connection, port: port)
      }
      close(listener)
    }
  }

  deinit {
    // Ends `accept` in the other thread, which then closes the socket.
    shutdown(listener, Int32(SHUT_RDWR))
  }

  /// A port that nobody listens on, unless somebody takes it in this moment.
  static func unusedPort() throws -> Int {
    let (socket, port) = try open()
    close(socket)
    return port
  }

  private static func open() throws -> (socket: Int32, port: Int) {
    #if canImport(Glibc)
    let kind = Int32(SOCK_STREAM.rawValue)
    #else
    let kind = SOCK_STREAM
    #endif
    let listener = socket(AF_INET, kind, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(listener, address, length) == 0 && getsockname(listener, address, &length) == 0
      }
    }
    guard isBound, listen(listener, 16) == 0 else {
      close(listener)
      throw NoSocket()
    }
    return (listener, Int(UInt16(bigEndian: address.sin_port)))
  }

  private static func serve(_ connection: Int32, port: Int) {
    var request = read(connection)
    if request.hasPrefix("CONNECT ") {
      // A tunnel that ends here: what is said in it is answered by this server.
      reply(connection, "200 OK", [], nil)
      request += read(connection)
      reply(connection, "200 OK", [], request)
      close(connection)
      return
    }
    let path = request.split(separator: " ").dropFirst().first ?? ""
    switch path.drop(while: { $0 != "/" }) {
    case "/redirect": reply(connection, "302 Found", ["Location: /echo"], "")
    case "/loop": reply(connection, "302 Found", ["Location: /loop"], "")
    case "/away": reply(connection, "302 Found", ["Location: http://localhost:\(port)/echo"], "")
    case "/long": reply(connection, "200 OK", [], String(repeating: "x", count: 100_000))
    // Left open without an answer.
    case "/never": return
    case let path where path.hasSuffix("/echo") || path.hasPrefix("/echo?"):
      reply(connection, "200 OK", ["X-Kind: echo"], request)
    default: reply(connection, "404 Not Found", [], "nothing here")
    }
    close(connection)
  }

  /// The head, and as much body as it says.
  private static func read(_ connection: Int32) -> String {
    var bytes: [UInt8] = []
    var wanted = Int.max
    while bytes.count < wanted {
      var buffer = Array(repeating: UInt8(0), count: 4096)
      let count = recv(connection, &buffer, buffer.count, 0)
      guard count > 0 else { break }
      bytes += buffer.prefix(count)
      let text = String(decoding: bytes, as: UTF8.self)
      guard let head = text.range(of: "\r\n\r\n") else { continue }
      let length = text.lowercased().split(separator: "content-length: ").dropFirst().first
      let body = length.flatMap { Int($0.prefix { $0.isNumber }) } ?? 0
      wanted = text[..<head.upperBound].utf8.count + body
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func reply(
    _ connection: Int32, _ status: String, _ headers: [String], _ body: String?
  ) {
    let end = body.map { ["Content-Length: \($0.utf8.count)", "Connection: close", "", $0] }
    let lines = ["HTTP/1.1 \(status)"] + headers + (end ?? ["", ""])
    var rest = Array(lines.joined(separator: "\r\n").utf8)[...]
    #if canImport(Darwin)
    let flags: Int32 = 0
    #else
    let flags = Int32(MSG_NOSIGNAL)
    #endif
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, flags) }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }
}
