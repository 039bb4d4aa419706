import Formats
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A web service of a test on a random port of this machine, one request after another.
final class BikeStandIn: Sendable {
  /// A request as it came.
  struct Request: Sendable {
    var method: String
    var target: String
    var headers: [String: String]
    var body: String
  }

  /// What is answered.
  struct Answer: Sendable {
    var status = 200
    var headers: [String: String] = [:]
    var body: String
  }

  let port: UInt16
  private let descriptor: Int32
  private let seen = Mutex<[Request]>([])
  private let isOpen = Atomic(true)
  private let answer: @Sendable (Request) -> Answer

  init(_ answer: @escaping @Sendable (Request) -> Answer) throws {
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
        bind(descriptor, generic, length) == 0 && listen(descriptor, 16) == 0
          && getsockname(descriptor, generic, &length) == 0
      }
    }
    guard descriptor >= 0, isListening else {
      throw CommandRunner.Failure(what: "cannot listen on 127.0.0.1")
    }
    self.descriptor = descriptor
    port = UInt16(bigEndian: address.sin_port)
    self.answer = answer
    start()
  }

  /// Ends the service; what is asked then is refused.
  func stop() { isOpen.store(false, ordering: .relaxed) }

  var url: String { "http://127.0.0.1:\(port)" }
  var requests: [Request] { seen.withLock { $0 } }

  /// Serves on a thread of its own: other tests may keep all threads of tasks busy for minutes.
  private func start() {
    #if canImport(Darwin)
    var thread: pthread_t?
    #else
    var thread = pthread_t()
    #endif
    pthread_create(
      &thread, nil,
      { pointer in
        #if canImport(Darwin)
        let service = pointer
        #else
        guard let service = pointer else { return nil }
        #endif
        Unmanaged<BikeStandIn>.fromOpaque(service).takeRetainedValue().serve()
        return nil
      }, Unmanaged.passRetained(self).toOpaque())
  }

  private func serve() {
    while isOpen.load(ordering: .relaxed) {
      var event = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&event, 1, 20) > 0 else { continue }
      let client = accept(descriptor, nil, nil)
      guard client >= 0 else { continue }
      if let request = Self.read(client) {
        seen.withLock { $0.append(request) }
        Self.write(answer(request), to: client)
      }
      close(client)
    }
    close(descriptor)
  }

  private static func read(_ client: Int32) -> Request? {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while bytes.count < 1 << 20 {
      var event = pollfd(fd: client, events: Int16(POLLIN), revents: 0)
      guard poll(&event, 1, 5_000) > 0 else { return nil }
      let count = chunk.withUnsafeMutableBytes { recv(client, $0.baseAddress, $0.count, 0) }
      guard count > 0 else { return nil }
      bytes += chunk.prefix(count)
      let text = String(decoding: bytes, as: UTF8.self)
      // A line break of two is one character, so the head ends where two of them follow one another.
      guard let end = text.firstIndex(ofTwo: "\r\n") else { continue }
      let lines = text[..<end].split(separator: "\r\n")
      let words = (lines.first ?? "").split(separator: " ")
      guard words.count == 3 else { return nil }
      var headers: [String: String] = [:]
      for line in lines.dropFirst() {
        let parts = line.split(separator: ":", maxSplits: 1)
        if parts.count == 2 {
          headers[parts[0].lowercased()] = parts[1].drop { $0 == " " }.description
        }
      }
      let body = text[text.index(end, offsetBy: 2)...]
      guard body.utf8.count >= Int(headers["content-length"] ?? "0") ?? 0 else { continue }
      return Request(
        method: String(words[0]), target: String(words[1]), headers: headers, body: String(body))
    }
    return nil
  }

  private static func write(_ answer: Answer, to client: Int32) {
    var head = "HTTP/1.1 \(answer.status) X\r\nContent-Length: \(answer.body.utf8.count)\r\n"
    for (name, value) in answer.headers { head += "\(name): \(value)\r\n" }
    let bytes = Array((head + "Connection: close\r\n\r\n" + answer.body).utf8)
    #if canImport(Darwin)
    let flags: Int32 = 0
    #else
    let flags = Int32(MSG_NOSIGNAL)
    #endif
    _ = bytes.withUnsafeBytes { send(client, $0.baseAddress, $0.count, flags) }
  }

  /// Asks for a page as a browser does.
  static func get(_ url: String) -> Bool {
    let rest = url.dropFirst("http://127.0.0.1:".count)
    guard let port = UInt16(rest.prefix { $0 != "/" }) else { return false }
    #if canImport(Glibc)
    let kind = Int32(SOCK_STREAM.rawValue)
    #else
    let kind = SOCK_STREAM
    #endif
    let descriptor = socket(AF_INET, kind, 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    address.sin_port = port.bigEndian
    let length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isConnected = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, length) == 0
      }
    }
    guard isConnected else { return false }
    let request = Array("GET \(rest.drop { $0 != "/" }) HTTP/1.1\r\nHost: x\r\n\r\n".utf8)
    _ = request.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, 0) }
    var answer = [UInt8](repeating: 0, count: 512)
    let count = answer.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
    return count > 0 && String(decoding: answer.prefix(count), as: UTF8.self).contains("200 OK")
  }
}

extension String {
  /// Where a character first stands twice in a row.
  fileprivate func firstIndex(ofTwo character: Character) -> String.Index? {
    indices.first { index in
      let next = self.index(after: index)
      return self[index] == character && next < endIndex && self[next] == character
    }
  }
}
