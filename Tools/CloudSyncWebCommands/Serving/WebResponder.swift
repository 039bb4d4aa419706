import HTTPTypes
import Hummingbird
import NIOCore

/// Lets in whoever may see the pages, and gives every answer the headers that keep it safe.
struct WebResponder: HTTPResponder {
  typealias Context = BasicRequestContext

  let site: WebSite

  func respond(to request: Request, context: Context) async throws -> Response {
    var answer: WebAnswer
    do {
      answer = try await self.answer(to: request)
    } catch let failure as WebFailure {
      answer = site.page(of: failure, PageRequest.language(of: request))
    } catch let failure as CommandFailure {
      answer = site.page(of: failure, PageRequest.language(of: request))
    } catch {
      answer = site.page(
        of: WebFailure(500, "\(error)"), PageRequest.language(of: request))
    }
    return answer.response(isHead: request.method == .head)
  }

  private func answer(to request: Request) async throws -> WebAnswer {
    // A page of another name that leads here would be of another origin, and read what ours say.
    guard let host = request.head.authority, site.isOwn(host: host) else {
      throw WebFailure(421, .wrongHost)
    }
    let path = request.uri.path.split(separator: "/").map(String.init)
    let isReading = request.method == .get || request.method == .head
    // Not for a mere look at the headers, as programs take that show where a link leads.
    if path.count == 2, path[0] == "open", request.method == .get { return try open(path[1]) }
    guard path.first.map({ WebSession.isSame($0, site.session.base) }) == true else {
      throw WebFailure(404, .unknownPage)
    }
    guard site.session.admits(cookies: request.headers[.cookie]) else {
      throw WebFailure(403, .noAccess)
    }
    if !isReading {
      guard request.method == .post else { throw WebFailure(405, .unknownPage) }
      // Browsers say where a form comes from.
      guard request.headers[.origin] == "http://\(host)" else {
        throw WebFailure(403, .foreignForm)
      }
    }
    return try await site.answer(to: request, at: Array(path.dropFirst()))
  }

  private func open(_ secret: String) throws -> WebAnswer {
    guard let cookie = site.session.open(secret) else { throw WebFailure(403, .usedLink) }
    var answer = WebAnswer.redirect(to: "/\(site.session.base)/")
    answer.headers[.setCookie] = cookie
    return answer
  }
}

/// What a request gets.
struct WebAnswer: Sendable {
  var status: HTTPResponse.Status = .ok
  var headers: HTTPFields = [:]
  var body: ResponseBody

  init(_ bytes: [UInt8], _ type: String, status: Int = 200) {
    self.status = .init(code: status)
    headers[.contentType] = type
    body = ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))
  }

  init(stream body: ResponseBody, _ type: String) {
    headers[.contentType] = type
    self.body = body
  }

  static func redirect(to location: String) -> WebAnswer {
    var answer = WebAnswer([], "text/plain", status: 303)
    answer.headers[.location] = location
    return answer
  }

  /// Everything comes from this page's own address, no script stands in a page, and no other page shows ours in a frame.
  private static let policy = """
    default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
    form-action 'self'; base-uri 'none'; frame-ancestors 'none'
    """

  /// An image has its own styles, and shows nothing else.
  private static let imagePolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

  func response(isHead: Bool) -> Response {
    var headers = headers
    func set(_ name: String, _ value: String) {
      if let name = HTTPField.Name(name) { headers[name] = value }
    }
    let isImage = headers[.contentType]?.hasPrefix("image/") ?? false
    set("Content-Security-Policy", isImage ? Self.imagePolicy : Self.policy)
    set("X-Content-Type-Options", "nosniff")
    set("Cross-Origin-Resource-Policy", "same-origin")
    set("Cross-Origin-Opener-Policy", "same-origin")
    // The path is a secret. With 'no-referrer' browsers would not say where a form comes from either.
    set("Referrer-Policy", "same-origin")
    headers[.cacheControl] = "no-store"
    return Response(status: status, headers: headers, body: isHead ? ResponseBody() : body)
  }
}

/// Why a request gets no page of its own.
struct WebFailure: Error {
  /// What a page says of it, by its name in the words of the pages.
  enum Reason: String, Sendable {
    case wrongHost, unknownPage, noAccess, usedLink, foreignForm, tooLarge, brokenForm, tooLong
  }

  let status: Int
  var reason: Reason?
  /// In the words of the program.
  var message: String?

  init(_ status: Int, _ reason: Reason) { (self.status, self.reason) = (status, reason) }
  init(_ status: Int, _ message: String) { (self.status, self.message) = (status, message) }
}
