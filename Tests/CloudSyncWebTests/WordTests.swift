import PageTemplates
import SyncKitFormats
import Testing

@testable import CloudSyncWebCommands

/// The words of the pages, in every language.
struct WordTests {
  @Test func `every word is there in each language, with the same values`() {
    func places(_ text: String) -> Set<Character> {
      Set(zip(text, text.dropFirst()).filter { $0.0 == "{" }.map(\.1))
    }
    #expect(Set(WebWords.english.keys) == Set(WebWords.german.keys))
    for (name, text) in WebWords.english {
      #expect(!text.isEmpty && WebWords.german[name]?.isEmpty == false)
      #expect(places(text) == places(WebWords.german[name] ?? ""), "\(name)")
    }
  }

  @Test func `a template uses no word that is missing`() {
    let words = WebWords(.english).all
    for (name, bytes) in WebFiles.templates {
      let text = String(decoding: bytes, as: UTF8.self)
      for match in text.matches(of: /\{\{t\.([A-Za-z0-9.\-]+)\}\}/) {
        #expect(words[String(match.output.1)] != nil, "\(name): \(match.output.1)")
      }
      // What is not escaped is never shown.
      #expect(!text.contains("{{{") && !text.contains("{{&"), "\(name)")
    }
  }

  @Test func `numbers, days and times are written as each language has them`() {
    let (english, german) = (WebWords(.english), WebWords(.german))
    #expect(english.number(1_234_567) == "1,234,567" && german.number(1_234_567) == "1.234.567")
    #expect(english.number(-42) == "-42")
    #expect(english.day("2026-02-09") == "9 Feb 2026" && german.day("2026-02-09") == "9.2.2026")
    #expect(english.day("2026-13-09") == nil && english.day("soon") == nil)
    let now: Int64 = 1_795_000_000_000
    for (age, expected) in [
      (0, "just now"), (60_000, "1 minute ago"), (7_200_000, "2 hours ago"),
      (86_400_000, "yesterday"), (-120_000, "in the future"),
    ] {
      #expect(english.ago(Timestamp.format(milliseconds: now - Int64(age)), now: now) == expected)
    }
    #expect(english["onDevice", "{1}"] == "on {1}")
  }

  @Test func `what a template shows is escaped by code points`() throws {
    let library = try PageLibrary([
      "page": Array("<a title=\"{{value}}\">{{value}}{{t.sync.now}}</a>".utf8)
    ])
    let text = String(
      decoding: library.page(
        "page",
        [
          "value": "\"\u{301} onfocus=x <\u{301}b> '&", "t": WordTree(["sync.now": "<now>"]),
        ] as [String: Any]), as: UTF8.self)
    #expect(
      text == "<a title=\"&quot;\u{301} onfocus=x &lt;\u{301}b&gt; &#39;&amp;\">"
        + "&quot;\u{301} onfocus=x &lt;\u{301}b&gt; &#39;&amp;&lt;now&gt;</a>")
  }
}

/// Who may see the pages.
struct SessionTests {
  private let session = WebSession { 0 }

  private var secret: String {
    String(session.invitation(port: 1).split(separator: "/").last ?? "")
  }

  @Test func `a link opens the pages once`() throws {
    #expect(session.open("") == nil && session.open(String(secret.dropLast())) == nil)
    let cookie = try #require(session.open(secret))
    #expect(cookie.hasSuffix("; Path=/\(session.base)/; HttpOnly; SameSite=Strict"))
    #expect(session.open(secret) == nil && session.open("") == nil)
    let pair = String(cookie.prefix { $0 != ";" })
    #expect(session.admits(cookies: pair) && session.admits(cookies: "a=b; \(pair); c=d"))
    for wrong in [nil, "", "cloudsync=", String(pair.dropLast()), pair + "x", "x\(pair)"] {
      #expect(!session.admits(cookies: wrong))
    }
  }

  @Test func `a form needs the token`() {
    #expect(session.admits(form: session.formToken))
    #expect(!session.admits(form: nil) && !session.admits(form: ""))
    #expect(!session.admits(form: session.base))
  }

  @Test func `secrets are long and differ`() {
    let other = WebSession { 0 }
    #expect(session.base.utf8.count >= 21 && secret.utf8.count >= 32)
    #expect(Set([session.base, other.base, session.formToken, other.formToken]).count == 4)
  }

  @Test func `a notice is said once`() {
    session.leave(WebNotice(text: "done"))
    #expect(session.takeNotice()?.text == "done" && session.takeNotice() == nil)
  }

  @Test(arguments: [
    ("", []), ("a=b", ["a=b"]), ("a=b+c%2B%3D&d&=e&a=%C3%BC", ["a=b c+=", "d=", "=e", "a=ü"]),
    ("&&", []),
  ])
  func `a form's values come in their order`(_ text: String, _ expected: [String]) {
    #expect(FormValues(text).pairs.map { "\($0.name)=\($0.value)" } == expected)
  }
}
