import SyncKit
import SyncKitTesting
import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A network between clients and the server that delays, cuts, and stops answering.
///
/// Each connection has two threads of its own, and ends with the proxy.
final class FaultyProxy: Sendable {
  private struct State {
    var isOpen = true
    var random: SeededRandom
    var sockets: Set<Int32> = []
  }

  /// The port that clients use.
  let port: UInt16
  private let listener: Int32
  private let target: @Sendable () -> UInt16
  private let state: Mutex<State>

  /// Listens on a free port of 127.0.0.1, for the server at the port of `target`.
  init(seed: UInt64, target: @escaping @Sendable () -> UInt16) throws {
    self.target = target
    state = Mutex(State(random: SeededRandom(seed: seed)))
    (listener, port) = try Self.listen()
    OwnThread.run { [self] in accept() }
  }

  /// Closes everything.
  func close() {
    let sockets = state.withLock { state in
      state.isOpen = false
      defer { state.sockets = [] }
      return state.sockets
    }
    shutdown(listener, Int32(SHUT_RDWR))
    _ = Self.closeSocket(listener)
    for socket in sockets { shutdown(socket, Int32(SHUT_RDWR)) }
  }

  private func accept() {
    while state.withLock(\.isOpen) {
      let client = systemAccept(listener)
      guard client >= 0 else { return }
      let server = Self.streamSocket()
      var address = Self.loopback(target())
      let size = socklen_t(MemoryLayout<sockaddr_in>.size)
      let isConnected = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(server, $0, size) == 0 }
      }
      guard isConnected,
        state.withLock({ $0.sockets.formUnion([client, server]) == () && $0.isOpen })
      else {
        _ = Self.closeSocket(client)
        _ = Self.closeSocket(server)
        continue
      }
      // Both directions end together; the last one closes the sockets.
      let pair = Pair(first: client, second: server)
      OwnThread.run { [self] in pump(client, server, pair) }
      OwnThread.run { [self] in pump(server, client, pair) }
    }
  }

  private final class Pair: Sendable {
    let first: Int32
    let second: Int32
    let open = Mutex(2)

    init(first: Int32, second: Int32) {
      self.first = first
      self.second = second
    }
  }

  private enum Fault { case none, delay(UInt32), reset, silence(UInt32) }

  private func pump(_ source: Int32, _ sink: Int32, _ pair: Pair) {
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    pumping: while case let count = recv(source, &buffer, buffer.count, 0), count > 0 {
      switch fault() {
      case .none: break
      case .delay(let milliseconds): usleep(milliseconds * 1_000)
      case .reset: break pumping
      case .silence(let milliseconds):
        // Half open: the bytes are lost, and neither side notices.
        usleep(milliseconds * 1_000)
        break pumping
      }
      var sent = 0
      while sent < count {
        let step = buffer[sent..<count].withUnsafeBytes {
          send(sink, $0.baseAddress, $0.count, Self.quietly)
        }
        guard step > 0 else { break pumping }
        sent += step
      }
    }
    shutdown(source, Int32(SHUT_RDWR))
    shutdown(sink, Int32(SHUT_RDWR))
    let isLast = pair.open.withLock { open in
      open -= 1
      return open == 0
    }
    guard isLast else { return }
    state.withLock { $0.sockets.subtract([pair.first, pair.second]) }
    _ = Self.closeSocket(pair.first)
    _ = Self.closeSocket(pair.second)
  }

  private func fault() -> Fault {
    state.withLock { state in
      switch Int.random(in: 0..<100, using: &state.random) {
      case 0: .reset
      case 1: .silence(UInt32.random(in: 50...600, using: &state.random))
      case 2...11: .delay(UInt32.random(in: 1...30, using: &state.random))
      default: .none
      }
    }
  }

  // MARK: Sockets

  private static func listen() throws -> (socket: Int32, port: UInt16) {
    let listener = streamSocket()
    var address = loopback(0)
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isOpen = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, size) == 0 && systemListen(listener) == 0
          && getsockname(listener, $0, &size) == 0
      }
    }
    guard isOpen else { throw SyncError(.failure, "No port is free for the proxy.") }
    return (listener, UInt16(bigEndian: address.sin_port))
  }

  private static func systemListen(_ socket: Int32) -> Int32 {
    #if canImport(Darwin)
    Darwin.listen(socket, 64)
    #elseif canImport(Glibc)
    Glibc.listen(socket, 64)
    #else
    Musl.listen(socket, 64)
    #endif
  }

  private static func streamSocket() -> Int32 {
    #if canImport(Glibc)
    socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
    socket(AF_INET, SOCK_STREAM, 0)
    #endif
  }

  private static var quietly: Int32 {
    #if canImport(Darwin)
    0
    #else
    Int32(MSG_NOSIGNAL)
    #endif
  }

  private static func closeSocket(_ socket: Int32) -> Int32 {
    #if canImport(Darwin)
    Darwin.close(socket)
    #elseif canImport(Glibc)
    Glibc.close(socket)
    #else
    Musl.close(socket)
    #endif
  }

  private func systemAccept(_ listener: Int32) -> Int32 {
    #if canImport(Darwin)
    Darwin.accept(listener, nil, nil)
    #elseif canImport(Glibc)
    Glibc.accept(listener, nil, nil)
    #else
    Musl.accept(listener, nil, nil)
    #endif
  }

  private static func loopback(_ port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return address
  }
}
