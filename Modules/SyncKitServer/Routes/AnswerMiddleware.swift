import SyncKitText
import HTTPTypes
import Hummingbird
import Logging
import SyncKit
import SyncWire

/// Gives every answer the protocol's headers, and every refusal the protocol's body.
struct AnswerMiddleware: RouterMiddleware {
  typealias Context = ServerContext

  let state: ServerState

  func handle(
    _ request: Request, context: ServerContext,
    next: (Request, ServerContext) async throws -> Response
  ) async throws -> Response {
    var response: Response
    do {
      response = try await next(request, context)
    } catch {
      response = Self.response(to: refusal(error, request), request)
    }
    if let name = HTTPField.Name(WireProtocol.header) {
      response.headers[name] = String(WireProtocol.version)
    }
    response.headers[.cacheControl] = "no-store"
    return response
  }

  /// What the caller is told about an error.
  private func refusal(_ error: any Error, _ request: Request) -> WireError {
    switch error {
    case let error as WireError: return error
    case let fault as WireFault: return WireError(.invalid, fault.message + ".")
    case let error as HTTPError: return Self.refusal(error.status, request)
    case let error as any HTTPResponseError: return Self.refusal(error.status, request)
    case let error as SyncError where error.code.isRetryable:
      state.logger.error("\(error)")
      // A database that is started again, or replaced by its standby, is there in seconds.
      return WireError(
        .unavailable, "The server cannot answer at the moment; try again later.",
        retryAfter: error.code == .storeUnavailable ? 2 : 30)
    case let error as SyncError where error.code == .serverMoved:
      state.logger.error("\(error)")
      return WireError(
        .unavailable, "The server's data are being moved; try again later.", retryAfter: 30)
    case is CancellationError:
      return WireError(.unavailable, "The server is shutting down; try again.", retryAfter: 1)
    default:
      state.logger.error("\(error)")
      return WireError(.failure, "The server has failed; its log says why.")
    }
  }

  private static func refusal(_ status: HTTPResponse.Status, _ request: Request) -> WireError {
    switch status.code {
    case 404:
      let methods = methods(of: request)
      guard !methods.isEmpty else { return Refusal.notFound }
      return WireError(
        .methodNotAllowed,
        "Only these methods are allowed here: \(methods.joined(separator: ", ")).")
    case 405: return WireError(.methodNotAllowed, "This method is not allowed here.")
    case 408: return WireError(.timeout, "The request took too long.")
    case 413: return WireError(.tooLarge, "The body is too large.")
    case 415: return WireError(.unsupportedMedia, "The body has an unexpected type.")
    case 400..<500: return WireError(.badRequest, "The request cannot be understood.")
    case 503:
      return WireError(.unavailable, "The server cannot answer at the moment.", retryAfter: 30)
    default: return WireError(.failure, "The server has failed; its log says why.")
    }
  }

  private static func methods(of request: Request) -> [String] {
    let path = request.uri.path
    return ServerRoutes.table.filter { $0.isWritten(as: path) }.map(\.method.rawValue)
  }

  static func response(to error: WireError, _ request: Request) -> Response {
    var response = ServerRequest.response(
      error.json.serialized(), WireProtocol.json, .init(code: error.code.status))
    if let seconds = error.retryAfter { response.headers[.retryAfter] = String(seconds) }
    switch error.code {
    case .unauthenticated:
      if let name = HTTPField.Name("WWW-Authenticate") { response.headers[name] = "Bearer" }
    case .methodNotAllowed:
      response.headers[.allow] = methods(of: request).joined(separator: ", ")
    default: break
    }
    return response
  }
}
