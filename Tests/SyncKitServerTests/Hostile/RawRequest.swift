import NIOPosix

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#endif

/// Sends bytes that no client library would send; each request has a connection of its own.
///
/// It waits on a thread of its own, and never longer than ten seconds.
struct RawRequest: Sendable {
  private let port: UInt16

  init(_ server: TestServer) {
    port = UInt16(server.base.split(separator: ":").last ?? "") ?? 0
  }

  /// The status of the answer; nil when the connection was closed without one.
  func status(_ request: String) async throws -> Int? {
    try await NIOThreadPool.singleton.runIfActive { try exchange(Array(request.utf8)) }
  }

  private func exchange(_ request: [UInt8]) throws -> Int? {
    #if canImport(Glibc)
    let stream = Int32(SOCK_STREAM.rawValue)
    #else
    let stream = SOCK_STREAM
    #endif
    let connection = socket(AF_INET, stream, 0)
    guard connection >= 0 else { throw TestFailure("no socket") }
    defer { close(connection) }
    var patience = timeval(tv_sec: 10, tv_usec: 0)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      setsockopt(
        connection, SOL_SOCKET, option, &patience, socklen_t(MemoryLayout<timeval>.size))
    }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let connected = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(connection, $0, size) }
    }
    guard connected == 0 else { throw TestFailure("the server takes no connection") }
    var rest = request[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      // A server that has heard enough closes before all is said.
      guard count > 0 else { break }
      rest = rest.dropFirst(count)
    }
    shutdown(connection, Int32(SHUT_WR))
    var answer: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while answer.count < 12 {
      let count = recv(connection, &buffer, buffer.count, 0)
      guard count > 0 else { break }
      answer += buffer[..<count]
    }
    let words = String(decoding: answer, as: UTF8.self).split(separator: " ")
    return words.count > 1 && words[0].hasPrefix("HTTP/") ? Int(words[1].prefix(3)) : nil
  }
}
