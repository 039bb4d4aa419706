import Formats
import SyncWire
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A server of a test on a random port of this machine, which answers as a script says.
///
/// It serves on a thread of its own, one connection after another, so that no test that keeps all threads
/// of tasks busy can hold it up. Each connection carries one request, unless the script keeps it.
final class StandIn: Sendable {
  /// A request as it came.
  struct Request: Sendable {
    var method: String
    var path: String
    var headers: [String: String]
    var body: [UInt8]

    /// The body as JSON.
    var json: JSON? { try? JSON(parsing: body) }
  }

  /// What is done about a request.
  struct Reply: Sendable {
    /// The bytes that are sent; none hang up without a word.
    var bytes: [UInt8]
    /// Whether the connection stays open, silent, until the client hangs up.
    var holds = false

    /// An answer with a correct length.
    static func answer(
      _ status: Int, _ headers: [String: String] = [:], _ body: [UInt8] = [], ours: Bool = true
    ) -> Reply {
      var all = ["Content-Length": "\(body.count)", "Connection": "close"]
      if ours { all[WireProtocol.header] = "\(WireProtocol.version)" }
      all.merge(headers) { $1 }
      var head = "HTTP/1.1 \(status) X\r\n"
      for (name, value) in all.sorted(by: { $0.key < $1.key }) where !value.isEmpty {
        head += "\(name): \(value)\r\n"
      }
      return Reply(bytes: Array((head + "\r\n").utf8) + body)
    }

    static func json(_ json: JSON, status: Int = 200) -> Reply {
      answer(status, ["Content-Type": WireProtocol.json], json.serialized())
    }

    static func refusal(_ code: WireError.Code, retryAfter: Int? = nil) -> Reply {
      json(
        WireError(code, "no: \(code.rawValue)", retryAfter: retryAfter).json, status: code.status)
    }

    static func text(_ status: Int, _ type: String, _ text: String, ours: Bool = true) -> Reply {
      answer(status, ["Content-Type": type], Array(text.utf8), ours: ours)
    }

    /// Hangs up without a word.
    static let hangUp = Reply(bytes: [])
    /// Says nothing for as long as the client waits.
    static let silence = Reply(bytes: [], holds: true)
  }

  let port: UInt16
  private let descriptor: Int32
  private let seen = Mutex<[Request]>([])
  private let isOpen = Atomic(true)
  private let script: @Sendable (Request, Int) -> Reply

  /// Starts; the script is given each request and how many came before it.
  init(_ script: @escaping @Sendable (Request, Int) -> Reply) throws {
    #if canImport(Glibc)
    let kind = Int32(SOCK_STREAM.rawValue)
    #else
    let kind = SOCK_STREAM
    #endif
    let descriptor = socket(AF_INET, kind, 0)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        bind(descriptor, generic, length) == 0 && listen(descriptor, 64) == 0
          && getsockname(descriptor, generic, &length) == 0
      }
    }
    guard descriptor >= 0, isListening else { throw Failure() }
    self.descriptor = descriptor
    port = UInt16(bigEndian: address.sin_port)
    self.script = script
    start()
  }

  struct Failure: Error {}

  deinit { stop() }

  /// Ends the server; who asks then is refused.
  func stop() { isOpen.store(false, ordering: .relaxed) }

  var url: String { "http://127.0.0.1:\(port)" }
  var requests: [Request] { seen.withLock { $0 } }

  private func start() {
    #if canImport(Darwin)
    var thread: pthread_t?
    #else
    var thread = pthread_t()
    #endif
    // Whoever forgets to stop it stops it all the same: the thread holds what it needs, not the server.
    let (descriptor, script) = (descriptor, script)
    let service = Service(descriptor: descriptor, script: script, owner: self)
    pthread_create(
      &thread, nil,
      { pointer in
        #if canImport(Darwin)
        let service = pointer
        #else
        guard let service = pointer else { return nil }
        #endif
        Unmanaged<Service>.fromOpaque(service).takeRetainedValue().serve()
        return nil
      }, Unmanaged.passRetained(service).toOpaque())
    pthread_detach(thread)
  }

  fileprivate func note(_ request: Request) -> Int {
    seen.withLock {
      $0.append(request)
      return $0.count - 1
    }
  }

  fileprivate var goesOn: Bool { isOpen.load(ordering: .relaxed) }
}

/// The thread's part of a stand-in.
private final class Service: @unchecked Sendable {
  let descriptor: Int32
  let script: @Sendable (StandIn.Request, Int) -> StandIn.Reply
  weak var owner: StandIn?

  init(
    descriptor: Int32, script: @escaping @Sendable (StandIn.Request, Int) -> StandIn.Reply,
    owner: StandIn
  ) {
    self.descriptor = descriptor
    self.script = script
    self.owner = owner
  }

  func serve() {
    var held: [Int32] = []
    while let owner, owner.goesOn {
      var event = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&event, 1, 10) > 0 else { continue }
      let client = accept(descriptor, nil, nil)
      guard client >= 0 else { continue }
      guard let request = Self.read(client) else {
        close(client)
        continue
      }
      let reply = script(request, owner.note(request))
      Self.write(reply.bytes, to: client)
      if reply.holds { held.append(client) } else { close(client) }
    }
    for client in held { close(client) }
    close(descriptor)
  }

  private static func read(_ client: Int32) -> StandIn.Request? {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 18)
    var head: Int?
    while bytes.count < 100 << 20 {
      var event = pollfd(fd: client, events: Int16(POLLIN), revents: 0)
      guard poll(&event, 1, 5_000) > 0 else { return nil }
      let count = chunk.withUnsafeMutableBytes { recv(client, $0.baseAddress, $0.count, 0) }
      guard count > 0 else { return nil }
      bytes += chunk.prefix(count)
      if head == nil {
        head = bytes.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound
      }
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
      return StandIn.Request(
        method: String(words[0]), path: String(words[1]), headers: headers,
        body: Array(bytes[head...]))
    }
    return nil
  }

  private static func write(_ bytes: [UInt8], to client: Int32) {
    #if canImport(Darwin)
    let flags: Int32 = 0
    #else
    let flags = Int32(MSG_NOSIGNAL)
    #endif
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes { send(client, $0.baseAddress, $0.count, flags) }
      guard count > 0 else { return }
      sent += count
    }
  }
}
