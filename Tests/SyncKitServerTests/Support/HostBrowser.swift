import SyncKitFormats
import SyncWire

@testable import SyncKitServer

/// A browser of the host at the pages of administration of a server.
struct HostBrowser: Sendable {
  let port: Int
  /// The host and port that it names.
  var host: String
  /// The cookie that it has; nil before it is let in.
  var cookie: String?
  /// The fields that it sends besides.
  var fields: [String] = []

  init(_ port: Int) {
    self.port = port
    host = "localhost:\(port)"
  }

  /// Its own origin, by which a page of the server comes.
  var origin: String { "http://\(host)" }

  /// Lets itself in with a new code.
  static func signedIn(_ port: Int, _ administration: ServerAdministration) async throws -> Self {
    var browser = HostBrowser(port)
    let answer = try await browser.open(try await administration.makeAdminCode().code)
    browser.cookie = answer.cookie
    return browser
  }

  func open(_ code: String, origin: String? = nil) async throws -> RawClient.Reading {
    try await post("/admin/open", [("code", code)], origin: [origin ?? self.origin], token: nil)
  }

  func get(_ path: String, language: String = "en") async throws -> RawClient.Reading {
    try await send("GET \(path)", ["Accept-Language: \(language)"], body: "")
  }

  /// Sends a form as a page of the server does, with its token.
  func post(
    _ path: String, _ values: [(String, String)] = []
  ) async throws -> RawClient.Reading {
    try await post(path, values, origin: [origin], token: try await token())
  }

  func post(
    _ path: String, _ values: [(String, String)], origin: [String], token: String?
  ) async throws -> RawClient.Reading {
    let all = values + (token.map { [("token", $0)] } ?? [])
    let body = all.map { "\($0)=\(PercentEncoding.encode($1))" }.joined(separator: "&")
    return try await send(
      "POST \(path)",
      origin.map { "Origin: \($0)" } + ["Content-Type: application/x-www-form-urlencoded"],
      body: body)
  }

  /// The token that the pages of its session have in their forms.
  func token() async throws -> String {
    try await get("/admin").body.between("name=\"token\" value=\"", "\"") ?? ""
  }

  private func send(
    _ request: String, _ more: [String], body: String
  ) async throws -> RawClient.Reading {
    var lines = ["\(request) HTTP/1.1", "Host: \(host)", "Connection: close"] + more + fields
    if let cookie { lines.append("Cookie: other=1; \(cookie)") }
    if !body.isEmpty { lines.append("Content-Length: \(body.utf8.count)") }
    return try await RawClient.exchange(
      lines.joined(separator: "\r\n") + "\r\n\r\n" + body, port: port)
  }
}

extension RawClient.Reading {
  /// A field of the head of the answer.
  func field(_ name: String) -> String? { text.between("\r\n\(name): ", "\r\n") }

  /// The cookie that it sets, without its conditions.
  var cookie: String? { field("Set-Cookie")?.split(separator: ";").first.map(String.init) }
}

extension String {
  /// What stands between two texts for the first time.
  func between(_ start: String, _ end: String) -> String? {
    guard let from = firstRange(of: start)?.upperBound,
      let to = self[from...].firstRange(of: end)?.lowerBound
    else { return nil }
    return String(self[from..<to])
  }
}
