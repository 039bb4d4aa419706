import HTTPTypes
public import Hummingbird
import SyncKit
import SyncWire

/// All that can be asked of a server, in one table.
public enum ServerRoutes {
  /// Every route; nothing else is answered.
  static let table: [ServerRoute] =
    statusRoutes + joinRoutes + accountRoutes + deviceRoutes + tokenRoutes + vaultRoutes
    + feedRoutes + segmentRoutes + zoneRoutes + eventRoutes + shareRoutes + participantRoutes

  /// A router that answers by the table.
  ///
  /// - Parameters:
  ///   - state: What the server is made of.
  ///   - middleware: Runs around everything, the first one outermost.
  /// - Returns: A router with nothing but the table.
  public static func router(
    _ state: ServerState,
    middleware: [any MiddlewareProtocol<Request, Response, ServerContext>] = []
  ) -> Router<ServerContext> {
    let router = Router(context: ServerContext.self)
    for middleware in middleware { router.add(middleware: middleware) }
    router.add(middleware: AnswerMiddleware(state: state))
    for route in table {
      router.on(RouterPath(route.path), method: route.method) { request, context in
        try await serve(route, request, context, state)
      }
    }
    return router
  }

  /// What every route has in common: counting, and finding the token.
  private static func serve(
    _ route: ServerRoute, _ request: Request, _ context: ServerContext, _ state: ServerState
  ) async throws -> Response {
    let address = state.address(of: request, context)
    try state.limits.take(.address, address)
    guard route.isWritten(as: request.uri.path) else { throw Refusal.notFound }
    var sender: Caller?
    if let scope = route.scope {
      try state.limits.check(.failures, address)
      guard let token = bearer(request), token.kind == .token else {
        try state.limits.take(.failures, address)
        throw Refusal.unauthenticated
      }
      sender = Caller(token, needs: scope, address: address)
    }
    if let sender {
      RequestNote.current?.caller = sender.token
      try state.limits.take(.token, sender.token)
    }
    do {
      let response = try await route.answer(
        ServerRequest(request, context, state, route, address: address, sender: sender))
      if let sender { state.usage.note(sender.token, at: state.environment.now()) }
      return response
    } catch let error as WireError where error.code == .unauthenticated {
      try state.limits.take(.failures, address)
      throw error
    }
  }

  /// The token of a request; nil when there is none that could be one.
  private static func bearer(_ request: Request) -> TokenText? {
    let scheme = 7
    // Of two fields this is the text of both, which is no token.
    guard let value = request.headers[.authorization],
      value.utf8.count == scheme + TokenText.length,
      value.utf8.prefix(scheme).elementsEqual("bearer ".utf8, by: { $0 | 0x20 == $1 })
    else { return nil }
    return TokenText(value.dropFirst(scheme))
  }
}

extension ServerState {
  /// Where a request comes from, as far as limits and the audit log are concerned.
  func address(of request: Request, _ context: ServerContext) -> String {
    // A server that listens has found it out already; this is for a router on its own.
    if let note = RequestNote.current { return note.clientAddress }
    let peer = context.peer?.ipAddress ?? "local"
    guard case .forwarded = addressing, let name = HTTPField.Name("X-Forwarded-For"),
      let last = request.headers[values: name].last?.split(separator: ",").last
    else { return peer }
    let address = last.trimmingSpaces()
    let isPlain = address.utf8.allSatisfy { byte in
      byte == UInt8(ascii: ".") || byte == UInt8(ascii: ":")
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
    }
    return (1...64).contains(address.utf8.count) && isPlain ? String(address) : peer
  }
}
