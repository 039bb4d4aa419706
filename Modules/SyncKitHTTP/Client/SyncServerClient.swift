import SyncKitText
public import SyncKit
public import SyncWire

/// What a person does with an account on a server: devices, pairing, tokens, shares.
///
/// ```swift
/// let client = try SyncServerClient(settings)
/// let code = try await client.makePairingCode()
/// ```
///
/// Each call is one request, tried again where that helps and has one effect. All throw ``SyncError``:
/// `remote.unavailable`, `remote.tls`, `remote.foreign`, `remote.protocol`, `remote.signed-out`,
/// `remote.denied`, `remote.rate-limited`, `remote.quota`, and what is named at the call.
public struct SyncServerClient: Sendable {
  let connection: ServerConnection

  /// Prepares; nothing is sent.
  ///
  /// - Throws: ``SyncError`` `config.invalid` for an address in the clear, and for certificates that
  ///   cannot be read.
  public init(_ settings: ServerAccess) throws {
    connection = try ServerConnection(settings)
  }

  /// The server.
  public var address: ServerAddress { connection.settings.address }

  /// How the account stands, and what the token may do.
  public func account() async throws -> AccountState {
    try await connection.message(.get("/account"))
  }

  // MARK: Devices

  /// Lets a device into an account by a code; the only call that needs no token.
  ///
  /// It is not tried again when its answer is lost, since a code is good for one use.
  /// - Throws: ``SyncError`` `remote.code-spent` when the code is wrong, used or over.
  public func join(code: String, as device: Device) async throws -> Joined {
    let request = JoinRequest(code: code, device: WireName(id: device.id, name: device.name))
    var outgoing = ServerRequest.send("POST", "/join", request.json, isRepeatable: false)
    outgoing.isSigned = false
    return try await connection.message(outgoing)
  }

  /// Makes a code with which one more device may join.
  public func makePairingCode() async throws -> PairingCode {
    var request = ServerRequest(method: "POST", path: "/pairings")
    request.isRepeatable = false
    return try await connection.message(request)
  }

  /// The devices of the account.
  public func devices() async throws -> [WireDevice] { try await list(.get("/devices"), "devices") }

  /// Gives a device another name.
  ///
  /// - Throws: ``SyncError`` `record.not-found`.
  public func rename(device id: String, to name: String) async throws {
    var request = ServerRequest.send(
      "PATCH", "/devices/\(ServerRequest.escaped(id))", ["name": .string(name)])
    request.answerType = nil
    try await connection.order(request)
  }

  /// Takes a device's access away, within a second, with all that was made with it.
  ///
  /// - Returns: What ended with it; nothing when the answer was lost and the device is gone.
  /// - Throws: ``SyncError`` `record.not-found`.
  @discardableResult
  public func revoke(device id: String) async throws -> Ended {
    try await ended("/devices/\(ServerRequest.escaped(id))")
  }

  /// What would end with a device, and what it has let in.
  ///
  /// - Throws: ``SyncError`` `record.not-found`.
  public func made(byDevice id: String) async throws -> Ended {
    try await connection.message(.get("/devices/\(ServerRequest.escaped(id))/made"))
  }

  // MARK: Tokens

  /// The tokens of the account, without their secrets.
  public func tokens() async throws -> [WireToken] { try await list(.get("/tokens"), "tokens") }

  /// Makes a token; its secret is in the answer and nowhere else.
  ///
  /// It ends at `expires`, in milliseconds since 1970; nil for never.
  public func makeToken(
    name: String, scope: TokenScope, expires: Int64? = nil
  ) async throws -> WireToken {
    var body: JSONObject = ["name": .string(name), "scope": .string(scope.rawValue)]
    if let expires { body["expires"] = .int(expires) }
    return try await connection.message(
      .send("POST", "/tokens", .object(body), isRepeatable: false))
  }

  /// Takes a token back, within a second, with all that was made with it.
  ///
  /// - Returns: What ended with it; nothing when the answer was lost and the token is gone.
  /// - Throws: ``SyncError`` `record.not-found`.
  @discardableResult
  public func revoke(token id: String) async throws -> Ended {
    try await ended("/tokens/\(ServerRequest.escaped(id))")
  }

  /// What would end with a token, and what it has let in.
  ///
  /// - Throws: ``SyncError`` `record.not-found`.
  public func made(byToken id: String) async throws -> Ended {
    try await connection.message(.get("/tokens/\(ServerRequest.escaped(id))/made"))
  }

  /// The newest lines of the account's audit log, the newest first; at most 1,000.
  public func audit(limit: Int) async throws -> [AuditEntry] {
    try await list(.get("/audit?limit=\(limit)"), "entries")
  }

  /// Ends a device or a token; an answer that was lost says nothing of what else has ended.
  private func ended(_ path: String) async throws -> Ended {
    let answer = try await connection.told { try await connection.answer(.order("DELETE", path)) }
    guard !answer.body.isEmpty else { return Ended() }
    do {
      return try Ended(json: JSON(parsing: answer.body, maximumDepth: WireProtocol.maximumDepth))
    } catch {
      throw ServerFailure.broken(address, "it does not say what has ended").error
    }
  }

  // MARK: Lists

  func list<Message: WireMessage>(
    _ request: ServerRequest, _ key: String
  ) async throws -> [Message] {
    let json = try await connection.json(request)
    guard let elements = json[key]?.array else {
      throw ServerFailure.broken(address, "'\(key)' must be a list").error
    }
    do {
      return try elements.map { try Message(json: $0) }
    } catch {
      throw ServerFailure.broken(address, "an element of '\(key)' cannot be read").error
    }
  }
}
