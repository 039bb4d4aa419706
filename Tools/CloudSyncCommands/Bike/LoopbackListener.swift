import LocalMachine
import CommandFoundation
import SyncKit

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Waits on this machine for the one request with which a browser brings an answer.
///
/// It listens on 127.0.0.1 alone, on a port that the system chooses. Whatever it receives, it takes a
/// bounded time and no more than a few kilobytes; requests for other paths are answered and do not
/// end the wait.
final class LoopbackListener: Sendable {
  private let descriptor: Int32
  /// The port it listens on.
  let port: UInt16

  /// Begins to listen.
  ///
  /// - Throws: ``SystemError`` when no port is available.
  init() throws(SystemError) {
    #if canImport(Glibc)
    let kind = Int32(SOCK_STREAM.rawValue)
    #else
    let kind = SOCK_STREAM
    #endif
    let descriptor = socket(AF_INET, kind, 0)
    guard descriptor >= 0 else { throw SystemError("listen") }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        bind(descriptor, generic, length) == 0 && listen(descriptor, 8) == 0
          && getsockname(descriptor, generic, &length) == 0
      }
    }
    guard isListening else {
      let error = SystemError("listen on 127.0.0.1")
      close(descriptor)
      throw error
    }
    // A client that has disconnected must not block the wait for the next one.
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    self.descriptor = descriptor
    port = UInt16(bigEndian: address.sin_port)
  }

  deinit { close(descriptor) }

  /// Waits for a request to a path.
  ///
  /// - Parameters:
  ///   - path: The path without the query.
  ///   - milliseconds: How long to wait.
  /// - Returns: The path with its query; nil when no request came in time.
  /// - Throws: ``SystemError`` when the system cannot wait.
  func request(to path: String, within milliseconds: Int64) throws(SystemError) -> String? {
    let end = Self.clock() + milliseconds
    while true {
      guard try wait(descriptor, until: end) else { return nil }
      let client = accept(descriptor, nil, nil)
      guard client >= 0 else { continue }
      _ = fcntl(client, F_SETFD, FD_CLOEXEC)
      defer { close(client) }
      // A silent client must not keep the others out.
      guard let target = try target(of: client, until: min(end, Self.clock() + 5_000)) else {
        continue
      }
      let isWanted = target == path || target.hasPrefix(path + "?")
      answer(client, isWanted: isWanted)
      if isWanted { return target }
    }
  }

  /// The target in the first line of a client's request.
  private func target(of client: Int32, until end: Int64) throws(SystemError) -> String? {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while bytes.count < 1 << 14 {
      guard try wait(client, until: end) else { return nil }
      let count = chunk.withUnsafeMutableBytes { recv(client, $0.baseAddress, $0.count, 0) }
      guard count > 0 else { return nil }
      bytes += chunk.prefix(count)
      // The whole head must be read, or closing would reset the connection before the answer.
      guard String(decoding: bytes, as: UTF8.self).contains("\r\n\r\n") else { continue }
      let line = bytes.prefix { $0 != 0x0D }
      let words = String(decoding: line, as: UTF8.self).split(separator: " ")
      return words.count == 3 && words[0] == "GET" ? String(words[1]) : nil
    }
    return nil
  }

  private func answer(_ client: Int32, isWanted: Bool) {
    let text =
      isWanted
      ? "cloudsync has received Strava's answer. You can close this page.\n"
      : "There is nothing here.\n"
    let head =
      "HTTP/1.1 \(isWanted ? "200 OK" : "404 Not Found")\r\n"
      + "Content-Type: text/plain; charset=utf-8\r\nContent-Length: \(text.utf8.count)\r\n"
      + "Cache-Control: no-store\r\nReferrer-Policy: no-referrer\r\nConnection: close\r\n\r\n"
    let bytes = Array((head + text).utf8)
    #if canImport(Darwin)
    let flags: Int32 = 0
    #else
    let flags = Int32(MSG_NOSIGNAL)
    #endif
    _ = bytes.withUnsafeBytes { send(client, $0.baseAddress, $0.count, flags) }
  }

  private func wait(_ descriptor: Int32, until end: Int64) throws(SystemError) -> Bool {
    while true {
      let rest = end - Self.clock()
      guard rest > 0 else { return false }
      var event = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let count = poll(&event, 1, Int32(clamping: rest))
      if count > 0 { return true }
      if count < 0, errno != EINTR { throw SystemError("wait for the browser") }
    }
  }

  /// A monotonic clock.
  private static func clock() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }
}
