import SyncKitText
import SyncKit
import SyncWire

/// Why a request has no good answer, and whether another try may help.
struct ServerFailure: Error {
  /// What a second try can do.
  enum Remedy: Equatable {
    /// Nothing: the answer will be the same.
    case none
    /// Maybe all, and it is not known whether the request has had its effect.
    case repeating
    /// Maybe all, and the request had no effect; the server may have said when.
    case later(Duration?)
  }

  var error: SyncError
  var remedy: Remedy
  /// What the server has said.
  var refusal: WireError?

  init(_ error: SyncError, _ remedy: Remedy = .none, refusal: WireError? = nil) {
    self.error = error
    self.remedy = remedy
    self.refusal = refusal
  }

  /// How a sentence calls the server.
  static func name(_ server: ServerAddress) -> String { "the server at \(server)" }

  /// Something else than a server of ours has answered.
  static func foreign(_ server: ServerAddress, _ what: String) -> ServerFailure {
    ServerFailure(
      SyncError(
        .remoteForeign, "No cloudsync server answers at \(server): \(what).",
        hint: "Check the address, and whether the network requires a sign-in in a browser first."))
  }

  /// A server of ours has answered something that it must not.
  static func broken(_ server: ServerAddress, _ what: String) -> ServerFailure {
    ServerFailure(
      SyncError(
        .remoteProtocol, "The server at \(server) violates the protocol: \(what).",
        hint: "Upgrade cloudsync here and on the server."))
  }

  /// The server speaks a newer protocol.
  static func newer(_ server: ServerAddress) -> ServerFailure {
    ServerFailure(
      SyncError(
        .formatNewer, "The server at \(server) speaks another version of the protocol.",
        hint: "Upgrade cloudsync on the older side."))
  }

  /// Nothing, or not enough, has come back.
  static func unreachable(
    _ server: ServerAddress, _ cause: String, wasSent: Bool
  ) -> ServerFailure {
    ServerFailure(
      SyncError(
        .remoteUnavailable, "The server at \(server) cannot be reached.",
        hint: "Local work goes on; the next sync sends it.", cause: cause),
      wasSent ? .repeating : .later(nil))
  }
}

extension ServerFailure {
  /// A refusal by a server of ours, or by a proxy in front of it that says nothing more than a status.
  init(status: Int, _ refusal: WireError?, retryAfter: Int?, from server: ServerAddress) {
    let seconds = refusal?.retryAfter ?? retryAfter
    let asked = seconds.map { Duration.seconds(max(0, min($0, 86_400))) }
    let said = refusal.map { Self.sentence($0.message) }
    switch refusal?.code ?? Self.code(of: status) {
    case .unauthenticated:
      self.init(
        SyncError(
          .remoteSignedOut, "The server at \(server) does not know this device's token.",
          hint: "It has expired or was revoked. \(Self.pairing(with: server))"))
    case .forbidden:
      self.init(
        SyncError(.remoteDenied, "The server at \(server) does not allow this.", cause: said))
    case .locked:
      self.init(
        SyncError(
          .remoteLocked, "The operator of \(server) has locked your account.",
          hint: "Your data stay here, and local work goes on. Ask the operator."))
    case .notFound:
      self.init(SyncError(.notFound, said ?? "The server at \(server) has no such thing."))
    case .conflict, .zoneTaken:
      self.init(SyncError(.inputInvalid, said ?? "It conflicts with data on the server."))
    case .gone:
      self.init(
        SyncError(
          .codeSpent, "The code or invitation is wrong, used or expired.",
          hint: "Ask for a new one.", cause: said))
    case .invalid:
      self.init(SyncError(.inputInvalid, said ?? "The server at \(server) refuses the input."))
    case .tooMany:
      self.init(
        SyncError(
          .remoteQuota, said ?? "The account at \(server) may have no more of these.",
          hint: "'cloudsync device list' shows devices and tokens; remove those you do not need."
            + " Codes expire by themselves."))
    case .tooManyParticipants:
      self.init(
        SyncError(
          .shareFull, "The share has no room for more participants.",
          hint: "Remove a participant first.", cause: said))
    case .tooLarge:
      self.init(
        SyncError(
          .remoteTooLarge, "Something is larger than the server at \(server) accepts.", cause: said)
      )
    case .newer: self = .newer(server)
    case .rateLimited:
      let wait = seconds.map { " for \($0) s" } ?? ""
      self.init(
        SyncError(
          .remoteRateLimited, "The server at \(server) asks this device to wait\(wait).",
          hint: "The next sync goes on where this one stopped."), .later(asked))
    case .quota:
      self.init(
        SyncError(
          .remoteQuota, "The account at \(server) has reached its limit.",
          hint: "Your data stay here. Ask the operator of the server for more room.", cause: said))
    case .timeout, .failure:
      self.init(Self.outOfOrder(server, status, said), .repeating)
    case .unavailable:
      self.init(Self.outOfOrder(server, status, said), .later(asked))
    case .badRequest, .methodNotAllowed, .unsupportedMedia:
      self = .broken(server, said ?? "it refuses a request with \(status)")
    }
    self.refusal = refusal ?? WireError(Self.code(of: status), "")
  }

  /// How to pair a device that is set up.
  static func pairing(with server: ServerAddress) -> String {
    "Make a code with 'cloudsync device pair' on another device, then run"
      + " 'cloudsync remote add NAME \(server) --join CODE' here."
  }

  /// What the status alone means.
  private static func code(of status: Int) -> WireError.Code {
    if status == 502 || status == 504 { return .failure }
    return WireError.Code.allCases.first { $0.status == status }
      ?? (status >= 500 ? .failure : .badRequest)
  }

  private static func outOfOrder(
    _ server: ServerAddress, _ status: Int, _ said: String?
  ) -> SyncError {
    SyncError(
      .remoteUnavailable, "The server at \(server) does not work (\(status)).",
      hint: "Local work goes on; the next sync sends it.", cause: said)
  }

  /// Words of a server, which may be hostile, as one short line.
  static func sentence(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.prefix(300).filter {
          $0.value >= 0x20 && !(0x7F...0x9F ~= $0.value) && !(0x200B...0x200F ~= $0.value)
            && !(0x202A...0x202E ~= $0.value) && !(0x2060...0x206F ~= $0.value)
        }))
  }
}
