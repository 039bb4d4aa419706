import SyncKitText
import HTTPTypes
import Hummingbird
import NIOCore
import NIOPosix
import SyncWire

/// A request on its way through a route: what came, its possible sender, and ways to answer.
struct ServerRequest: Sendable {
  let request: Request
  let context: ServerContext
  let state: ServerState
  let route: ServerRoute
  let address: String
  /// The caller, to be proven by the storage; nil where no token is needed.
  let sender: Caller?
  /// What stands behind the question mark, taken apart once.
  private let fields: Parameters

  init(
    _ request: Request, _ context: ServerContext, _ state: ServerState, _ route: ServerRoute,
    address: String, sender: Caller?
  ) {
    self.request = request
    self.context = context
    self.state = state
    self.route = route
    self.address = address
    self.sender = sender
    fields = request.uri.queryParameters
  }

  /// The caller.
  var caller: Caller {
    get throws {
      guard let sender else { throw Refusal.unauthenticated }
      return sender
    }
  }

  var storage: any ServerStorage { state.storage }

  /// A named part of the path, as it was written; what is no such name is not there.
  func part(_ name: String) throws -> String {
    guard let part = context.parameters.get(name), (1...64).contains(part.utf8.count) else {
      throw Refusal.notFound
    }
    return part
  }

  /// A number of the query; nil when it is not given.
  ///
  /// - Throws: ``WireError`` `invalid` for anything but digits.
  func number(_ name: String) throws -> UInt64? {
    guard let text = query(name) else { return nil }
    guard (1...19).contains(text.utf8.count),
      text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
      let number = UInt64(text), number <= UInt64(Int64.max)
    else { throw WireError(.invalid, "'\(name)' must be a natural number.") }
    return number
  }

  /// How many of something are wanted at most; what is beyond `most` counts as that.
  ///
  /// - Throws: ``WireError`` `invalid` for 0 and for anything but digits.
  func limit(usual: Int, most: Int) throws -> Int {
    guard let number = try number("limit") else { return usual }
    guard number > 0 else { throw WireError(.invalid, "'limit' must be 1 or more.") }
    return min(Int(clamping: number), most)
  }

  /// A text of the query.
  func query(_ name: String) -> String? {
    fields.get(name)
  }

  /// The body as JSON.
  ///
  /// - Throws: ``WireError`` `too-large`, `unsupported-media`, `bad-request`.
  func json() async throws -> JSON {
    let bytes = try await body(upTo: WireProtocol.maximumControlBytes, WireProtocol.json)
    do {
      return try JSON(parsing: bytes, maximumDepth: WireProtocol.maximumDepth)
    } catch {
      throw WireError(.badRequest, "The body is not JSON: \(error).")
    }
  }

  /// The body as a message.
  func message<Message: WireMessage>(_ type: Message.Type = Message.self) async throws -> Message {
    try Message(json: try await json())
  }

  /// The whole body, which counts for the address until it is read.
  private func body(upTo limit: Int, _ type: String) async throws -> [UInt8] {
    var bytes: [UInt8] = []
    let holding = state.bodies.hold(for: "address \(address)")
    try await read(upTo: limit, type, holding) { bytes += $0.readableBytesView }
    return bytes
  }

  /// Reads the body part by part.
  ///
  /// - Parameters:
  ///   - limit: The most bytes it may have.
  ///   - type: What it has to be.
  ///   - holding: What has come counts there.
  ///   - take: Is given each part.
  /// - Throws: ``WireError`` `too-large`, `unsupported-media`, `bad-request`, `unavailable`.
  func read(
    upTo limit: Int, _ type: String, _ holding: Holding, _ take: (ByteBuffer) throws -> Void
  ) async throws {
    let found = request.headers[.contentType] ?? ""
    guard found.prefix(while: { $0 != ";" }).trimmingSpaces().lowercased() == type else {
      throw WireError(
        .unsupportedMedia, "The body must be \(type), and 'Content-Type' must say so.")
    }
    if let encoding = request.headers[.contentEncoding], encoding.lowercased() != "identity" {
      throw WireError(.unsupportedMedia, "The body must not be compressed.")
    }
    let tooLarge = WireError(.tooLarge, "The body may have at most \(limit) bytes.")
    if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > limit {
      throw tooLarge
    }
    var count = 0
    do {
      for try await part in request.body {
        count += part.readableBytes
        guard count <= limit else { throw tooLarge }
        try holding.add(part.readableBytes)
        try take(part)
      }
    } catch let error where !(Self.isOurs(error)) {
      // The sender's framing is wrong, or it went away: no failure of the server.
      throw WireError(.badRequest, "The body did not arrive completely.")
    }
  }

  private static func isOurs(_ error: any Error) -> Bool {
    error is WireError || error is WireFault || error is any HTTPResponseError
      || error is CancellationError
  }

  // MARK: Answers

  /// An answer in JSON.
  func answer(_ json: JSON, _ status: HTTPResponse.Status = .ok) -> Response {
    Self.response(json.serialized(), WireProtocol.json, status)
  }

  /// A message as answer.
  func answer(
    _ message: some WireMessage, _ status: HTTPResponse.Status = .ok
  ) -> Response { answer(message.json, status) }

  /// An answer without a body.
  func done() -> Response { Response(status: .noContent) }

  static func response(
    _ bytes: [UInt8], _ type: String, _ status: HTTPResponse.Status
  ) -> Response {
    Response(
      status: status, headers: [.contentType: type],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
  }
}

extension Substring {
  func trimmingSpaces() -> Substring {
    var text = self.drop { $0 == " " || $0 == "\t" }
    while let last = text.last, last == " " || last == "\t" { text.removeLast() }
    return text
  }
}
