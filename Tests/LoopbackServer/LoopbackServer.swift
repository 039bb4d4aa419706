import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A web server of a test on a random port of this machine, which answers as a script says.
///
/// It serves on a thread of its own, one connection after another, so that no test that keeps all threads
/// of tasks busy can hold it up. Each connection carries one request, unless the script keeps it or makes a
/// tunnel of it. It ends with ``stop()``, or when nobody keeps it any more.
public final class LoopbackServer: Sendable {
  /// What is answered to a request; the number says how many came before it.
  public typealias Script = @Sendable (LoopbackRequest, Int) -> LoopbackReply

  /// There is no socket to be had.
  public struct Failure: Error {
    /// Says nothing more.
    public init() {}
  }

  /// Where it listens.
  public let port: UInt16
  private let seen = Mutex<[LoopbackRequest]>([])
  private let isOpen = Atomic(true)

  /// Starts.
  public init(_ script: @escaping Script) throws {
    let (descriptor, port) = try LoopbackSocket.listen()
    self.port = port
    // The thread holds what it needs and not the server: whoever forgets to stop it stops it all the same.
    let service = LoopbackService(descriptor: descriptor, script: script, owner: self)
    LoopbackSocket.detach { service.serve() }
  }

  deinit { stop() }

  /// Ends the server; who asks then is refused.
  public func stop() { isOpen.store(false, ordering: .relaxed) }

  /// Its address.
  public var url: String { "http://127.0.0.1:\(port)" }

  /// What was asked so far.
  public var requests: [LoopbackRequest] { seen.withLock { $0 } }

  /// A port that nobody listens on, unless somebody takes it in this moment.
  public static func unusedPort() throws -> UInt16 {
    let (descriptor, port) = try LoopbackSocket.listen()
    close(descriptor)
    return port
  }

  /// Asks for a page of this machine as a browser does; the status of the answer, nil without one.
  public static func status(of url: String) -> Int? {
    let rest = url.dropFirst("http://127.0.0.1:".count)
    guard let port = UInt16(rest.prefix { $0 != "/" }) else { return nil }
    let request = LoopbackRequest(get: String(rest.drop { $0 != "/" }))
    guard let answer = LoopbackTunnel.ask(request, at: port) else { return nil }
    let words = String(decoding: answer.prefix(64), as: UTF8.self).split(separator: " ")
    return words.count > 1 ? Int(words[1]) : nil
  }

  /// Takes note of a request; how many came before it.
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

  /// A weak reference, read by the service's thread alone.
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

  /// Answers what comes over a connection; whether it is to be held.
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
