import SyncKitText
import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTP1
import SyncKit
import SyncWire

/// What a request meets first: it answers for the server itself, hands all else on, and sees to it that
/// every answer has the fields that all have, is counted and is logged.
struct ServerPipeline<Inner: HTTPResponder>: HTTPResponder
where Inner.Context: RequestContext, Inner.Context.Source == ApplicationRequestContextSource {
  typealias Context = ServerPipelineContext

  /// Answers for the server itself, by path.
  typealias OwnAnswers = [String: @Sendable (HTTPRequest) async -> Response]

  let inner: Inner
  let own: OwnAnswers
  /// The pages of administration, which find out by themselves who may see them; nil for none.
  let admin: AdminSite?
  /// The token that every request without one is given.
  let credential: String?
  let proxy: ServerSettings.TrustedProxy
  let metrics: ServerMetrics
  let log: ServerLog
  let clock = ContinuousClock()

  func respond(to request: Request, context: Context) async throws -> Response {
    var request = request
    if let credential, request.headers[.authorization] == nil {
      var head = request.head
      head.headerFields[.authorization] = "Bearer \(credential)"
      request = Request(head: head, body: request.body)
    }
    let start = clock.now
    let parent = HTTPField.Name.traceParent.flatMap { request.headers[$0] }
    let note = RequestNote(
      clientAddress: proxy.client(of: request, from: context.channel),
      trace: parent.flatMap { TraceContext.trace(in: $0) })
    var route = request.uri.path
    var response: Response
    if let answer = own[request.uri.path] {
      response = await answered(request, by: answer)
    } else if let admin, AdminSite.covers(request.uri.path) {
      let client = AdminDoor.Client(
        address: note.clientAddress, isBehindProxy: proxy.isTrusted(context.channel))
      (response, route) = await admin.answer(to: request, from: client)
    } else {
      let inside = Inner.Context(
        source: ApplicationRequestContextSource(channel: context.channel, logger: context.logger))
      response = try await RequestNote.$current.withValue(note) {
        try await answered(request, inside)
      }
      // An unknown path must not become a name in logs and metrics.
      route = inside.endpointPath.flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "unknown"
    }
    if let name = HTTPField.Name.wireProtocol {
      response.headers[name] = "\(WireProtocol.version)"
    }
    response.headers[.cacheControl] = "no-store"
    response.headers[.xContentTypeOptions] = "nosniff"
    record(request, response, route: route, note, took: start.duration(to: clock.now))
    return response
  }

  private func answered(
    _ request: Request, by answer: @Sendable (HTTPRequest) async -> Response
  ) async -> Response {
    switch request.method {
    case .get: return await answer(request.head)
    case .head: return await answer(request.head).createHeadResponse()
    default:
      var response = RefusalAnswer.response(
        WireError(.methodNotAllowed, "this path is read-only"))
      response.headers[.allow] = "GET, HEAD"
      return response
    }
  }

  private func answered(_ request: Request, _ context: Inner.Context) async throws -> Response {
    do {
      return try await inner.respond(to: request, context: context)
    } catch let error as HTTPParserError {
      throw error
    } catch let error as WireError {
      return RefusalAnswer.response(error)
    } catch let error as HTTPError {
      return RefusalAnswer.response(WireError(error))
    } catch {
      log.say(.error, "failure", ["kind": .string("\(type(of: error))")])
      return RefusalAnswer.response(WireError(.failure, "the server failed"))
    }
  }

  private func record(
    _ request: Request, _ response: Response, route: String, _ note: RequestNote,
    took: Duration
  ) {
    let seconds = took / .seconds(1)
    let kind = ServerMetrics.RequestKind(
      method: request.method.rawValue, route: route, status: response.status.code)
    metrics.answered(kind, seconds: seconds)
    log.say(
      response.status.code >= 500 ? .error : .request, "request",
      {
        var keys: JSONObject = [
          "method": .string(kind.method), "route": .string(route),
          "status": .int(Int64(kind.status)),
          "milliseconds": .double((seconds * 100_000).rounded() / 100),
          "trace": .string(note.trace),
        ]
        if let caller = note.caller { keys["caller"] = .string(CallerMark.of(caller)) }
        return keys
      }())
  }
}

/// What the front door knows of a request.
struct ServerPipelineContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  let channel: any Channel

  init(source: ApplicationRequestContextSource) {
    coreContext = CoreRequestContextStorage(source: source)
    channel = source.channel
  }
}

extension ServerSettings.TrustedProxy {
  /// The address of the caller: the one the connection comes from, or what a proxy that is trusted says.
  func client(of request: Request, from channel: any Channel) -> String {
    let address = channel.remoteAddress?.ipAddress
    // The last one is the proxy's own word; those before it are what the client has sent.
    if isTrusted(channel), let name = HTTPField.Name.forwardedAddress,
      let field = request.headers[values: name].last, let last = field.split(separator: ",").last
    {
      let text = last.drop { $0 == " " }.prefix { $0 != " " }
      if SocketAddress.isAddress(text) { return String(text) }
    }
    return address ?? "local"
  }

  /// Whether the other end of a connection is a proxy whose word counts.
  func isTrusted(_ channel: any Channel) -> Bool {
    switch self {
    case .none: false
    case .everybody: true
    case .addresses(let addresses):
      channel.remoteAddress?.ipAddress.map(addresses.contains) ?? true
    }
  }
}

extension SocketAddress {
  /// Whether a text is an address, of either kind, and nothing else.
  static func isAddress(_ text: some StringProtocol) -> Bool {
    (try? SocketAddress(ipAddress: String(text), port: 0)) != nil
  }
}

extension WireError {
  /// A refusal of the HTTP library.
  init(_ error: HTTPError) {
    let code: Code =
      switch error.status.code {
      case 401: .unauthenticated
      case 403: .forbidden
      case 404: .notFound
      case 405: .methodNotAllowed
      case 408: .timeout
      case 413: .tooLarge
      case 415: .unsupportedMedia
      case 422: .invalid
      case 400..<500: .badRequest
      case 503: .unavailable
      default: .failure
      }
    self.init(code, error.body ?? "the request was refused")
  }
}

extension HTTPField.Name {
  fileprivate static let forwardedAddress = HTTPField.Name("X-Forwarded-For")
  fileprivate static let traceParent = HTTPField.Name(TraceContext.field)
  fileprivate static let wireProtocol = HTTPField.Name(WireProtocol.header)
}
