import SyncKitText
import SyncKit
import SyncWire
import Synchronization

/// Speaks to one server: signs, sends, checks that it is ours, tries again where that helps.
///
/// - The token goes to the server's own origin and nowhere else; no redirect is followed.
/// - What does not bear the protocol's header is never taken for an answer.
/// - An answer is kept up to a bound that the request names.
final class ServerConnection: Sendable {
  let settings: ServerAccess
  private let carrier: any RequestCarrier
  private let knownToken = Mutex<String?>(nil)

  /// Prepares; nothing is sent.
  ///
  /// - Throws: ``SyncError`` `config.invalid` for an address in the clear that is not this machine, and
  ///   what the carrier throws, as for a file of certificates that cannot be read.
  init(_ settings: ServerAccess) throws {
    try settings.check()
    self.settings = settings
    carrier = try settings.carrier(settings)
  }

  // MARK: Asking

  /// Sends a request until there is a good answer or no sense in another try.
  ///
  /// - Throws: ``ServerFailure``, or `CancellationError`.
  func answer(_ request: ServerRequest) async throws -> ServerAnswer {
    var number = 0
    while true {
      number += 1
      do {
        return try await once(request)
      } catch let failure as ServerFailure {
        try Task.checkCancellation()
        if request.method == "DELETE", number > 1, failure.refusal?.code == .notFound {
          // The answer to the first try was lost, not its effect.
          return ServerAnswer(status: 204, frames: nil, body: [])
        }
        var asked: Duration?
        switch failure.remedy {
        case .none: throw failure
        case .repeating: guard request.isRepeatable else { throw failure }
        case .later(let pause): asked = pause
        }
        guard
          let pause = settings.retry.pause(
            afterTry: number, asked: asked, random: settings.environment.random())
        else { throw failure }
        try await settings.wait(pause)
      }
    }
  }

  /// Sends a request and reads the message in the answer.
  ///
  /// - Throws: ``SyncError``.
  func message<Message: WireMessage>(
    _ request: ServerRequest, as type: Message.Type = Message.self
  ) async throws -> Message {
    let json = try await self.json(request)
    do {
      return try Message(json: json)
    } catch {
      throw ServerFailure.broken(settings.address, "in an answer \(error.message)").error
    }
  }

  /// Sends a request and reads the answer as JSON.
  ///
  /// - Throws: ``SyncError``.
  func json(_ request: ServerRequest) async throws -> JSON {
    let answer = try await told { try await self.answer(request) }
    do {
      return try JSON(parsing: answer.body, maximumDepth: WireProtocol.maximumDepth)
    } catch {
      throw ServerFailure.broken(settings.address, "an answer is not JSON").error
    }
  }

  /// Sends a request whose answer says nothing more.
  ///
  /// - Throws: ``SyncError``.
  func order(_ request: ServerRequest) async throws {
    _ = try await told { try await answer(request) }
  }

  /// Turns a failure into what callers know.
  func told<Value: Sendable>(_ body: () async throws -> Value) async throws -> Value {
    do { return try await body() } catch let failure as ServerFailure { throw failure.error }
  }

  // MARK: One try

  private func once(_ request: ServerRequest) async throws -> ServerAnswer {
    let answer = try await begin(request, timeout: settings.answerTimeout)
    return try await failing(hasAnswer: true) {
      ServerAnswer(
        status: answer.status, frames: answer.first("Cloudsync-Frames").flatMap { Int($0) },
        body: try await answer.bytes(upTo: request.limit))
    }
  }

  /// Opens an endless stream, and hands out its parts until no reader is left.
  ///
  /// - Throws: ``SyncError``.
  func stream(_ request: ServerRequest, to take: ([UInt8]) throws -> Bool) async throws {
    try await told {
      let answer = try await begin(request, timeout: nil)
      try await failing(hasAnswer: true) {
        for try await part in answer.body { guard try take(part) else { return } }
      }
    }
  }

  /// Sends a request; the head of a good answer has come.
  private func begin(
    _ request: ServerRequest, timeout: Duration?
  ) async throws -> CarriedAnswer {
    let outgoing = try outgoing(request, timeout: timeout)
    let answer = try await failing(hasAnswer: false) { try await carrier.carry(outgoing) }
    try await failing(hasAnswer: true) { try await check(answer, request) }
    return answer
  }

  /// Turns what happens on the way into a ``ServerFailure``.
  private func failing<Value>(
    hasAnswer: Bool, _ body: () async throws -> Value
  ) async throws -> Value {
    do {
      return try await body()
    } catch {
      try Task.checkCancellation()
      throw ServerFailure(error, from: settings.address, hasAnswer: hasAnswer)
    }
  }

  private func outgoing(
    _ request: ServerRequest, timeout: Duration?
  ) throws -> CarriedRequest {
    var headers = [
      ("Accept", request.answerType ?? WireProtocol.json), ("User-Agent", "cloudsync"),
      (WireProtocol.header, String(WireProtocol.version)),
    ]
    if request.answerType == WireProtocol.json { headers.append(("Accept-Encoding", "gzip")) }
    if request.isSigned, let token = try token() {
      headers.append(("Authorization", "Bearer \(token)"))
    }
    if let type = request.bodyType { headers.append(("Content-Type", type)) }
    return CarriedRequest(
      method: request.method, path: settings.address.path + WireProtocol.prefix + request.path,
      headers: headers, body: request.body, timeout: timeout)
  }

  /// The token; nil for a server on this machine, which may want none.
  private func token() throws -> String? {
    if let known = knownToken.withLock({ $0 }) { return known }
    guard let token = try settings.token() else {
      if settings.address.isLoopback { return nil }
      throw ServerFailure(
        SyncError(
          .remoteSignedOut, "This device has no token for the server at \(settings.address).",
          hint: "\(ServerFailure.pairing(with: settings.address)) Or configure a token."
        ))
    }
    guard TokenText(token)?.kind == .token else {
      throw ServerFailure(
        SyncError(
          .remoteSignedOut, "The token configured for \(settings.address) is not a token.",
          hint: "A token begins with cst_; copy all of it, and see 'cloudsync help config'."))
    }
    knownToken.withLock { $0 = token }
    return token
  }

  // MARK: Reading an answer

  /// Finds out whether the answer is one of a server of ours, and a good one.
  private func check(_ response: CarriedAnswer, _ request: ServerRequest) async throws {
    let server = settings.address
    let status = response.status
    let type = response.first("Content-Type").map(Self.essence)
    guard let spoken = response.first(WireProtocol.header) else {
      // What a proxy in front of the server says for it when it is down, busy or given too much.
      if status == 413 || status == 429 || 502...504 ~= status {
        throw ServerFailure(status: status, nil, retryAfter: pause(response), from: server)
      }
      throw ServerFailure.foreign(
        server,
        300..<400 ~= status
          ? "it redirects elsewhere, and cloudsync does not follow"
          : "it answers \(status)\(type.map { " with \(Self.shown($0))" } ?? "")")
    }
    guard spoken == String(WireProtocol.version) else { throw ServerFailure.newer(server) }
    if 200..<300 ~= status {
      guard let wanted = request.answerType, type != wanted else { return }
      throw ServerFailure.broken(server, "an answer is not \(wanted)")
    }
    if status == 401 { knownToken.withLock { $0 = nil } }
    var refusal: WireError?
    if type == WireProtocol.json, let body = try? await response.bytes(upTo: 1 << 16),
      let json = try? JSON(parsing: body, maximumDepth: WireProtocol.maximumDepth)
    {
      refusal = try? WireError(json: json)
    }
    guard status >= 400 else { throw ServerFailure.broken(server, "it answers \(status)") }
    throw ServerFailure(status: status, refusal, retryAfter: pause(response), from: server)
  }

  private func pause(_ response: CarriedAnswer) -> Int? {
    response.first("Retry-After").flatMap { Int($0) }
  }

  /// A content type without its parameters.
  private static func essence(_ type: String) -> String {
    let name = type.prefix { $0 != ";" }.lowercased()
    return String(name.filter { $0 != " " && $0 != "\t" })
  }

  private static func shown(_ type: String) -> String {
    String(
      type.prefix(60).filter { $0.isASCII && ($0.isLetter || $0.isNumber || "/.+-".contains($0)) })
  }
}
