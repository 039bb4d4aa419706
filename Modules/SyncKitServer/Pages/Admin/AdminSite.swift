import HTTPTypes
import Hummingbird
import PageTemplates
import SyncKit
import SyncKitText

/// The pages of administration: what the host sees of the server and does to accounts, in a browser.
///
/// They do what the commands of `cloudsync server` do, by the same ``ServerAdministration``. Nothing of them needs a
/// script. All places in them are relative, so that a proxy may put the server below a path.
struct AdminSite: Sendable {
  /// A page or a form.
  struct Route: Sendable {
    let method: HTTPRequest.Method
    /// The path, with what stands for anything in braces.
    let path: String
    let answer: @Sendable (AdminSite, AdminRequest) async throws -> AdminAnswer

    init(
      _ method: HTTPRequest.Method, _ path: String,
      _ answer: @escaping @Sendable (AdminSite, AdminRequest) async throws -> AdminAnswer
    ) {
      (self.method, self.path, self.answer) = (method, path, answer)
    }

    /// What the words in braces stand for in a path; nil for another path.
    func names(in path: String) -> [String: String]? {
      let row = self.path.split(separator: "/", omittingEmptySubsequences: false)
      let parts = path.split(separator: "/", omittingEmptySubsequences: false)
      guard row.count == parts.count else { return nil }
      var names: [String: String] = [:]
      for (pattern, word) in zip(row, parts) {
        if pattern.hasPrefix("{"), !word.isEmpty {
          names[String(pattern.dropFirst().dropLast())] = String(word)
        } else if pattern != word {
          return nil
        }
      }
      return names
    }
  }

  /// The pages for a browser that is in; each comes with its part of the site.
  static let routes: [Route] =
    overviewRoutes + loadRoutes + accountRoutes + removalRoutes + auditRoutes + sessionRoutes
  /// The page that takes a code.
  static let entry = "/admin/open"

  let administration: ServerAdministration
  let door: AdminDoor
  let library: PageLibrary
  let health: ServerHealth
  /// Where people reach the server by its settings; nil when they do not say.
  let url: String?
  /// What the link of an invitation adds so that the certificate is trusted.
  let linkMark: @Sendable () -> String
  let log: ServerLog

  /// Whether a path is one of these pages.
  static func covers(_ path: String) -> Bool { path == "/admin" || path.hasPrefix("/admin/") }

  /// Answers a request.
  ///
  /// - Returns: The answer, and the pattern of the path, for logs.
  func answer(
    to request: Request, from client: AdminDoor.Client
  ) async -> (response: Response, route: String) {
    let path = request.uri.path
    let language = PageLanguage(accepting: request.headers[.acceptLanguage])
    let method: HTTPRequest.Method = request.method == .head ? .get : request.method
    let rows = Self.routes.filter { $0.names(in: path) != nil }
    let route = path == Self.entry ? path : rows.first?.path ?? "unknown"
    var answer: AdminAnswer
    do {
      answer =
        path == Self.entry
        ? try await enter(request, method, language, client)
        : try await self.answer(request, method, language, client, rows)
    } catch {
      answer = page(of: failure(error), language, at: path)
    }
    let response =
      request.method == .head ? answer.response.createHeadResponse() : answer.response
    return (response, route)
  }

  private func answer(
    _ request: Request, _ method: HTTPRequest.Method, _ language: PageLanguage,
    _ client: AdminDoor.Client, _ rows: [Route]
  ) async throws -> AdminAnswer {
    // Whoever is not in does not learn which pages there are.
    let visitor = try await door.visitor(request.head, from: client)
    guard !rows.isEmpty else { throw AdminFailure(.unknownPage) }
    guard let route = rows.first(where: { $0.method == method }) else {
      throw AdminFailure(.wrongMethod)
    }
    let form =
      method == .post
      ? try await door.form(request, of: visitor, from: client) : FormValues("")
    return try await route.answer(
      self,
      AdminRequest(
        path: request.uri.path, language: language, client: client, visitor: visitor,
        names: route.names(in: request.uri.path) ?? [:],
        query: FormValues(request.uri.query ?? ""), form: form))
  }

  /// The page that takes a code, and what it sends.
  private func enter(
    _ request: Request, _ method: HTTPRequest.Method, _ language: PageLanguage,
    _ client: AdminDoor.Client
  ) async throws -> AdminAnswer {
    switch method {
    case .get: return entry(language)
    case .post:
      do {
        let cookie = try await door.open(request, from: client)
        var answer = AdminAnswer.redirect(to: "../admin")
        answer.set("Set-Cookie", cookie)
        return answer
      } catch let failure as AdminFailure where failure.reason == .usedCode {
        log.say(.notice, "code for the pages refused")
        return entry(language, failure)
      }
    default: throw AdminFailure(.wrongMethod)
    }
  }

  private func failure(_ error: any Error) -> AdminFailure {
    switch error {
    case let failure as AdminFailure: return failure
    case let error as SyncError where error.code == .notFound: return AdminFailure(.gone)
    default:
      log.say(.error, "failure", ["kind": .string("\(type(of: error))")])
      return AdminFailure(.broken)
    }
  }

  // MARK: Pages

  /// Makes a page for a browser that is in, with values besides those that every page shows.
  ///
  /// `current` is the entry of the navigation that it belongs to.
  func page(
    _ template: String, title: String, current: String = "", _ values: [String: Any],
    _ request: AdminRequest, status: Int = 200, problem: String? = nil
  ) -> AdminAnswer {
    var values = values
    values["title"] = title
    values["root"] = request.root
    values["token"] = request.visitor.secret.formToken
    values["navigation"] = [("", "overview"), ("/audit", "audit")].map { place, name in
      var entry: [String: Any] = [
        "path": "admin\(place)", "label": request.words.text("nav.\(name)"),
      ]
      if name == current { entry["isCurrent"] = true }
      return entry
    }
    if let problem {
      values["notice"] = ["text": problem, "isError": true]
    } else if let done = request.query["done"], let text = request.words.all["done.\(done)"] {
      values["notice"] = ["text": text, "isError": false]
    }
    return html(template, values, request.words, status: status)
  }

  private func html(
    _ template: String, _ values: [String: Any], _ words: Wording, status: Int,
    policy: String = AdminAnswer.policy
  ) -> AdminAnswer {
    var values = values
    values["t"] = WordTree(words.all)
    values["language"] = words.language.rawValue
    values["site"] = " – cloudsync"
    var answer = AdminAnswer(
      library.page(template, values), "text/html; charset=utf-8", status: status, policy: policy)
    answer.set("Content-Language", words.language.rawValue)
    answer.set("Vary", "Accept-Language")
    return answer
  }

  /// The page that takes a code.
  private func entry(_ language: PageLanguage, _ failure: AdminFailure? = nil) -> AdminAnswer {
    let words = Wording(language, AdminWords.of(language))
    var values: [String: Any] = ["title": words.text("entry.title"), "root": "../"]
    if let failure { values["problem"] = words.text("failure.\(failure.reason.rawValue)") }
    return html(
      "entry", values, words, status: failure?.reason.status ?? 200,
      policy: AdminAnswer.entryPolicy)
  }

  /// The page of a request that gets no other one; it shows nothing of the server.
  private func page(
    of failure: AdminFailure, _ language: PageLanguage, at path: String
  ) -> AdminAnswer {
    let words = Wording(language, AdminWords.of(language))
    var values: [String: Any] = [
      "title": words.text("failure.title"), "root": AdminRequest.root(of: path),
      "text": words.text("failure.\(failure.reason.rawValue)"),
    ]
    if failure.reason == .noAccess {
      values["isOutside"] = true
    } else {
      values["isInside"] = true
    }
    var answer = html("message", values, words, status: failure.reason.status)
    if let seconds = failure.retryAfter { answer.set("Retry-After", "\(seconds)") }
    if failure.reason == .wrongMethod { answer.set("Allow", "GET, HEAD, POST") }
    return answer
  }
}

/// A request to the pages of administration by a browser that is in.
struct AdminRequest: Sendable {
  let path: String
  let client: AdminDoor.Client
  let visitor: AdminDoor.Visitor
  /// What stands for the words in braces in the path of the page.
  let names: [String: String]
  let query: FormValues
  /// What was sent, in a request that changes something.
  let form: FormValues
  let words: Wording

  init(
    path: String, language: PageLanguage, client: AdminDoor.Client, visitor: AdminDoor.Visitor,
    names: [String: String], query: FormValues, form: FormValues
  ) {
    self.path = path
    self.client = client
    self.visitor = visitor
    self.names = names
    self.query = query
    self.form = form
    words = Wording(language, AdminWords.of(language))
  }

  /// The account in the path.
  var account: String { names["account"] ?? "" }

  /// What leads from the page to the server's own address.
  var root: String { Self.root(of: path) }

  static func root(of path: String) -> String {
    let strokes = path.utf8.count { $0 == UInt8(ascii: "/") }
    return String(repeating: "../", count: min(max(strokes - 1, 0), 64))
  }

  /// The page before which lines of a log are wanted; nil for the newest.
  var before: Int64? { query["before"].flatMap { Int64($0) } }
}

extension AdminSite {
  /// The host's work in the name of a browser, which the host's audit tells.
  func acting(_ request: AdminRequest) -> ServerAdministration {
    var administration = administration
    administration.address = request.client.address
    return administration
  }

  static let sessionRoutes: [Route] = [
    Route(.post, "/admin/sign-out") { site, request in
      try await site.acting(request).closePages(request.visitor.secret)
      var answer = AdminAnswer.redirect(to: "open")
      answer.set(
        "Set-Cookie",
        AdminDoor.noCookie(isEncrypted: request.visitor.origin.hasPrefix("https:")))
      return answer
    },
    Route(.get, "/admin/") { _, _ in .redirect(to: "../admin") },
  ]
}
