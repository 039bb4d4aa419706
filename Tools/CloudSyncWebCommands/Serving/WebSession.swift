import SyncCrypto
import SyncKitText
import Synchronization

/// The one person who may use the pages, and how a browser proves to be theirs.
///
/// - A link that works once brings the browser a cookie; whoever has neither is shown nothing.
/// - All pages lie below a path that nobody can guess, and the cookie belongs to that path. Cookies do not tell ports
///   apart, so a program of another user at another port of this machine would be sent it otherwise.
/// - Every form has a token that only our pages know.
final class WebSession: Sendable {
  private struct State {
    /// What the link has; nil once it was used.
    var invitation: String?
    var lastUse: Int64
    /// What is said on the next page.
    var notice: WebNotice?
  }

  /// The path below which all pages lie.
  let base: String
  /// What every form has.
  let formToken: String
  private let cookie: String
  private let now: @Sendable () -> Int64
  private let state: Mutex<State>

  init(now: @escaping @Sendable () -> Int64) {
    self.now = now
    base = Self.secret(16)
    formToken = Self.secret(24)
    cookie = Self.secret(32)
    state = Mutex(State(invitation: Self.secret(24), lastUse: now()))
  }

  static let cookieName = "cloudsync"

  /// So many random bytes as a word for an address.
  static func secret(_ count: Int) -> String {
    var source = SystemRandomNumberGenerator()
    return Base64.encode((0..<count).map { _ in UInt8.random(in: .min ... .max, using: &source) })
      .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }

  /// The link for the browser; it works once.
  func invitation(port: Int) -> String {
    "http://127.0.0.1:\(port)/open/\(state.withLock { $0.invitation } ?? "")"
  }

  /// Takes the secret of the link.
  ///
  /// - Returns: The cookie that it stands for; nil for another secret, and for one that was used.
  func open(_ secret: String) -> String? {
    let isRight = state.withLock { state in
      guard let known = state.invitation, Self.isSame(secret, known) else { return false }
      state.invitation = nil
      return true
    }
    guard isRight else { return nil }
    return "\(Self.cookieName)=\(cookie); Path=/\(base)/; HttpOnly; SameSite=Strict"
  }

  /// Whether a request has the cookie.
  func admits(cookies field: String?) -> Bool {
    let isKnown = (field ?? "").split(separator: ";").contains { part in
      let pair = part.split(separator: "=", maxSplits: 1).map { $0.filter { $0 != " " } }
      return pair.count == 2 && pair[0] == Self.cookieName && Self.isSame(pair[1], cookie)
    }
    if isKnown { touch() }
    return isKnown
  }

  /// Whether a form has the token.
  func admits(form token: String?) -> Bool { token.map { Self.isSame($0, formToken) } ?? false }

  /// Compares secrets, in a time that does not tell where they differ.
  static func isSame(_ one: String, _ other: String) -> Bool {
    Secret.isEqual(Array(one.utf8), Array(other.utf8))
  }

  // MARK: What is kept between two pages

  /// Says something on the next page.
  func leave(_ notice: WebNotice) { state.withLock { $0.notice = notice } }

  /// What is to be said on this page.
  func takeNotice() -> WebNotice? {
    state.withLock { state in
      defer { state.notice = nil }
      return state.notice
    }
  }

  // MARK: Idleness

  /// Notes that the person is here.
  func touch() { state.withLock { $0.lastUse = now() } }

  /// For how many milliseconds nobody has used the pages; one that is only open does not count.
  var idleTime: Int64 { state.withLock { now() - $0.lastUse } }
}

/// What a page says of what was just done.
struct WebNotice: Sendable {
  var text: String
  var isError = false
  var hint: String?
  /// What was done, by the domain and the id of its batch, where it can be undone.
  var undo: (domain: String, batch: String)?
  /// Warnings of the command, each as a sentence.
  var warnings: [String] = []
}
