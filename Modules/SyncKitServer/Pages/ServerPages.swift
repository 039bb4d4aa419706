import HTTPTypes
import Hummingbird
import NIOCore
import PageTemplates

/// The pages that a person sees who opens the server's address, or the link of an invitation, in a browser.
///
/// They show nothing of any account. The secret of a link never reaches the server: the page's own script reads it
/// from the address, and without a script the page says how to copy it.
struct ServerPages: Sendable {
  let library: PageLibrary

  /// Reads the templates that the program holds.
  init() throws {
    library = try PageLibrary([
      "account": PackageResources.account_mustache, "audit": PackageResources.audit_mustache,
      "entry": PackageResources.entry_mustache, "head": PackageResources.head_mustache,
      "home": PackageResources.home_mustache,
      "invitation": PackageResources.invitation_mustache,
      "invited": PackageResources.invited_mustache, "layout": PackageResources.layout_mustache,
      "message": PackageResources.message_mustache,
      "overview": PackageResources.overview_mustache,
      "removal": PackageResources.removal_mustache,
    ])
  }

  /// What answers each path.
  ///
  /// - Parameter isReady: Whether the server can do its work just now.
  /// - Returns: For each path, what makes the answer to a request.
  func answers(
    isReady: @escaping @Sendable () async -> Bool
  ) -> [String: @Sendable (HTTPRequest) async -> Response] {
    [
      "/": { request in
        let words = PageLanguage(accepting: request.headerFields[.acceptLanguage]).home
        return page("home", HomePage(words, isReady: await isReady()), words.language)
      },
      "/join": { request in
        let words = PageLanguage(accepting: request.headerFields[.acceptLanguage]).join
        return page("invitation", words, words.language)
      },
      "/share": { request in
        let words = PageLanguage(accepting: request.headerFields[.acceptLanguage]).share
        return page("invitation", words, words.language)
      },
      "/pages.css": { _ in Self.file(PackageResources.pages_css, "text/css; charset=utf-8") },
      "/admin.css": { _ in Self.file(PackageResources.admin_css, "text/css; charset=utf-8") },
      "/admin.js": { _ in Self.file(PackageResources.admin_js, "text/javascript; charset=utf-8") },
      "/qr.js": { _ in Self.file(PackageResources.qr_js, "text/javascript; charset=utf-8") },
      "/pages.js": { _ in Self.file(PackageResources.pages_js, "text/javascript; charset=utf-8") },
    ]
  }

  private func page(_ name: String, _ words: some Sendable, _ language: String) -> Response {
    var response = Self.file(library.page(name, words), "text/html; charset=utf-8")
    response.headers[.contentLanguage] = language
    response.headers[.vary] = "Accept-Language"
    response.headers[.contentSecurityPolicy] = Self.policy
    // The address of the page holds a secret.
    if let name = HTTPField.Name("Referrer-Policy") { response.headers[name] = "no-referrer" }
    return response
  }

  /// Everything comes from this server, no script stands in a page, and no other page shows ours in a frame.
  private static let policy = """
    default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; base-uri 'none'; \
    form-action 'none'; frame-ancestors 'none'
    """

  private static func file(_ bytes: [UInt8], _ type: String) -> Response {
    Response(
      status: .ok, headers: [.contentType: type],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
  }
}

/// The page of the server's own address: its words, and how the server is.
private struct HomePage {
  let language: String
  let title: String
  let lead: String
  let invited: String
  let state: String
  let mark: String

  init(_ words: HomeWords, isReady: Bool) {
    (language, title) = (words.language, words.title)
    (lead, invited) = (words.lead, words.invited)
    state = isReady ? words.isWell : words.isAiling
    mark = isReady ? "good" : "bad"
  }
}
