#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The system's `send`, by a name that no method hides.
private func systemSend(
  _ socket: Int32, _ start: UnsafeRawPointer?, _ count: Int, _ flags: Int32
) -> Int {
  send(socket, start, count, flags)
}

/// A client that sends bytes as they are, proper or not; each call runs outside the pool of tasks.
final class RawClient: Sendable {
  private let socket: Int32

  /// Why there is no connection.
  struct Failure: Error {
    var what: String
  }

  init(port: Int) throws {
    // A closed connection is an error of the call, not a signal.
    signal(SIGPIPE, SIG_IGN)
    #if canImport(Glibc)
    socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
    socket = Darwin.socket(AF_INET, SOCK_STREAM, 0)
    #endif
    // The machine must not take a whole answer that the client has not asked for.
    var room: Int32 = 64 << 10
    setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &room, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let socket = socket
    let outcome = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard outcome == 0 else {
      close(socket)
      throw Failure(what: "cannot connect")
    }
  }

  deinit { close(socket) }

  /// Sends bytes; what the other end does not take any more is dropped.
  func send(_ bytes: [UInt8]) async {
    let socket = socket
    await Self.outside {
      var rest = bytes[...]
      while !rest.isEmpty {
        var wait = pollfd(fd: socket, events: Int16(POLLOUT), revents: 0)
        guard poll(&wait, 1, 10_000) == 1 else { return }
        let count = rest.withUnsafeBytes {
          systemSend(socket, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT))
        }
        if count < 0, errno == EAGAIN || errno == EINTR { continue }
        guard count > 0 else { return }
        rest = rest.dropFirst(count)
      }
    }
  }

  func send(_ text: String) async { await send(Array(text.utf8)) }

  /// Says that nothing more will be sent.
  func endSending() { shutdown(socket, Int32(SHUT_WR)) }

  /// Reads until a text has come, the other end has closed, or 20 seconds have passed.
  func read(until mark: String? = nil, slowly: Bool = false) async -> Reading {
    let socket = socket
    return await Self.outside {
      var reading = Reading()
      let wanted = mark.map { Array($0.utf8) }
      var chunk = [UInt8](repeating: 0, count: slowly ? 8_192 : 1 << 16)
      while true {
        var wait = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        guard poll(&wait, 1, 20_000) == 1 else { return reading }
        let count = chunk.withUnsafeMutableBytes { recv(socket, $0.baseAddress, $0.count, 0) }
        if count < 0, errno == EINTR { continue }
        guard count > 0 else {
          reading.isClosed = true
          return reading
        }
        reading.bytes += chunk.prefix(count)
        if slowly { usleep(100) }
        if let wanted, reading.bytes.suffix(wanted.count + count).contains(wanted) {
          return reading
        }
      }
    }
  }

  /// What was read.
  struct Reading: Sendable {
    var bytes: [UInt8] = []
    /// Whether the other end has closed.
    var isClosed = false

    var text: String { String(decoding: bytes, as: UTF8.self) }
    /// The status of the first answer; 0 when there is none.
    var status: Int {
      // Not from the text: an answer may be megabytes that are no text, each wrong byte a throw.
      let line = bytes.prefix(12)
      guard line.starts(with: "HTTP/1.1 ".utf8) else { return 0 }
      return Int(String(decoding: line.dropFirst(9), as: UTF8.self)) ?? 0
    }
    /// What stands behind the first head.
    var body: String {
      guard let range = text.firstRange(of: "\r\n\r\n") else { return "" }
      return String(text[range.upperBound...])
    }
  }

  /// Sends a text on a connection of its own and reads to its end.
  static func exchange(_ text: String, port: Int) async throws -> Reading {
    let client = try RawClient(port: port)
    await client.send(text)
    return await client.read()
  }

  /// Does work that blocks, on a thread of its own.
  private static func outside<Value: Sendable>(
    _ work: @escaping @Sendable () -> Value
  ) async -> Value {
    await withCheckedContinuation { continuation in
      let errand = Unmanaged.passRetained(Errand { continuation.resume(returning: work()) })
      #if canImport(Darwin)
      var thread: pthread_t?
      #else
      var thread = pthread_t()
      #endif
      let start: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { box in
        if let box { Unmanaged<Errand>.fromOpaque(box).takeRetainedValue().run() }
        return nil
      }
      #if canImport(Darwin)
      pthread_create(&thread, nil, { start($0) }, errand.toOpaque())
      if let thread { pthread_detach(thread) }
      #else
      pthread_create(&thread, nil, start, errand.toOpaque())
      pthread_detach(thread)
      #endif
    }
  }

  private final class Errand: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }
}
