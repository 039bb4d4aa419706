import PageTemplates
import SQLiteFile
import SyncKit
import SyncKitFormats
import SyncKitTesting
import SyncWire
import Testing

@testable import SyncKitServer

/// What the host sees and does at the pages of administration.
struct AdminPageTests {
  /// Runs a server with the pages and a browser that is in, and an API on the same storage.
  private func serve(
    _ body: @Sendable (HostBrowser, TestServer) async throws -> Void
  ) async throws {
    try await TestServer.run { server in
      try await ShellServer.run(administration: server.administration) { shell in
        try await body(try await .signedIn(shell.port, server.administration), server)
      }
    }
  }

  /// Names that a template might show without escaping them; the last ones have an accent behind what would end an
  /// attribute or begin a tag.
  private static let hostile = [
    "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "'><svg/onload=alert(1)>",
    "{{root}}{{{token}}}", "</title><h1>pwned</h1>", "<\u{301}script>alert(1)</script>",
    "\"\u{301} onfocus=\"alert(1)\" autofocus x=\"", "../../admin", "--help", "a=b&c=d%00",
    "{0}{1}",
  ]

  @Test(arguments: hostile)
  func `hostile names are shown as text on every page`(name: String) async throws {
    try await serve { browser, server in
      let invited = try await browser.post("/admin/invite", [("name", name)])
      #expect(invited.status == 200)
      let code = try #require(invited.body.between("/join#", "<"))
      let account = try #require(try await server.administration.account(name))
      let joined = try await server.join(code, "phone")
      _ = try await server.ask("PATCH", "/v1/devices/phone", joined.token, ["name": .string(name)])
      _ = try await server.ask(
        "POST", "/v1/tokens", joined.token, ["name": .string(name), "scope": "read"])
      let place = "/admin/accounts/\(account.id)"
      var pages = [invited.body]
      for path in ["/admin", "/admin/audit", place, "\(place)/audit", "\(place)/remove"] {
        let page = try await browser.get(path)
        #expect(page.status == 200, "\(path)")
        pages.append(page.body)
      }
      pages.append(try await browser.post("\(place)/remove", [("name", "x")]).body)
      for page in pages {
        // No tag of the name came through: every one is of a template.
        #expect(!page.contains("<script>") && !page.contains("<svg") && !page.contains("<h1>pwned"))
        #expect(!Array(page.utf8).contains(Array("<\u{301}".utf8)))
        #expect(!page.contains("onerror=alert(1)>") && !page.contains("onfocus=\"alert"))
        #expect(page.contains("</main>") && !page.contains("style="))
      }
      #expect(pages[1].contains("accounts/\(account.id)"))
    }
  }

  @Test func `an invited device gets in, and the code is shown once`() async throws {
    try await serve { browser, server in
      let page = try await browser.post("/admin/invite", [("name", "Anna")])
      #expect(page.status == 200 && page.body.contains("The account was created."))
      let link = try #require(page.body.between("<code>", "</code>"))
      #expect(link.hasPrefix("\(browser.origin)/join#"))
      #expect(page.body.contains("cloudsync init --join &#39;\(link)&#39;"))
      let code = try #require(link.split(separator: "#").last)
      let id = try #require(try await server.administration.account("anna")).id
      let account = try await browser.get("/admin/accounts/\(id)")
      #expect(account.body.contains("Link for a device") && !account.body.contains(code))
      let anna = try await server.join(String(code), "phone")
      #expect(anna.account.id == id)
      let after = try await browser.get("/admin/accounts/\(id)", language: "de")
      #expect(after.body.contains("A device") && after.body.contains("Gerät aufgenommen"))

      let again = try await browser.post("/admin/invite", [("name", "ANNA")])
      #expect(again.body.contains("The account exists"))
      let open = try #require(try await server.administration.invitations().first)
      let ended = try await browser.post("/admin/accounts/\(id)/end", [("id", open.id)])
      #expect(ended.field("Location") == "../\(id)?done=ended")
      #expect(try await server.administration.invitations().isEmpty)
      let bad = try await browser.post("/admin/invite", [("name", "a\u{202E}b")])
      #expect(bad.status == 422 && bad.body.contains("role=\"alert\""))
      for _ in 0..<20 { _ = try await browser.post("/admin/accounts/\(id)/invite") }
      let full = try await browser.post("/admin/accounts/\(id)/invite")
      #expect(full.status == 422 && full.body.contains("as many open links"))
    }
  }

  @Test func `many accounts are on several pages, each on one`() async throws {
    try await serve { browser, server in
      for number in 0..<450 {
        _ = try await server.administration.makeAccount("person \(number)")
      }
      var (path, found, pages) = ("/admin", [String](), 0)
      while true {
        let page = try await browser.get(path).body
        #expect(page.contains("450 accounts"))
        #expect(page.contains("First accounts") == (pages > 0))
        found += page.split(separator: "<bdi>person ").dropFirst().map {
          String($0.prefix { $0 != "<" })
        }
        pages += 1
        guard let next = page.between("admin?after=", "\"") else { break }
        path = "/admin?after=\(next)"
      }
      #expect(pages == 3)
      #expect(found.count == 450 && Set(found).count == 450)
    }
  }

  @Test func `a locked account is refused afterwards, and let in again`() async throws {
    try await serve { browser, server in
      let ada = try await server.person("Ada")
      let place = "/admin/accounts/\(ada.account.id)"
      let locked = try await browser.post("\(place)/lock")
      #expect(
        locked.status == 303 && locked.field("Location") == "../\(ada.account.id)?done=locked")
      let refused = try await server.get("/v1/account", ada.token)
      #expect(refused.status == 403 && refused.error == "locked")
      let page = try await browser.get("\(place)?done=locked")
      #expect(page.body.contains("The account is locked.") && page.body.contains("/unlock\""))
      #expect(try await browser.get("/admin").body.contains("locked</span>"))
      let invited = try await browser.post("\(place)/invite")
      #expect(invited.body.contains("The account is locked."))
      #expect(try await browser.post("\(place)/unlock").status == 303)
      #expect(try await server.get("/v1/account", ada.token).status == 200)
      let notes = try await server.administration.notes(limit: 3)
      #expect(notes.map(\.action) == ["account.unlock", "account.invite", "account.lock"])
      #expect(notes.allSatisfy { $0.address == "127.0.0.1" && $0.account == ada.account })
      // The person is not told where the host is.
      let own = try await server.ask("GET", "/v1/audit", ada.token)
      #expect(own["entries"]?[0]?["address"]?.string == "local")
    }
  }

  @Test func `an account is removed only by its name`() async throws {
    try await serve { browser, server in
      let (ada, bob) = (try await server.person("Ada L."), try await server.person("Bob"))
      let place = "/admin/accounts/\(ada.account.id)"
      let page = try await browser.get("\(place)/remove")
      #expect(page.body.contains("what the account stores") && page.body.contains("1 device"))
      #expect(page.body.contains("server account export &#39;Ada L.&#39; FOLDER"))
      for wrong in ["", "Bob", "Ada", ada.account.id] {
        let answer = try await browser.post("\(place)/remove", [("name", wrong)])
        #expect(answer.status == 422 && answer.body.contains("nothing was removed"), "\(wrong)")
      }
      #expect(try await server.get("/v1/account", ada.token).status == 200)
      let removed = try await browser.post("\(place)/remove", [("name", "ada  l.")])
      #expect(removed.field("Location") == "../../../admin?done=removed")
      #expect(try await server.get("/v1/account", ada.token).status == 401)
      #expect(try await server.get("/v1/account", bob.token).status == 200)
      #expect(try await browser.get(place).status == 404)
      #expect(try await browser.post("\(place)/lock").status == 404)
      let audit = try await browser.get("/admin/audit")
      #expect(audit.body.contains("account removed") && audit.body.contains("<bdi>Ada L.</bdi>"))
      #expect(!audit.body.contains("accounts/\(ada.account.id)"))
    }
  }

  @Test func `a quota is set and holds`() async throws {
    try await serve { browser, server in
      let ada = try await server.person("Ada")
      let place = "/admin/accounts/\(ada.account.id)"
      let set = try await browser.post(
        "\(place)/quota",
        [("bytes", "1,5"), ("unit", "GB"), ("records", "1000"), ("devices", "1")])
      #expect(set.status == 303)
      let account = try #require(try await server.administration.accounts().first)
      #expect(account.maximumBytes == 1_500_000_000 && account.maximumRecords == 1_000)
      #expect(account.maximumDevices == 1)
      let page = try await browser.get(place)
      #expect(page.body.contains("name=\"bytes\"") && page.body.contains("value=\"1500\""))
      #expect(page.body.contains("<option value=\"MB\" selected>"))
      let code = try await server.administration.invite(to: ada.account.id)
      let request = JoinRequest(code: code.code, device: WireName(id: "second", name: "Second"))
      #expect(try await server.send("POST", "/v1/join", json: request.json).status == 507)
      let bad = try await browser.post("\(place)/quota", [("bytes", "much"), ("unit", "GB")])
      #expect(bad.status == 422 && bad.body.contains("value=\"much\""))
      #expect(try await browser.post("\(place)/quota", [("unit", "GB")]).status == 303)
      #expect(try await server.administration.accounts().first?.maximumBytes == nil)
    }
  }

  @Test(
    arguments: [
      ("10", "GB", 10_000_000_000), ("1.5", "MB", 1_500_000), ("1,234", "TB", 1_234_000_000_000),
      ("0", "B", 0), ("7", "B", 7), ("10 000", "B", 10_000), ("1.5", "B", nil), ("-1", "GB", nil),
      ("1.2345", "GB", nil), ("1e9", "B", nil), (".5", "GB", nil), ("5.", "GB", nil),
      ("999999999999999999", "TB", nil), ("9999999999999999999", "B", nil), ("1", "PB", nil),
      ("\u{661}", "B", nil),
    ] as [(String, String, Int64?)])
  func `a quota is a number in digits`(text: String, unit: String, bytes: Int64?) {
    let form = QuotaForm(
      FormValues("bytes=\(text.replacing(" ", with: "+"))&unit=\(unit)&records=&devices="))
    #expect(form.limits(mostDevices: 100)?.bytes == bytes)
    #expect((form.limits(mostDevices: 100) == nil) == (bytes == nil))
  }

  @Test func `no more devices than the server allows`() {
    #expect(QuotaForm(FormValues("unit=B&devices=101")).limits(mostDevices: 100) == nil)
    #expect(QuotaForm(FormValues("unit=B&devices=100")).limits(mostDevices: 100)?.devices == 100)
  }

  @Test func `of an encrypted vault no name is shown that means nothing`() async throws {
    try await serve { browser, server in
      let (ada, bob) = (try await server.person("Ada"), try await server.person("Bob"))
      let pseudonym = Base32.encode([UInt8](repeating: 7, count: 16))
      let vault = "0123abcd-4567-8901-a345-6789abcdef01"
      _ = try await server.send("PUT", "/v1/vault/\(vault)", token: ada.token)
      for (person, domain) in [(ada, pseudonym), (bob, "settings")] {
        var segments = TestSegments()
        segments.domain = domain
        _ = try await server.push([try segments.segment(1, count: 3)], person.token, domain: domain)
      }
      let encrypted = try await server.administration.details(of: ada.account.id)
      #expect(encrypted.isEncrypted && encrypted.holdings.map(\.domain) == [nil])
      let page = try await browser.get("/admin/accounts/\(ada.account.id)")
      #expect(page.body.contains("Encrypted part 1") && page.body.contains("has no key"))
      #expect(!page.body.contains(pseudonym) && !page.body.contains(vault))
      let plain = try await browser.get("/admin/accounts/\(bob.account.id)")
      #expect(plain.body.contains(">settings<") && !plain.body.contains("has no key"))
    }
  }

  @Test func `the audits come in pages`() async throws {
    try await serve { browser, server in
      let ada = try await server.person("Ada")
      for _ in 0..<60 {
        try await server.administration.setLocked(true, ada.account.id)
        try await server.administration.setLocked(false, ada.account.id)
      }
      for place in ["/admin/audit", "/admin/accounts/\(ada.account.id)/audit"] {
        var (path, lines, pages) = (place, 0, 0)
        while true {
          let page = try await browser.get(path)
          #expect(page.status == 200)
          lines += page.body.split(separator: "<th scope=\"row\">").count - 1
          pages += 1
          guard let older = page.body.between("<a href=\"?before=", "\"") else { break }
          path = "\(place)?before=\(older)"
        }
        #expect(pages == 3 && lines >= 121 && lines < 150, "\(place): \(pages), \(lines)")
      }
      for wrong in ["x", "-1", "99999999999999999999", ""] {
        #expect(try await browser.get("/admin/audit?before=\(wrong)").status == 200)
      }
    }
  }

  @Test(TestDatabase.onlyInFolder)
  func `the overview says how the server is`() async throws {
    try await TestServer.run { server in
      _ = try await server.person("Ada")
      let administration = server.administration
      try await ShellServer.run(free: 1 << 20, administration: administration) { shell in
        let browser = try await HostBrowser.signedIn(shell.port, administration)
        let page = try await browser.get("/admin")
        #expect(page.body.contains("<span class=\"bad\">cannot store data"))
        #expect(page.body.contains("<span class=\"bad\">never</span>"))
        #expect(page.body.contains("1 account"))
        try await administration.backup(to: "\(server.folder)/copy.sqlite")
        #expect(try await browser.get("/admin").body.contains("<span class=\"good\">just now"))
        _ = try await RawClient.exchange("BROKEN\r\n\r\n", port: shell.port)
        for name in ["requests", "connections", "refusals"] {
          let image = try await browser.get("/admin/\(name).svg", language: "de")
          #expect(image.status == 200 && image.body.hasPrefix("<svg "))
          #expect(image.field("Content-Type")?.hasPrefix("image/svg+xml") == true)
          #expect(image.field("Content-Security-Policy")?.contains("sandbox") == true)
          #expect(try await HostBrowser(shell.port).get("/admin/\(name).svg").status == 404)
        }
        let after = try await browser.get("/admin", language: "de")
        #expect(after.body.contains("kein gültiges HTTP: 1"))
      }
    }
  }

  @Test func `every word is there in both languages with the same values`() throws {
    let (english, german) = (AdminWords.english, AdminWords.german)
    #expect(Set(english.keys) == Set(german.keys))
    for (name, word) in english {
      for value in ["{0}", "{1}"] {
        #expect(word.contains(value) == (german[name] ?? "").contains(value), "\(name)")
      }
      #expect(!word.contains("  ") && !(german[name] ?? "").contains("  "), "\(name)")
    }
    for reason in AdminFailure.Reason.allCases {
      #expect(english["failure.\(reason.rawValue)"] != nil, "\(reason)")
    }
    let words = Wording(.german, german).all
    for template in [
      PackageResources.account_mustache, PackageResources.audit_mustache,
      PackageResources.entry_mustache, PackageResources.invited_mustache,
      PackageResources.layout_mustache, PackageResources.message_mustache,
      PackageResources.overview_mustache, PackageResources.removal_mustache,
    ] {
      let text = String(decoding: template, as: UTF8.self)
      #expect(!text.contains("{{{") && !text.contains("style=") && !text.contains("onclick"))
      for part in text.split(separator: "{{t.").dropFirst() {
        let name = String(part.prefix { $0 != "}" })
        #expect(words[name] != nil, "\(name)")
      }
    }
  }

  @Test func `numbers are said as people write them`() {
    let (english, german) = (Wording(.english, [:]), Wording(.german, [:]))
    #expect(english.bytes(0) == "0\u{A0}bytes" && english.bytes(1) == "1\u{A0}byte")
    #expect(german.bytes(999) == "999\u{A0}Byte" && german.bytes(1_000) == "1\u{A0}kB")
    #expect(german.bytes(1_530_000) == "1,5\u{A0}MB" && english.bytes(1_530_000) == "1.5\u{A0}MB")
    #expect(english.bytes(999_999) == "1\u{A0}MB" && english.bytes(123_400_000) == "123\u{A0}MB")
    #expect(english.bytes(.max) == "9223\u{A0}PB" || english.bytes(.max) == "9,223\u{A0}PB")
    #expect(english.number(1_234_567) == "1,234,567" && german.number(-1_000) == "-1.000")
    #expect(english.ago(90_000) == "1 minute ago" && german.ago(86_400_000) == "gestern")
    #expect(english.ago(-120_000) == "in the future")
  }

  @Test func `the history of the numbers stays small`() {
    let history = MetricsHistory()
    for minute in 0..<5_000 {
      history.note(
        .init(
          at: Int64(minute) * 60_000, requests: minute, failed: 0, connections: 1, streams: 0))
    }
    let samples = history.samples
    #expect(samples.count <= MetricsHistory.limit && samples.count >= MetricsHistory.limit / 2)
    let distances = Set(zip(samples, samples.dropFirst()).map { $1.at - $0.at })
    #expect(distances.count == 1 && samples.first?.at == 0)
  }
}
