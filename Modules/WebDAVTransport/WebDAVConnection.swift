import SegmentFormat
import SyncKit
import SyncKitHTTP
import SyncKitText
import Synchronization

/// Speaks WebDAV below one collection: signs in as the server wants it, and follows it within its own origin.
final class WebDAVConnection: Sendable {
  /// One request; names are below the collection.
  struct Request: Sendable {
    var method: String
    var name: String
    /// How many parts of the collection's own path are left out, to reach what is above it.
    var above = 0
    /// Whether the name is a collection's; servers redirect from its name without a slash.
    var isCollection = false
    var headers: [(name: String, value: String)] = []
    var body: [UInt8] = []
    /// The longest answer that is taken in, in bytes.
    var limit = 1 << 20
    /// Whether only that much of a longer answer is taken in.
    var isCut = false
    /// The name that a MOVE gives, and how it is written.
    var destination: (name: String, form: DestinationForm)?
    /// Statuses that are an answer for the caller, though they are mostly worth another try.
    var final: Set<Int> = []
  }

  /// How the destination of a MOVE is written: a server behind a proxy may take its own address for another one's.
  enum DestinationForm: Hashable, CaseIterable, Sendable {
    /// As a whole address, which every server takes that knows its own.
    case address
    /// As a path alone.
    case path
    /// As an address in the clear, as a server sees it behind a proxy that ends the encryption.
    case cleartext
  }

  typealias Answer = FileServiceConnection.Answer

  private enum Scheme {
    /// Nothing is shown until the server asks.
    case unasked
    case basic, digest, bearer
  }

  private struct State {
    /// The collection's path without a slash at its end, escaped.
    var base: String
    /// What opens it, and how it is shown; nil before the first request.
    var signIn: (login: WebDAVLogin, scheme: Scheme)?
  }

  private static let mostRedirects = 3

  let server: FileServiceConnection
  private let login: @Sendable () throws -> WebDAVLogin
  private let state: Mutex<State>

  /// Prepares; nothing is sent.
  ///
  /// - Throws: ``SyncKit/SyncError`` `config.invalid` for an address in the clear that is not this machine.
  init(_ access: ServerAccess, _ login: @escaping @Sendable () throws -> WebDAVLogin) throws {
    server = try FileServiceConnection(
      access,
      whenRefused:
        "Check the user and the password or app password, and whether they may write in this folder."
    )
    self.login = login
    state = Mutex(State(base: access.address.path))
  }

  /// What opens the collection, and how it is shown at first.
  private func signIn() throws -> (login: WebDAVLogin, scheme: Scheme) {
    if let known = state.withLock({ $0.signIn }) { return known }
    let login = try login()
    // Over a connection that others can read, the password is not shown before the server has said that it wants it so.
    let address = server.access.address
    let scheme: Scheme =
      switch login {
      case .none: .unasked
      case .password: address.isEncrypted || address.isLoopback ? .basic : .unasked
      case .bearer: .bearer
      }
    state.withLock { $0.signIn = (login, scheme) }
    return (login, scheme)
  }

  /// The parts of the collection's path, decoded.
  var path: [String] { MultiStatus.parts(ofAddress: state.withLock { $0.base }) }

  /// Sends a request until there is an answer that another try would not change.
  ///
  /// - Throws: ``SyncKit/SyncError`` when there is no answer, or the server leads elsewhere.
  func answer(_ request: Request) async throws -> Answer {
    var redirects = 0
    var isChallenged = false
    while true {
      let (login, scheme) = try signIn()
      let base = state.withLock { $0.base }
      let answer = try await server.answer(
        upTo: request.limit, isCut: request.isCut, isFinal: { request.final.contains($0) }
      ) { outgoing(request, below: base, login, scheme) }
      switch answer.status {
      case 401 where !isChallenged:
        isChallenged = true
        guard case .password = login, let other = Self.scheme(for: answer, after: scheme) else {
          return answer
        }
        state.withLock { $0.signIn = (login, other) }
      case 301, 302, 307, 308:
        redirects += 1
        guard redirects <= Self.mostRedirects, let location = answer.first("Location"),
          let other = other(than: base, for: request, at: location), other != base
        else { return answer }
        state.withLock { $0.base = other }
      default: return answer
      }
    }
  }

  /// The error that an answer is.
  func failure(_ answer: Answer, _ what: String) -> SyncError {
    server.failure(answer, what, said: Self.said(answer.body))
  }

  // MARK: Making a request

  private func outgoing(
    _ request: Request, below base: String, _ login: WebDAVLogin, _ scheme: Scheme
  ) -> CarriedRequest {
    var headers = [("User-Agent", "cloudsync")] + request.headers
    if let (name, form) = request.destination {
      let path = Self.path(name, below: base)
      let origin = server.access.address.origin
      let start =
        switch form {
        case .address: origin
        case .path: ""
        case .cleartext: origin.replacing("https://", with: "http://", maxReplacements: 1)
        }
      headers.append(("Destination", start + path))
    }
    var outgoing = CarriedRequest(
      method: request.method,
      path: Self.path(request.name, below: Self.base(base, above: request.above))
        + (request.isCollection ? "/" : ""),
      headers: [], body: request.body, timeout: server.access.answerTimeout)
    switch (scheme, login) {
    case (.basic, .password(let user, let password)):
      let text = Base64.encode(Array("\(user):\(password)".utf8))
      headers.append(("Authorization", "Basic \(text)"))
    case (.digest, .password(let user, let password)):
      outgoing.digest = DigestLogin(user: user, password: password)
    case (.bearer, .bearer(let token)): headers.append(("Authorization", "Bearer \(token)"))
    default: break
    }
    outgoing.headers = headers
    return outgoing
  }

  private static func base(_ base: String, above: Int) -> String {
    guard above > 0 else { return base }
    return "/" + base.split(separator: "/").dropLast(above).joined(separator: "/")
  }

  private static func path(_ name: String, below base: String) -> String {
    let parts = name.split(separator: "/").map { PercentEncoding.encode($0) }
    return ([base] + parts).joined(separator: "/")
  }

  // MARK: Reading an answer

  /// How to sign in after a refusal; nil when there is no other way.
  private static func scheme(for answer: Answer, after tried: Scheme) -> Scheme? {
    guard tried == .unasked || tried == .basic else { return nil }
    let offers = answer.headers.filter { $0.name.lowercased() == "www-authenticate" }
      .map { $0.value.lowercased() }
    if offers.contains(where: { $0.hasPrefix("digest") || $0.contains(", digest ") }) {
      return .digest
    }
    let offersBasic = offers.contains { $0.hasPrefix("basic") || $0.contains(", basic ") }
    return tried == .unasked && offersBasic ? .basic : nil
  }

  /// The collection's new path, when the server leads the request to another one of its own; nil for another origin.
  private func other(than base: String, for request: Request, at location: String) -> String? {
    var path = Substring(location)
    if location.contains("://") {
      guard let mark = path.firstRange(of: "://") else { return nil }
      let start = path[mark.upperBound...].firstIndex { "/?#".contains($0) } ?? path.endIndex
      guard ServerAddress(path[..<start])?.origin == server.access.address.origin else {
        return nil
      }
      path = path[start...]
    }
    path = path.prefix { $0 != "?" && $0 != "#" }
    while path.hasSuffix("/") { path.removeLast() }
    guard request.above == 0 else { return nil }
    let rest = Self.path(request.name, below: "")
    guard path.hasPrefix("/") || path.isEmpty, path.hasSuffix(rest) else { return nil }
    return String(path.dropLast(rest.count))
  }

  /// What a server says in the body of a refusal, which many write as `<s:message>` or as text; nil for a page.
  private static func said(_ body: [UInt8]) -> String? {
    let text = String(decoding: body.prefix(4_096), as: UTF8.self)
    if let start = text.firstRange(of: "message>"),
      let end = text[start.upperBound...].firstIndex(of: "<")
    {
      return String(text[start.upperBound..<end])
    }
    return text.isEmpty || text.contains("<") ? nil : String(text.prefix(200))
  }
}
