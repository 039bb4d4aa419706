import SyncKitFormats
import NIOCore
import NIOPosix
import RealServer
import SyncKit
import SyncWire
import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A server under load, with tokens of a few accounts.
final class LoadTarget: Sendable {
  /// The port that it listens on.
  let host: String
  /// Of servers that are not ours, which are connected to by turns.
  private let fixedPorts: [Int]
  private let turn = Atomic(0)
  /// Tokens with the scope `manage`, one for each account.
  let tokens: [String]
  /// The server as a process; nil if it is not ours.
  let process: ServerProcess?
  /// The process of a server that is not ours, on this machine.
  private let neighbour: Int32?
  /// The folder of our own server.
  let folder: String?
  /// One thread for all connections: the server runs on the same machine.
  let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)

  /// The port, which is another one after a restart.
  var port: Int {
    process.map { Int($0.port) }
      ?? fixedPorts[turn.wrappingAdd(1, ordering: .relaxed).oldValue % fixedPorts.count]
  }

  /// Starts a server in a temporary folder, with the given number of accounts.
  ///
  /// It checks tokens as usual, but has no rate limits: one machine plays all clients here.
  init(starting program: String, accounts: Int) throws {
    var template = Array("/tmp/cloudsync-load-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else {
      throw SyncError(.failure, "Could not create a folder for temporary files.")
    }
    let folder = String(cString: made)
    self.folder = folder
    let server = ServerProcess(
      program: program, folder: "\(folder)/data", options: ["--auth", "none"])
    tokens = try (0..<accounts).map { try server.token(for: "account-\($0)") }
    try server.start()
    process = server
    neighbour = nil
    (host, fixedPorts) = ("127.0.0.1", [])
  }

  /// Uses running servers of one database.
  ///
  /// - Throws: ``SyncError`` `usage` for an address that is none.
  init(at urls: [String], tokens: [String], process: Int32? = nil) throws {
    let addresses = try urls.map { url in
      let start = "http://"
      let parts = url.dropFirst(start.count).split(separator: ":")
      guard url.hasPrefix(start), parts.count == 2, let port = Int(parts[1].prefix { $0 != "/" })
      else { throw SyncError(.usage, "'\(url)' is not an address; write http://HOST:PORT.") }
      return (host: String(parts[0]), port: port)
    }
    guard let host = addresses.first?.host, addresses.allSatisfy({ $0.host == host }) else {
      throw SyncError(.usage, "All servers must be at one host.")
    }
    (self.host, fixedPorts) = (host, addresses.map(\.port))
    self.tokens = tokens
    neighbour = process
    self.process = nil
    folder = nil
  }

  /// Ends the server if it is ours, and removes its folder.
  func close() {
    process?.stop()
    try? group.syncShutdownGracefully()
    if let folder { TemporaryFolder.remove(folder) }
  }

  /// The memory and processor time of the server; nil if unknown.
  var usage: ProcessUsage? { (process?.process ?? neighbour).flatMap { ProcessUsage(of: $0) } }

  // MARK: Single requests

  /// Sends one request and returns the body of the answer.
  ///
  /// - Throws: ``StatusError`` unless the request succeeded; an error of NIO without an answer.
  func ask(
    _ method: String, _ path: String, _ token: String, _ body: [UInt8] = [],
    _ type: String = WireProtocol.json
  ) async throws -> [UInt8] {
    let request = self.request(method, path, token, body, type)
    let answered = group.next().makePromise(of: AnswerScanner.Answer.self)
    do {
      _ = try await connect { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(OneAnswer(request, answered: answered))
        }
      }
    } catch {
      answered.fail(error)
    }
    let answer = try await answered.futureResult.get()
    guard (200..<300).contains(answer.status) else {
      throw StatusError(
        request: "\(method) \(path)", status: answer.status,
        text: String(decoding: answer.body.prefix(300), as: UTF8.self))
    }
    return answer.body
  }

  /// The bytes of a request.
  func request(
    _ method: String, _ path: String, _ token: String, _ body: [UInt8] = [],
    _ type: String = WireProtocol.json
  ) -> ByteBuffer {
    var text = "\(method) \(WireProtocol.prefix)\(path) HTTP/1.1\r\nHost: \(host)\r\n"
    text += "Authorization: Bearer \(token)\r\nAccept: application/json\r\n"
    if process == nil, let index = tokens.firstIndex(of: token) {
      // One machine plays all clients; a server that trusts its proxy then counts each token for itself.
      text += "X-Forwarded-For: 10.0.\(index / 250).\(index % 250 + 1)\r\n"
    }
    if !body.isEmpty || method != "GET" {
      text += "Content-Type: \(type)\r\nContent-Length: \(body.count)\r\n"
    }
    var buffer = ByteBuffer(string: text + "\r\n")
    buffer.writeBytes(body)
    return buffer
  }

  /// Opens a connection.
  func connect(
    _ prepare: @escaping @Sendable (any Channel) -> EventLoopFuture<Void>
  ) async throws -> any Channel {
    try await ClientBootstrap(group: group)
      .channelOption(.socketOption(.so_reuseaddr), value: 1)
      .connectTimeout(.seconds(30)).channelInitializer(prepare)
      .connect(host: host, port: port).get()
  }
}

/// A request was refused.
struct StatusError: Error {
  var request: String
  var status: Int
  var text: String
}

/// Temporary folders.
enum TemporaryFolder {
  /// Removes a folder with its content.
  static func remove(_ folder: String) {
    guard let handle = opendir(folder) else { return }
    defer { closedir(handle) }
    while let entry = readdir(handle) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      guard name != ".", name != ".." else { continue }
      let path = "\(folder)/\(name)"
      if unlink(path) != 0 { remove(path) }
    }
    rmdir(folder)
  }
}
