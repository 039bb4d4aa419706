#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Carries bytes between two connections.
enum LoopbackTunnel {
  /// Confirms the tunnel, relays both ways until one side ends, and closes both.
  static func carry(_ client: Int32, to port: UInt16) {
    defer { close(client) }
    guard let server = LoopbackSocket.connect(to: port) else {
      LoopbackSocket.send(Array("HTTP/1.1 502 X\r\nContent-Length: 0\r\n\r\n".utf8), to: client)
      return
    }
    defer { close(server) }
    LoopbackSocket.send(Array("HTTP/1.1 200 OK\r\n\r\n".utf8), to: client)
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      var events = [client, server].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      // A test never stays silent this long.
      guard poll(&events, 2, 600_000) > 0 else { return }
      for (index, event) in events.enumerated() where event.revents != 0 {
        let count = chunk.withUnsafeMutableBytes { recv(event.fd, $0.baseAddress, $0.count, 0) }
        guard count > 0,
          LoopbackSocket.send(Array(chunk.prefix(count)), to: index == 0 ? server : client)
        else { return }
      }
    }
  }

  /// Sends a request unchanged, but for a single answer, and reads that to its end.
  static func ask(_ request: LoopbackRequest, at port: UInt16) -> [UInt8]? {
    guard let server = LoopbackSocket.connect(to: port) else { return nil }
    defer { close(server) }
    var head = "\(request.method) \(request.target) HTTP/1.1\r\nConnection: close\r\n"
    for (name, value) in request.headers where name != "connection" {
      head += "\(name): \(value)\r\n"
    }
    LoopbackSocket.send(Array((head + "\r\n").utf8) + request.body, to: server)
    var answer: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      var event = pollfd(fd: server, events: Int16(POLLIN), revents: 0)
      guard poll(&event, 1, 60_000) > 0 else { return nil }
      let count = chunk.withUnsafeMutableBytes { recv(server, $0.baseAddress, $0.count, 0) }
      guard count > 0 else { return count == 0 ? answer : nil }
      answer += chunk.prefix(count)
    }
  }
}
