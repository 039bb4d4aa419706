import AsyncHTTPClient
import Formats
import NIOCore
import NIOHTTP1
import NIOHTTPCompression
import NIOSSL
import SyncKit
import SyncWire
import Synchronization

/// Speaks to one server: signs, sends, checks that it is ours, tries again where that helps.
///
/// - The token goes to the server's own origin and nowhere else; no redirect is followed.
/// - What does not bear the protocol's header is never taken for an answer.
/// - An answer is unpacked and kept up to a bound that the request names.
final class ServerConnection: Sendable {
  let settings: ServerAccess
  /// The network; nil where something else carries the requests.
  private let client: HTTPClient?
  private let knownToken = Mutex<String?>(nil)

  /// Prepares; nothing is sent.
  ///
  /// - Throws: ``SyncError`` `config.invalid` for an address in the clear that is not this machine, and
  ///   for a file of certificates that cannot be read.
  init(_ settings: ServerAccess) throws {
    let server = settings.address
    guard server.isEncrypted || server.isLoopback || settings.allowsCleartext else {
      throw SyncError(
        .configInvalid,
        "\(server) would be spoken to in the clear, and everybody could read along.",
        hint: "Write https://, or say 'allow-cleartext: true' for a network that encrypts itself.")
    }
    self.settings = settings
    guard settings.carrier == nil else {
      client = nil
      return
    }
    var configuration = HTTPClient.Configuration(
      redirectConfiguration: .disallow,
      timeout: HTTPClient.Configuration.Timeout(
        connect: settings.connectTimeout.amount, read: settings.idleTimeout.amount),
      decompression: .enabled(limit: .ratio(Self.ratio)))
    // One connection carries a large upload at full speed over 1.1, and a fraction of it over 2.
    configuration.httpVersion = .http1Only
    configuration.networkFrameworkWaitForConnectivity = false
    configuration.connectionPool.retryConnectionEstablishment = false
    configuration.connectionPool.idleTimeout = .seconds(20)
    configuration.proxy = settings.proxy.proxy(to: server)?.configuration
    if let path = settings.certificates {
      // Read here, so that a wrong path is told as one.
      do {
        let certificates = try NIOSSLCertificate.fromPEMFile(path)
        guard !certificates.isEmpty else { throw NIOSSLError.failedToLoadCertificate }
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.trustRoots = .certificates(certificates)
        configuration.tlsConfiguration = tls
      } catch {
        throw SyncError(
          .configInvalid, "The certificates in \(path) cannot be read.", cause: "\(error)")
      }
    }
    client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
  }

  deinit { _ = client?.shutdown() }

  /// How many times its size an answer may grow when it is unpacked.
  private static let ratio = 100

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
      throw ServerFailure.broken(settings.address, "an answer is no JSON").error
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
    let outgoing = try self.outgoing(request)
    var hasAnswer = false
    do {
      let response = try await execute(outgoing, request)
      hasAnswer = true
      try await check(response, request)
      let body = try await bytes(of: response, upTo: request.limit)
      return ServerAnswer(
        status: Int(response.status.code),
        frames: response.headers.first(name: "Cloudsync-Frames").flatMap { Int($0) }, body: body)
    } catch {
      try Task.checkCancellation()
      throw ServerFailure(error, from: settings.address, hasAnswer: hasAnswer)
    }
  }

  private func execute(
    _ outgoing: HTTPClientRequest, _ request: ServerRequest
  ) async throws -> HTTPClientResponse {
    if let client {
      return try await client.execute(outgoing, timeout: settings.answerTimeout.amount)
    }
    guard let carrier = settings.carrier else {
      throw SyncError(.bug, "There is neither a network nor a carrier.")
    }
    let answer = try await carrier.carry(
      CarriedRequest(
        method: request.method,
        path: settings.address.path + WireProtocol.prefix + request.path,
        headers: outgoing.headers.map { ($0.name, $0.value) }, body: request.body))
    return HTTPClientResponse(
      status: HTTPResponseStatus(statusCode: answer.status),
      headers: HTTPHeaders(answer.headers.map { ($0.name, $0.value) }),
      body: .bytes(ByteBuffer(bytes: answer.body)))
  }

  /// Opens a stream that has no end.
  ///
  /// - Throws: ``SyncError``.
  func stream(_ request: ServerRequest) async throws -> HTTPClientResponse.Body {
    try await told {
      let outgoing = try self.outgoing(request)
      var hasAnswer = false
      guard let client else {
        throw ServerFailure.unreachable(
          settings.address, "news come by a network only", wasSent: false)
      }
      do {
        let response = try await client.execute(outgoing, deadline: .distantFuture)
        hasAnswer = true
        try await check(response, request)
        return response.body
      } catch {
        try Task.checkCancellation()
        throw ServerFailure(error, from: settings.address, hasAnswer: hasAnswer)
      }
    }
  }

  private func outgoing(_ request: ServerRequest) throws -> HTTPClientRequest {
    var outgoing = HTTPClientRequest(
      url: settings.address.text + WireProtocol.prefix + request.path)
    outgoing.method = HTTPMethod(rawValue: request.method)
    outgoing.headers.add(name: "Accept", value: request.answerType ?? WireProtocol.json)
    outgoing.headers.add(name: "User-Agent", value: "cloudsync")
    outgoing.headers.add(name: WireProtocol.header, value: String(WireProtocol.version))
    if request.answerType == WireProtocol.json {
      outgoing.headers.add(name: "Accept-Encoding", value: "gzip")
    }
    if request.isSigned, let token = try token() {
      outgoing.headers.add(name: "Authorization", value: "Bearer \(token)")
    }
    if let type = request.bodyType {
      outgoing.headers.add(name: "Content-Type", value: type)
      outgoing.body = .bytes(ByteBuffer(bytes: request.body))
    }
    return outgoing
  }

  /// The token; nil for a server on this machine, which may want none.
  private func token() throws -> String? {
    if let known = knownToken.withLock({ $0 }) { return known }
    guard let token = try settings.token() else {
      if settings.address.isLoopback { return nil }
      throw ServerFailure(
        SyncError(
          .remoteSignedOut, "This device has no token for the server at \(settings.address).",
          hint: "Pair it with 'cloudsync init --join CODE --remote NAME=URL', or configure a token."
        ))
    }
    guard TokenText(token)?.kind == .token else {
      throw ServerFailure(
        SyncError(
          .remoteSignedOut, "What is configured as the token of \(settings.address) is none.",
          hint: "A token begins with cst_ and is copied whole; see 'cloudsync help config'."))
    }
    knownToken.withLock { $0 = token }
    return token
  }

  // MARK: Reading an answer

  /// Finds out whether the answer is one of a server of ours, and a good one.
  private func check(_ response: HTTPClientResponse, _ request: ServerRequest) async throws {
    let server = settings.address
    let status = Int(response.status.code)
    let type = response.headers.first(name: "Content-Type").map(Self.essence)
    guard let spoken = response.headers.first(name: WireProtocol.header) else {
      // What a proxy in front of the server says for it when it is down, busy or given too much.
      if status == 413 || status == 429 || 502...504 ~= status {
        throw ServerFailure(status: status, nil, retryAfter: pause(response), from: server)
      }
      throw ServerFailure.foreign(
        server,
        300..<400 ~= status
          ? "it redirects elsewhere, which is not followed"
          : "it answers \(status)\(type.map { " and \(Self.shown($0))" } ?? "")")
    }
    guard spoken == String(WireProtocol.version) else { throw ServerFailure.newer(server) }
    if 200..<300 ~= status {
      guard let wanted = request.answerType, type != wanted else { return }
      throw ServerFailure.broken(server, "an answer is no \(wanted)")
    }
    if status == 401 { knownToken.withLock { $0 = nil } }
    var refusal: WireError?
    if type == WireProtocol.json, let body = try? await bytes(of: response, upTo: 1 << 16),
      let json = try? JSON(parsing: body, maximumDepth: WireProtocol.maximumDepth)
    {
      refusal = try? WireError(json: json)
    }
    guard status >= 400 else { throw ServerFailure.broken(server, "it answers \(status)") }
    throw ServerFailure(status: status, refusal, retryAfter: pause(response), from: server)
  }

  private func bytes(of response: HTTPClientResponse, upTo limit: Int) async throws -> [UInt8] {
    if let length = response.headers.first(name: "Content-Length").flatMap({ Int($0) }) {
      // What says beforehand that it is too long need not come at all.
      guard length <= limit else { throw NIOTooManyBytesError(maxBytes: limit) }
    }
    var body = try await response.body.collect(upTo: limit)
    return body.readBytes(length: body.readableBytes) ?? []
  }

  private func pause(_ response: HTTPClientResponse) -> Int? {
    response.headers.first(name: "Retry-After").flatMap { Int($0) }
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

extension Duration {
  fileprivate var amount: TimeAmount {
    let (seconds, attoseconds) = components
    return .nanoseconds(
      seconds.multipliedReportingOverflow(by: 1_000_000_000).overflow
        ? .max : seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
  }
}

extension Proxy {
  /// The proxy as the client takes it.
  package var configuration: HTTPClient.Configuration.Proxy {
    guard !isSOCKS else { return .socksServer(host: host, port: port) }
    let credentials = self.credentials.map { text in
      HTTPClient.Authorization.basic(
        credentials: Base64.encode(Array(text.utf8)))
    }
    return .server(host: host, port: port, authorization: credentials)
  }
}
