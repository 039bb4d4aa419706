public import SyncKitText

/// Why a request was refused, in the body of every answer whose status is not 2xx.
public struct WireError: Error, WireMessage, Equatable {
  /// The kinds of refusal; each has one status.
  public enum Code: String, Sendable, CaseIterable {
    /// The request cannot be understood: 400.
    case badRequest = "bad-request"
    /// No token, or none that is known: 401.
    case unauthenticated
    /// The token may not do this: 403.
    case forbidden
    /// The operator of the server has locked the account: 403.
    case locked
    /// There is no such thing, or it is not the caller's: 404.
    case notFound = "not-found"
    /// The path knows other methods: 405.
    case methodNotAllowed = "method-not-allowed"
    /// The request took too long: 408.
    case timeout
    /// It contradicts what is there: 409.
    case conflict
    /// The zone belongs to another account already: 409.
    case zoneTaken = "zone-taken"
    /// The code or invitation is spent, over or was never given: 410.
    case gone
    /// The body is too large: 413.
    case tooLarge = "too-large"
    /// The body is of another type: 415.
    case unsupportedMedia = "unsupported-media"
    /// The body can be read and breaks a rule: 422.
    case invalid
    /// The account has as many of something as it may have: 422.
    case tooMany = "too-many"
    /// A share has as many participants as it may have: 422.
    case tooManyParticipants = "too-many-participants"
    /// A protocol or format that the server does not know: 426.
    case newer
    /// Too many requests; wait for as long as `Retry-After` says: 429.
    case rateLimited = "rate-limited"
    /// The server failed: 500.
    case failure = "internal"
    /// The server cannot work just now: 503.
    case unavailable
    /// The account has no room left: 507.
    case quota

    /// The status of HTTP.
    public var status: Int {
      switch self {
      case .badRequest: 400
      case .unauthenticated: 401
      case .forbidden, .locked: 403
      case .notFound: 404
      case .methodNotAllowed: 405
      case .timeout: 408
      case .conflict, .zoneTaken: 409
      case .gone: 410
      case .tooLarge: 413
      case .unsupportedMedia: 415
      case .invalid, .tooMany, .tooManyParticipants: 422
      case .newer: 426
      case .rateLimited: 429
      case .failure: 500
      case .unavailable: 503
      case .quota: 507
      }
    }
  }

  /// The kind.
  public var code: Code
  /// One sentence for a person.
  public var message: String
  /// Seconds to wait before the next try; also in the header `Retry-After`.
  public var retryAfter: Int?

  /// Describes a refusal.
  public init(_ code: Code, _ message: String, retryAfter: Int? = nil) {
    self.code = code
    self.message = message
    self.retryAfter = retryAfter
  }

  /// Reads `{"error": {"code": …, "message": …}}`; a code of a newer server is a failure.
  public init(json: JSON) throws(WireFault) {
    guard let error = json["error"] else { throw WireFault("'error' is missing") }
    self.init(
      Code(rawValue: try error.text("code")) ?? .failure, try error.text("message"),
      retryAfter: try error.optionalNumber("retryAfter").map { Int(clamping: $0) })
  }

  public var json: JSON {
    var error: JSONObject = ["code": .string(code.rawValue), "message": .string(message)]
    if let retryAfter { error["retryAfter"] = .int(Int64(retryAfter)) }
    return ["error": .object(error)]
  }
}
