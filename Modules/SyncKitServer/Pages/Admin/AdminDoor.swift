import HTTPTypes
import Hummingbird
import NIOCore
import PageTemplates
import SyncKit
import SyncKitText
import SyncWire

/// Decides who gets to the pages of administration, and which requests may change something.
///
/// - A browser comes in with a code that works once, and then has a cookie. The code is sent in a form: what stands in
///   a path is written down by proxies, and what stands behind `#` is sent to no one.
/// - A form has to come from a page of ours, by the origin that the browser names and by a token that only our pages
///   have.
/// - A session is valid at the origin where it began.
struct AdminDoor: Sendable {
  /// A browser that is in.
  struct Visitor: Sendable {
    let secret: AdminSecret
    let origin: String
  }

  /// Where a request comes from.
  struct Client: Sendable {
    let address: String
    /// Whether it came through a proxy whose word counts.
    let isBehindProxy: Bool
  }

  static let cookieName = "cloudsync-admin"
  /// The longest form, in bytes.
  private static let longestForm = 16 << 10

  private let administration: ServerAdministration
  private let origins: OwnOrigins
  /// How often one address may try: apart from those of devices, which have rates of their own.
  private let limits: RequestLimits

  init(_ administration: ServerAdministration, _ origins: OwnOrigins) {
    self.administration = administration
    self.origins = origins
    limits = RequestLimits(RequestRates(), environment: administration.environment)
  }

  /// The browser that is in.
  ///
  /// - Throws: ``AdminFailure`` `noAccess` when it is not, `tooOften` after many cookies that are none.
  func visitor(_ request: HTTPRequest, from client: Client) async throws -> Visitor {
    let secrets = Self.cookies(request)
    guard !secrets.isEmpty else { throw AdminFailure(.noAccess) }
    try limited { try limits.check(.failures, client.address) }
    let own = origins.all(for: request, isBehindProxy: client.isBehindProxy)
    for secret in secrets {
      guard let session = try await administration.adminSession(secret),
        own.contains(session.origin)
      else { continue }
      return Visitor(secret: secret, origin: session.origin)
    }
    try limited { try limits.take(.failures, client.address) }
    throw AdminFailure(.noAccess)
  }

  /// Lets a browser in with a code.
  ///
  /// - Returns: The cookie to set.
  /// - Throws: ``AdminFailure`` `usedCode`, `foreignForm`, `tooOften`, `tooLarge`.
  func open(_ request: Request, from client: Client) async throws -> String {
    let origin = try ownOrigin(of: request.head, from: client)
    try limited { try limits.check(.joins, client.address) }
    let code = try await values(of: request)["code"] ?? ""
    var administration = administration
    administration.address = client.address
    guard let secret = try await administration.openPages(code, from: origin) else {
      try limited { try limits.take(.joins, client.address) }
      throw AdminFailure(.usedCode)
    }
    return Self.cookie(secret.text, isEncrypted: origin.hasPrefix("https:"))
  }

  /// What a form of a browser that is in has sent.
  ///
  /// - Throws: ``AdminFailure`` `foreignForm`, `tooLarge`.
  func form(
    _ request: Request, of visitor: Visitor, from client: Client
  ) async throws -> FormValues {
    guard try ownOrigin(of: request.head, from: client) == visitor.origin else {
      throw AdminFailure(.foreignForm)
    }
    let values = try await values(of: request)
    guard visitor.secret.admits(form: values["token"]) else { throw AdminFailure(.foreignForm) }
    return values
  }

  /// The cookie that takes the one of a session away.
  static func noCookie(isEncrypted: Bool) -> String {
    cookie("", isEncrypted: isEncrypted) + "; Max-Age=0"
  }

  /// It names no path: a browser takes the folder of the page that sets it, which is `/admin` here, also where a proxy
  /// has the server below a path.
  private static func cookie(_ value: String, isEncrypted: Bool) -> String {
    "\(cookieName)=\(value); HttpOnly; SameSite=Strict\(isEncrypted ? "; Secure" : "")"
  }

  private static func cookies(_ request: HTTPRequest) -> [AdminSecret] {
    request.headerFields[values: .cookie].flatMap { $0.split(separator: ";") }.compactMap { part in
      let pair = part.split(separator: "=", maxSplits: 1).map { $0.trimmingSpaces() }
      guard pair.count == 2, pair[0] == cookieName else { return nil }
      return AdminSecret(pair[1])
    }.prefix(4).map(\.self)
  }

  /// The origin of the page that a form comes from.
  private func ownOrigin(of request: HTTPRequest, from client: Client) throws -> String {
    let named = request.headerFields[values: .origin]
    guard named.count == 1, let origin = named.first,
      origins.all(for: request, isBehindProxy: client.isBehindProxy).contains(origin)
    else { throw AdminFailure(.foreignForm) }
    // Newer browsers say it in one word as well.
    let sites = HTTPField.Name("Sec-Fetch-Site").map { request.headerFields[values: $0] } ?? []
    guard sites.allSatisfy({ $0 == "same-origin" }) else { throw AdminFailure(.foreignForm) }
    return origin
  }

  private func values(of request: Request) async throws -> FormValues {
    let type = request.headers[.contentType]?.prefix { $0 != ";" }.trimmingSpaces().lowercased()
    guard type == "application/x-www-form-urlencoded" else { throw AdminFailure(.foreignForm) }
    do {
      let body = try await request.body.collect(upTo: Self.longestForm)
      return FormValues(String(decoding: body.readableBytesView, as: UTF8.self))
    } catch is NIOTooManyBytesError {
      throw AdminFailure(.tooLarge)
    }
  }

  private func limited(_ body: () throws -> Void) throws {
    do {
      try body()
    } catch let error as WireError where error.code == .rateLimited {
      throw AdminFailure(.tooOften, retryAfter: error.retryAfter)
    }
  }
}

/// Why a request gets no page of its own.
struct AdminFailure: Error {
  /// What a page says of it, by its name in the words of the pages.
  enum Reason: String, Sendable, CaseIterable {
    case noAccess, unknownPage, usedCode, foreignForm, tooLarge, tooOften, wrongMethod, gone, broken

    var status: Int {
      switch self {
      case .noAccess, .unknownPage, .gone: 404
      case .usedCode, .foreignForm: 403
      case .tooLarge: 413
      case .tooOften: 429
      case .wrongMethod: 405
      case .broken: 500
      }
    }
  }

  let reason: Reason
  /// After how many seconds it may be tried again.
  let retryAfter: Int?

  init(_ reason: Reason, retryAfter: Int? = nil) {
    (self.reason, self.retryAfter) = (reason, retryAfter)
  }
}
