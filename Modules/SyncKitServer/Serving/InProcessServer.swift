import HTTPTypes
import Hummingbird
import NIOCore
import Synchronization

/// A server without sockets: it answers requests of its own process, by the same routes.
///
/// For simulations and for programs that hold both ends. Streams of events need a connection and are
/// not for it.
public struct InProcessServer: Sendable {
  /// What came back.
  public struct Answer: Sendable {
    /// The status.
    public var status: Int
    /// The header fields, in order.
    public var headers: [(name: String, value: String)]
    /// The whole body.
    public var body: [UInt8]
  }

  private let state: ServerState
  private let responder: any HTTPResponder<ServerContext>

  /// Answers for a state.
  public init(_ state: ServerState) {
    self.state = state
    responder = ServerRoutes.router(state).buildResponder()
  }

  /// Answers one request, named by its method and its path with the query.
  ///
  /// Header fields with an impossible name are left out. What the routes do not turn into an answer is
  /// thrown.
  public func answer(
    _ method: String, _ path: String, headers: [(name: String, value: String)], body: [UInt8]
  ) async throws -> Answer {
    var fields = HTTPFields()
    for (name, value) in headers {
      if let name = HTTPField.Name(name) { fields.append(HTTPField(name: name, value: value)) }
    }
    if !body.isEmpty { fields[.contentLength] = String(body.count) }
    guard let method = HTTPRequest.Method(method) else {
      return Answer(status: 400, headers: [], body: [])
    }
    let request = Request(
      head: HTTPRequest(
        method: method, scheme: "http", authority: "localhost", path: path, headerFields: fields),
      body: RequestBody(buffer: ByteBuffer(bytes: body)))
    let response = try await responder.respond(
      to: request, context: ServerContext(logger: state.logger))
    let collected = Collected()
    try await response.body.write(Writer(collected: collected))
    return Answer(
      status: response.status.code,
      headers: response.headers.map { ($0.name.rawName, $0.value) }, body: collected.all)
  }

  private final class Collected: Sendable {
    private let bytes = Mutex<[UInt8]>([])
    var all: [UInt8] { bytes.withLock { $0 } }
    func add(_ buffer: ByteBuffer) { bytes.withLock { $0 += buffer.readableBytesView } }
  }

  private struct Writer: ResponseBodyWriter {
    let collected: Collected
    mutating func write(_ buffer: ByteBuffer) async throws { collected.add(buffer) }
    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
  }
}
