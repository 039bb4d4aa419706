import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A web server for a test on a random port of this machine; a script decides its answers.
///
/// It serves on its own thread, one connection after another, so that a test that keeps all threads of
/// tasks busy cannot block it. Each connection carries one request, unless the script keeps it open or
/// makes it a tunnel. It ends with ``stop()``, or when the last reference to it goes.
public final class LoopbackServer: Sendable {
  /// Answers a request; the number counts the requests before it.
  public typealias Script = @Sendable (LoopbackRequest, Int) -> LoopbackReply

  /// No socket is available.
  public struct Failure: Error {
    /// Has no further details.
    public init() {}
  }

  /// The port that it listens on.
  public let port: UInt16
  private let seen = Mutex<[LoopbackRequest]>([])
  private let isOpen = Atomic(true)

  /// Starts.
  public init(_ script: @escaping Script) throws {
    let (descriptor, port) = try LoopbackSocket.listen()
    self.port = port
    // The thread does not keep the server alive, so a server that a test forgot to stop ends as well.
    let service = LoopbackService(descriptor: descriptor, script: script, owner: self)
    LoopbackSocket.detach { service.serve() }
  }

  deinit { stop() }

  /// Ends the server; later connections are refused.
  public func stop() { isOpen.store(false, ordering: .relaxed) }

  /// Its address.
  public var url: String { "http://127.0.0.1:\(port)" }

  /// The requests so far.
  public var requests: [LoopbackRequest] { seen.withLock { $0 } }

  /// A port without a listener, unless another process takes it at this moment.
  public static func unusedPort() throws -> UInt16 {
    let (descriptor, port) = try LoopbackSocket.listen()
    close(descriptor)
    return port
  }

  /// Requests a page of this machine as a browser does; returns the status, nil without an answer.
  public static func status(of url: String) -> Int? {
    let rest = url.dropFirst("http://127.0.0.1:".count)
    guard let port = UInt16(rest.prefix { $0 != "/" }) else { return nil }
    let request = LoopbackRequest(get: String(rest.drop { $0 != "/" }))
    guard let answer = LoopbackTunnel.ask(request, at: port) else { return nil }
    let words = String(decoding: answer.prefix(64), as: UTF8.self).split(separator: " ")
    return words.count > 1 ? Int(words[1]) : nil
  }

  /// Records a request; returns how many came before it.
  func note(_ request: LoopbackRequest) -> Int {
    seen.withLock {
      $0.append(request)
      return $0.count - 1
    }
  }

  var goesOn: Bool { isOpen.load(ordering: .relaxed) }
}

/// The thread's part of a server.
final class LoopbackService: Sendable {
  private let descriptor: Int32
  private let script: LoopbackServer.Script
  private let owner: WeakOwner

  /// A weak reference that only the service's thread reads.
  private final class WeakOwner: @unchecked Sendable {
    weak var server: LoopbackServer?
    init(_ server: LoopbackServer) { self.server = server }
  }

  init(descriptor: Int32, script: @escaping LoopbackServer.Script, owner: LoopbackServer) {
    self.descriptor = descriptor
    self.script = script
    self.owner = WeakOwner(owner)
  }

  func serve() {
    var held: [Int32] = []
    while let owner = owner.server, owner.goesOn {
      var event = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&event, 1, 10) > 0 else { continue }
      let client = accept(descriptor, nil, nil)
      guard client >= 0 else { continue }
      _ = fcntl(client, F_SETFD, FD_CLOEXEC)
      if answer(client, owner) { held.append(client) }
    }
    for client in held { close(client) }
    close(descriptor)
  }

  /// Answers the requests of a connection; returns whether to keep it.
  private func answer(_ client: Int32, _ owner: LoopbackServer) -> Bool {
    while let request = LoopbackRequest(from: client) {
      let reply = script(request, owner.note(request))
      if let port = reply.tunnel {
        LoopbackSocket.detach { LoopbackTunnel.carry(client, to: port) }
        return false
      }
      LoopbackSocket.send(reply.bytes, to: client)
      if reply.keeps { continue }
      if reply.holds { return true }
      break
    }
    close(client)
    return false
  }
}
