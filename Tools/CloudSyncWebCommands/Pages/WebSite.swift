import HTTPTypes
import Hummingbird
import NIOCore
import PageTemplates
import SyncKit
import SyncKitFormats
import SyncKitText
import Synchronization

/// The pages: what answers which path.
final class WebSite: Sendable {
  /// A page or a form, by its method and its path below the secret one.
  struct Route: Sendable {
    let method: HTTPRequest.Method
    /// The words of the path; one with a colon stands for anything.
    let path: [String]
    /// Whether it is sent a file, which is not read as a form.
    let takesFile: Bool
    let answer: @Sendable (WebSite, PageRequest) async throws -> WebAnswer

    init(
      _ method: HTTPRequest.Method, _ path: String, takesFile: Bool = false,
      _ answer: @escaping @Sendable (WebSite, PageRequest) async throws -> WebAnswer
    ) {
      self.method = method
      self.takesFile = takesFile
      self.path = path.split(separator: "/").map(String.init)
      self.answer = answer
    }

    /// What the words with a colon stand for in a path; nil for another path.
    func names(in path: [String]) -> [String: String]? {
      guard path.count == self.path.count else { return nil }
      var names: [String: String] = [:]
      for (pattern, word) in zip(self.path, path) {
        if pattern.hasPrefix(":") {
          names[String(pattern.dropFirst())] = PercentEncoding.decode(word)
        } else if pattern != word {
          return nil
        }
      }
      return names
    }
  }

  /// All pages; each comes with its part of the site.
  static let routes: [Route] =
    overviewRoutes + dataRoutes + healthRoutes + bikeRoutes + conflictRoutes + historyRoutes
    + deviceRoutes + sharingRoutes + newsRoutes + importRoutes + airportRoutes + mediaRoutes
    + settingsRoutes + fileRoutes

  let program: CloudSyncProgram
  let session: WebSession
  let uploads: UploadedFiles
  private let library: PageLibrary
  private let port = Mutex(0)
  /// The domains of this device, for the navigation.
  private let domains = Mutex<[String]>([])
  /// The path of the land on the map of airports, once it was asked for.
  let land = Mutex<String?>(nil)
  /// The longest form.
  private static let longestForm = 1 << 20

  init(_ program: CloudSyncProgram, _ session: WebSession, _ uploads: UploadedFiles) throws {
    self.program = program
    self.session = session
    self.uploads = uploads
    library = try PageLibrary(WebFiles.templates)
  }

  /// Asks which domains there are.
  ///
  /// - Throws: ``SyncError`` when the program cannot answer, such as `config.invalid`.
  func prepare() async throws {
    let outcome = try await program.run(["status"])
    if outcome.document == nil, let failure = outcome.failure {
      throw SyncError(.failure, failure.message, hint: failure.hint)
    }
    let names = (outcome.document?["domains"]?.array ?? []).compactMap { $0["name"]?.string }
    domains.withLock { $0 = names }
  }

  /// Notes where it listens.
  func listens(at port: Int) { self.port.withLock { $0 = port } }

  /// Whether a request was meant for this page, and not for a name that only leads here.
  func isOwn(host: String) -> Bool {
    let port = port.withLock { $0 }
    return ["127.0.0.1:\(port)", "localhost:\(port)"].contains(host)
  }

  /// Answers a request from the person; `path` has the words of its path below the secret one.
  func answer(to request: Request, at path: [String]) async throws -> WebAnswer {
    let method: HTTPRequest.Method = request.method == .head ? .get : request.method
    for route in Self.routes where route.method == method {
      guard let names = route.names(in: path) else { continue }
      let isForm = method == .post && !route.takesFile
      return try await route.answer(
        self,
        PageRequest(
          language: PageRequest.language(of: request), names: names,
          query: FormValues(request.uri.query ?? ""),
          form: isForm ? try await form(of: request) : FormValues(""),
          upload: route.takesFile ? PageUpload(request) : nil))
    }
    throw WebFailure(404, .unknownPage)
  }

  /// Reads a form, which must have the token.
  private func form(of request: Request) async throws -> FormValues {
    let form: FormValues
    do {
      let body = try await request.body.collect(upTo: Self.longestForm)
      form = FormValues(String(decoding: body.readableBytesView, as: UTF8.self))
    } catch is NIOTooManyBytesError {
      throw WebFailure(413, .tooLarge)
    }
    guard session.admits(form: form["token"]) else { throw WebFailure(403, .foreignForm) }
    return form
  }

  // MARK: Pages

  /// Where a page is.
  func address(_ path: String = "") -> String { "/\(session.base)/\(path)" }

  /// The domains of this device.
  var names: [String] { domains.withLock { $0 } }

  /// Makes a page from a template, with values besides those that every page shows.
  ///
  /// `current` is the entry of the navigation that it belongs to.
  func page(
    _ template: String, title: String, current: String = "", _ values: [String: Any],
    _ language: PageLanguage, status: Int = 200
  ) -> WebAnswer {
    let words = WebWords(language)
    var values = values
    values["t"] = WordTree(words.all)
    values["language"] = language.rawValue
    values["title"] = title
    values["base"] = address()
    values["token"] = session.formToken
    values["navigation"] = navigation(current, words)
    if status < 400, let notice = session.takeNotice() { values["notice"] = notice.values(words) }
    var answer = WebAnswer(
      library.page(template, values), "text/html; charset=utf-8", status: status)
    answer.headers[.contentLanguage] = language.rawValue
    answer.headers[.vary] = "Accept-Language"
    return answer
  }

  /// Makes a picture from a template.
  func image(_ template: String, _ values: [String: Any]) -> WebAnswer {
    WebAnswer(library.page(template, values), "image/svg+xml")
  }

  /// The page of a command that has failed where a page was wanted.
  func page(of failure: CommandFailure, _ language: PageLanguage) -> WebAnswer {
    page(
      "failure", title: WebWords(language)["failure.title"],
      ["text": failure.message, "hint": failure.hint ?? ""], language, status: 500)
  }

  /// The page of a request that gets no other one.
  func page(of failure: WebFailure, _ language: PageLanguage) -> WebAnswer {
    let words = WebWords(language)
    // Whoever has no access learns nothing of where the pages are.
    let isInside =
      ![WebFailure.Reason.wrongHost, .noAccess, .usedLink].contains(failure.reason)
      && !(failure.reason == .unknownPage && failure.status == 404)
    var values: [String: Any] = [
      "t": WordTree(words.all), "language": language.rawValue, "title": words["failure.title"],
      "text": failure.reason.map { words["failure.\($0.rawValue)"] } ?? failure.message ?? "",
    ]
    if isInside { values["base"] = address() }
    return WebAnswer(
      library.page("message", values), "text/html; charset=utf-8", status: failure.status)
  }

  private func navigation(_ current: String, _ words: WebWords) -> [[String: Any]] {
    typealias Place = (path: String, label: String)
    let places: [Place] =
      [("", words["overview"])]
      + domains.withLock { $0 }.map { ("data/\($0)", words.name($0, of: "domain")) }
      + ["conflicts", "history", "devices", "sharing"].map { ($0, words[$0]) }
    return places.map { place in
      var entry: [String: Any] = ["path": place.path, "label": place.label]
      if place.path == current || place.path == "data/\(current)" { entry["isCurrent"] = true }
      return entry
    }
  }

  /// Runs a command for a page.
  ///
  /// - Returns: The document that it prints.
  /// - Throws: ``CommandFailure`` when it fails.
  func document(_ words: [String], names: [String] = []) async throws -> JSON {
    let outcome = try await program.run(words, names: names)
    if let failure = outcome.failure { throw failure }
    guard let document = outcome.document else {
      throw WebFailure(500, "cloudsync \(words.joined(separator: " ")) printed no document")
    }
    return document
  }

  /// Runs a command that changes something, and leaves `done`, or what the command says, for the next page.
  ///
  /// The result is whether it has succeeded.
  @discardableResult
  func change(
    _ words: [String], names: [String] = [], input: [UInt8] = [], domain: String? = nil,
    done: String
  ) async throws -> Bool {
    let outcome = try await program.run(words, names: names, input: input)
    if let failure = outcome.failure {
      session.leave(WebNotice(text: failure.message, isError: true, hint: failure.hint))
      return false
    }
    tell(outcome, domain: domain, done: done)
    return true
  }

  /// Leaves for the next page what a command that has succeeded says, with its warnings and its undo.
  func tell(_ outcome: CommandOutcome, domain: String?, done: String) {
    let document = outcome.document
    var notice = WebNotice(text: done)
    notice.warnings = document?["warnings"]?.array?.compactMap(\.string) ?? []
    if let domain, let batch = document?["batch"]?.string { notice.undo = (domain, batch) }
    session.leave(notice)
  }
}

extension WebNotice {
  fileprivate func values(_ words: WebWords) -> [String: Any] {
    var values: [String: Any] = ["text": text, "isError": isError]
    if let hint { values["hint"] = hint }
    if let undo { values["undo"] = ["domain": undo.domain, "batch": undo.batch] }
    if !warnings.isEmpty { values["warnings"] = warnings }
    return values
  }
}

extension WebSite {
  /// The style sheet and the script.
  static let fileRoutes: [Route] = [
    Route(.get, "web.css") { _, _ in WebAnswer(WebFiles.style, "text/css; charset=utf-8") },
    Route(.get, "web.js") { _, _ in WebAnswer(WebFiles.script, "text/javascript; charset=utf-8") },
  ]
}
