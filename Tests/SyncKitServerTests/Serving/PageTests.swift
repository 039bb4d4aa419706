import PageTemplates
import Testing

@testable import SyncKitServer

/// What a browser shows of a server.
///
/// `Tools/validate-pages` looks at the pages in a real one.
struct PageTests {
  private func get(
    _ path: String, _ port: Int, accepting languages: String? = nil, method: String = "GET"
  ) async throws -> RawClient.Reading {
    let field = languages.map { "Accept-Language: \($0)\r\n" } ?? ""
    return try await RawClient.exchange(
      "\(method) \(path) HTTP/1.1\r\nHost: localhost\r\n\(field)Connection: close\r\n\r\n",
      port: port)
  }

  @Test(arguments: ["/", "/join", "/share"])
  func `a page takes nothing from elsewhere and cannot be framed`(path: String) async throws {
    try await ShellServer.run { server in
      let page = try await get(path, server.port)
      #expect(page.status == 200)
      #expect(page.text.contains("\r\nContent-Type: text/html; charset=utf-8\r\n"))
      #expect(page.text.contains("\r\nContent-Security-Policy: default-src 'none'; "))
      #expect(page.text.contains("frame-ancestors 'none'"))
      #expect(page.text.contains("\r\nReferrer-Policy: no-referrer\r\n"))
      #expect(page.text.contains("\r\nX-Content-Type-Options: nosniff\r\n"))
      #expect(page.text.contains("\r\nCache-Control: no-store\r\n"))
      // Every place that is named lies beside the page, so that a proxy may put all of it below a path.
      let places = page.body.split(separator: "=\"").dropFirst()
        .compactMap { $0.split(separator: "\"", omittingEmptySubsequences: false).first }
      #expect(places.contains("pages.css"))
      #expect(!places.contains { $0.contains("//") || $0.hasPrefix("/") }, "\(places)")
      #expect(!page.body.contains("{{"), "\(page.body)")
      let head = try await get(path, server.port, method: "HEAD")
      #expect(head.status == 200 && head.body.isEmpty)
      let post = try await get(path, server.port, method: "POST")
      #expect(post.status == 405)
    }
  }

  @Test func `what a page needs is there`() async throws {
    try await ShellServer.run { server in
      let style = try await get("/pages.css", server.port)
      #expect(style.status == 200)
      #expect(style.text.contains("\r\nContent-Type: text/css; charset=utf-8\r\n"))
      #expect(!style.body.contains("url(") && !style.body.contains("@import"))
      for path in ["/pages.js", "/qr.js"] {
        let script = try await get(path, server.port)
        #expect(script.status == 200)
        #expect(script.text.contains("\r\nContent-Type: text/javascript; charset=utf-8\r\n"))
      }
    }
  }

  @Test func `a page is in the language that the browser prefers`() async throws {
    try await ShellServer.run { server in
      let german = try await get("/join", server.port, accepting: "fr, de-AT;q=0.8, en;q=0.5")
      #expect(german.body.contains("<html lang=\"de\">"))
      #expect(german.body.contains("Ein Gerät aufnehmen"))
      #expect(german.text.contains("\r\nContent-Language: de\r\n"))
      let english = try await get("/join", server.port, accepting: "en-GB, de;q=0.9")
      #expect(english.body.contains("<html lang=\"en\">"))
      #expect(english.body.contains("cloudsync init --join &#39;LINK&#39;") == false)
      #expect(english.body.contains("cloudsync init --join 'LINK'"))
    }
  }

  @Test(
    arguments: [
      (nil, "en"), ("", "en"), ("de", "de"), ("DE-ch", "de"), ("fr", "en"), ("de;q=0", "en"),
      ("en;q=0.3,de;q=0.7", "de"), ("*", "en"), ("de;q=x", "en"), (";;,,;q=1", "en"),
      ("de ; Q=0.9 , en;q=0.2", "de"),
    ] as [(String?, String)])
  func `a language is found in what a browser accepts`(field: String?, language: String) {
    #expect(PageLanguage(accepting: field).rawValue == language)
  }

  @Test func `the first page says how the server is`() async throws {
    try await ShellServer.run { server in
      let page = try await get("/", server.port)
      #expect(page.body.contains("class=\"good\"") && page.body.contains("can store data"))
    }
    try await ShellServer.run(canWrite: false) { server in
      let page = try await get("/", server.port)
      #expect(page.status == 200)
      #expect(page.body.contains("class=\"bad\"") && page.body.contains("cannot store data"))
    }
  }
}
