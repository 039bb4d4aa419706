import HTTPTypes
import SyncKit
import SyncKitFormats
import SyncKitTesting
import SyncWire
import Testing

@testable import SyncKitServer

/// Who gets to the pages of administration.
struct AdminDoorTests {
  /// Runs a server with the pages, and an API on the same storage.
  private func serve(
    _ settings: ServerSettings = ShellServer.settings(),
    _ body: @Sendable (ShellServer, TestServer) async throws -> Void
  ) async throws {
    try await TestServer.run { server in
      try await ShellServer.run(settings, administration: server.administration) { shell in
        try await body(shell, server)
      }
    }
  }

  @Test func `a code lets one browser in, once`() async throws {
    try await serve { shell, server in
      let code = try await server.administration.makeAdminCode().code
      var browser = HostBrowser(shell.port)
      let page = try await browser.get("/admin/open")
      #expect(page.status == 200 && page.body.contains("name=\"code\""))
      #expect(page.text.contains("script-src 'self'"))
      let opened = try await browser.open(code)
      #expect(opened.status == 303 && opened.field("Location") == "../admin")
      let cookie = opened.field("Set-Cookie") ?? ""
      #expect(cookie.hasPrefix("cloudsync-admin="))
      #expect(cookie.hasSuffix("; HttpOnly; SameSite=Strict"), "\(cookie)")
      browser.cookie = opened.cookie
      let overview = try await browser.get("/admin")
      #expect(overview.status == 200 && overview.body.contains("<h1>Overview</h1>"))
      #expect(overview.field("Cache-Control") == "no-store")
      #expect(overview.field("Referrer-Policy") == "same-origin")
      #expect(overview.field("X-Content-Type-Options") == "nosniff")
      #expect(overview.field("Content-Security-Policy")?.contains("script-src") == false)

      let again = try await HostBrowser(shell.port).open(code)
      #expect(again.status == 403 && again.cookie == nil)
      #expect(again.body.contains("role=\"alert\""))
      for line in shell.lines.all { #expect(!line.contains(code), "\(line)") }
    }
  }

  @Test func `a code is typed in small letters and without strokes, too`() async throws {
    try await serve { shell, server in
      let code = try await server.administration.makeAdminCode().code
      let typed = code.lowercased().replacing("-", with: " ")
      #expect(try await HostBrowser(shell.port).open(typed).status == 303)
    }
  }

  @Test func `a code ends after ten minutes, and with the next one`() async throws {
    try await serve { shell, server in
      let browser = HostBrowser(shell.port)
      let first = try await server.administration.makeAdminCode().code
      server.clock.advance(by: 600_000)
      #expect(try await browser.open(first).status == 403)
      let second = try await server.administration.makeAdminCode().code
      let third = try await server.administration.makeAdminCode().code
      #expect(try await browser.open(second).status == 403)
      server.clock.advance(by: 599_000)
      #expect(try await browser.open(third).status == 303)
    }
  }

  @Test func `an address that guesses has to wait`() async throws {
    try await serve { shell, server in
      let code = try await server.administration.makeAdminCode().code
      let browser = HostBrowser(shell.port)
      for wrong in ["", "x", "AAAA-BBBB-CCCC-DDDD", "AAAABBBB", "<script>"] {
        #expect(try await browser.open(wrong).status == 403, "\(wrong)")
      }
      let late = try await browser.open(code)
      #expect(late.status == 429 && late.field("Retry-After") != nil)
      server.clock.advance(by: 60_000)
      #expect(try await browser.open(code).status == 303)
    }
  }

  @Test func `an address that guesses cookies has to wait`() async throws {
    try await serve { shell, server in
      var browser = HostBrowser(shell.port)
      browser.cookie = "cloudsync-admin=\(AdminSecret(from: server.environment).text)"
      for _ in 0..<100 { #expect(try await browser.get("/admin").status == 404) }
      let late = try await browser.get("/admin")
      #expect(late.status == 429)
      // One that has none is not counted.
      #expect(try await HostBrowser(shell.port).get("/admin").status == 404)
    }
  }

  @Test func `a session ends without use, after eight hours, and when it is signed out`()
    async throws
  {
    try await serve { shell, server in
      let administration = server.administration
      let idle = try await HostBrowser.signedIn(shell.port, administration)
      server.clock.advance(by: 29 * 60_000)
      #expect(try await idle.get("/admin").status == 200)
      server.clock.advance(by: 29 * 60_000)
      #expect(try await idle.get("/admin").status == 200)
      server.clock.advance(by: 30 * 60_000)
      #expect(try await idle.get("/admin").status == 404)

      let long = try await HostBrowser.signedIn(shell.port, administration)
      for _ in 0..<23 {
        server.clock.advance(by: 20 * 60_000)
        #expect(try await long.get("/admin/audit").status == 200)
      }
      server.clock.advance(by: 20 * 60_000)
      #expect(try await long.get("/admin").status == 404)

      let left = try await HostBrowser.signedIn(shell.port, administration)
      let other = try await HostBrowser.signedIn(shell.port, administration)
      let out = try await left.post("/admin/sign-out")
      #expect(out.status == 303 && out.field("Set-Cookie")?.contains("Max-Age=0") == true)
      #expect(try await left.get("/admin").status == 404)
      #expect(try await other.get("/admin").status == 200)
      let code = try await administration.makeAdminCode().code
      #expect(try await administration.endAdminSessions() == 1)
      #expect(try await other.get("/admin").status == 404)
      #expect(try await HostBrowser(shell.port).open(code).status == 403)
      let actions = try await administration.notes(limit: 4).map(\.action)
      #expect(actions == ["admin.revoke", "admin.link", "admin.sign-out", "admin.open"])
    }
  }

  @Test func `whoever is not in sees the same page everywhere`() async throws {
    try await serve { shell, server in
      let ada = try await server.person("Ada")
      let browser = HostBrowser(shell.port)
      let first = try await browser.get("/admin/audit")
      #expect(first.status == 404 && first.body.contains("cloudsync server admin"))
      for route in AdminSite.routes {
        let path = route.path.replacing("{account}", with: ada.account.id)
        let answer =
          route.method == .get
          ? try await browser.get(path)
          : try await browser.post(path, [("name", "Ada")], origin: [browser.origin], token: "x")
        #expect(answer.status == 404, "\(route.method) \(path)")
        #expect(answer.body.replacing("../", with: "") == first.body.replacing("../", with: ""))
      }
      for path in [
        "/admin/nothing", "/admin//", "/admin/%2e%2e/x", "/admin/accounts/", "/admin/?a=b",
        "/admin/accounts/\(String(repeating: "/", count: 500))", "/admin/accounts/none",
      ] {
        #expect(try await browser.get(path).status == 404, "\(path)")
      }
      #expect(try await !browser.get("/administration").body.contains("server admin"))
      #expect(try await server.administration.accounts().map(\.account.name) == ["Ada"])
    }
  }

  @Test func `a form from elsewhere does nothing`() async throws {
    try await serve { shell, server in
      let ada = try await server.person("Ada")
      let browser = try await HostBrowser.signedIn(shell.port, server.administration)
      let other = try await HostBrowser.signedIn(shell.port, server.administration)
      let (own, token) = (browser.origin, try await browser.token())
      let foreign = try await other.token()
      var crossSite = browser
      crossSite.fields = ["Sec-Fetch-Site: same-site"]
      for route in AdminSite.routes where route.method == .post {
        let path = route.path.replacing("{account}", with: ada.account.id)
        func status(
          _ origin: [String], _ token: String?, _ browser: HostBrowser = browser
        ) async throws -> Int {
          try await browser.post(path, [("name", "Ada")], origin: origin, token: token).status
        }
        for origin in [
          [], ["null"], ["http://evil.example"], ["https://localhost:\(shell.port)"],
          ["http://localhost"], ["http://localhost:\(shell.port + 1)"], [own, own],
          ["http://127.0.0.1:\(shell.port)"],
        ] {
          #expect(try await status(origin, token) == 403, "\(path) from \(origin)")
        }
        #expect(try await status([own], nil) == 403, "\(path) without a token")
        #expect(try await status([own], "") == 403, "\(path) with an empty token")
        #expect(try await status([own], foreign) == 403, "\(path), other's token")
        #expect(try await status([own], token, crossSite) == 403, "\(path), another site")
      }
      // What changes something is not done by following a link.
      for path in ["invite", "lock", "quota", "end"] {
        #expect(try await browser.get("/admin/accounts/\(ada.account.id)/\(path)").status == 405)
      }
      #expect(try await browser.get("/admin/sign-out").status == 405)
      let json = try await RawClient.exchange(
        "POST /admin/accounts/\(ada.account.id)/lock HTTP/1.1\r\nHost: \(browser.host)\r\n"
          + "Cookie: \(browser.cookie ?? "")\r\nOrigin: \(own)\r\nContent-Type: text/plain\r\n"
          + "Content-Length: \(token.utf8.count + 6)\r\nConnection: close\r\n\r\ntoken=\(token)",
        port: shell.port)
      #expect(json.status == 403)
      let large = try await browser.post(
        "/admin/invite", [("name", String(repeating: "a", count: 20_000))], origin: [own],
        token: token)
      #expect(large.status == 413)
      #expect(try await server.administration.accounts().first?.locked == nil)
      #expect(try await server.administration.accounts().count == 1)
      #expect(try await server.administration.invitations().isEmpty)
      #expect(try await browser.get("/admin").status == 200)
    }
  }

  @Test func `a code is taken from a page of this server only`() async throws {
    try await serve { shell, server in
      let code = try await server.administration.makeAdminCode().code
      let browser = HostBrowser(shell.port)
      for origin in ["null", "http://evil.example", "http://localhost:1"] {
        let answer = try await browser.open(code, origin: origin)
        #expect(answer.status == 403 && answer.cookie == nil, "\(origin)")
      }
      #expect(try await browser.open(code).status == 303)
    }
  }

  @Test func `a session is valid at the origin where it began`() async throws {
    try await serve { shell, server in
      var browser = try await HostBrowser.signedIn(shell.port, server.administration)
      browser.host = "127.0.0.1:\(shell.port)"
      #expect(try await browser.get("/admin").status == 404)
      browser.host = "localhost:1"
      #expect(try await browser.get("/admin").status == 404)
    }
  }

  @Test func `behind a proxy that encrypts the cookie travels encrypted only`() async throws {
    let settings = ShellServer.settings { $0.proxy = .everybody }
    try await serve(settings) { shell, server in
      var browser = HostBrowser(shell.port)
      browser.host = "sync.example.org"
      browser.fields = ["X-Forwarded-For: 192.0.2.7"]
      let code = try await server.administration.makeAdminCode().code
      #expect(try await browser.open(code, origin: "http://sync.example.org").status == 403)
      let opened = try await browser.open(code, origin: "https://sync.example.org")
      #expect(opened.status == 303)
      #expect(opened.field("Set-Cookie")?.hasSuffix("; HttpOnly; SameSite=Strict; Secure") == true)
      browser.cookie = opened.cookie
      #expect(try await browser.get("/admin").status == 200)
      let note = try await server.administration.notes(limit: 1).first
      #expect(note?.action == "admin.open" && note?.address == "192.0.2.7")
    }
  }

  @Test(
    arguments: [
      ("sync.example.org", false, false, nil, [], "http://sync.example.org", true),
      ("sync.example.org", false, false, nil, [], "https://sync.example.org", false),
      ("SYNC.example.org:80", false, false, nil, [], "http://sync.example.org", true),
      ("[::1]:8765", false, false, nil, [], "http://[::1]:8765", true),
      ("sync.example.org:8443", true, false, nil, [], "https://sync.example.org:8443", true),
      ("sync.example.org", true, false, nil, [], "http://sync.example.org", false),
      // The word of a proxy counts only where one is trusted.
      (
        "a", false, false, nil, ["X-Forwarded-Host: b", "X-Forwarded-Proto: https"], "https://b",
        false
      ),
      ("a", false, true, nil, ["X-Forwarded-Host: b"], "https://b", true),
      ("a", false, true, nil, ["X-Forwarded-Host: evil, b"], "https://evil", false),
      ("a", false, true, nil, ["X-Forwarded-Proto: http"], "http://a", true),
      ("a", false, true, nil, ["X-Forwarded-Proto: http"], "https://a", false),
      ("a", false, true, nil, [], "http://a", false),
      // A tunnel to this machine goes round the proxy.
      ("localhost:8765", false, true, nil, [], "http://localhost:8765", true),
      // A proxy that names another host, and a port that it leaves out.
      ("127.0.0.1:8765", false, true, "https://a.example/below", [], "https://a.example", true),
      ("a.example", false, true, "https://a.example:8443", [], "https://a.example:8443", true),
      ("a", false, false, "https://user@a.example", [], "https://a.example", false),
      ("a", false, false, nil, [], "null", false), ("a", false, false, nil, [], "", false),
    ] as [(String, Bool, Bool, String?, [String], String, Bool)])
  func `an origin is the server's own by host, scheme and port`(
    host: String, isEncrypted: Bool, isBehindProxy: Bool, url: String?, fields: [String],
    origin: String, isOwn: Bool
  ) throws {
    var request = HTTPRequest(method: .post, scheme: nil, authority: host, path: "/admin/open")
    for field in fields {
      let parts = field.split(separator: ": ").map(String.init)
      request.headerFields.append(
        HTTPField(name: try #require(HTTPField.Name(parts[0])), value: parts[1]))
    }
    let origins = OwnOrigins(isEncrypted: isEncrypted, url: url)
    #expect(origins.all(for: request, isBehindProxy: isBehindProxy).contains(origin) == isOwn)
  }

  @Test(TestDatabase.onlyInFolder)
  func `the storage has no secret, and a backup that is put back lets no browser in`()
    async throws
  {
    try await TestServer.run { server in
      let administration = server.administration
      let first = try await administration.makeAdminCode().code
      let opened = try await administration.openPages(first, from: "http://a")
      let secret = try #require(opened)
      let code = try await administration.makeAdminCode().code
      #expect(try await administration.adminSession(secret)?.origin == "http://a")
      let copy = "\(server.folder)/copy.sqlite"
      try await administration.backup(to: copy)
      #expect(try await administration.lastBackup() == server.clock.now)
      let bytes = try readFile(copy)
      for text in [secret.text, secret.formToken, code, code.replacing("-", with: "")] {
        #expect(!bytes.contains(Array(text.utf8)), "\(text)")
      }
      try await administration.shut(tokensToo: false, invitations: false)
      #expect(try await administration.adminSession(secret) == nil)
      #expect(try await administration.openPages(code, from: "http://a") == nil)
    }
  }
}
