import SyncKitFormats
import Testing

struct HTMLPageTests {
  @Test(arguments: [
    ("a < b & c > d", "a &lt; b &amp; c &gt; d"), ("\"it's\"", "&quot;it&#39;s&quot;"),
    ("é漢\t\n", "é漢\t\n"), ("\u{0}\u{1B}[2J\u{85}\u{FFFF}", "\u{FFFD}\u{FFFD}[2J\u{FFFD}\u{FFFD}"),
    ("", ""),
  ])
  func `text means nothing in markup`(text: String, escaped: String) {
    #expect(MarkupText.escaped(text) == escaped)
  }

  @Test func `a page holds all it was given, escaped, and loads nothing`() {
    var page = HTMLPage(title: "A & <b>", subtitle: "made 2026-03-01", language: "en-GB")
    page.addSection(
      "Due <soon>",
      [
        .text("text & more"), .list(["one", "<two>"]), .facts([.init("name", "Ann")]),
        .table(
          header: ["part", "use", "note"], rows: [["chain", "2880.5"], ["tyre", "12 km", "x"]]),
        .picture(svg: "<svg><title>chart</title></svg>"),
      ])
    let html = page.html()
    #expect(html.hasPrefix("<!doctype html>\n<html lang=\"en-GB\">"))
    #expect(html.contains("<title>A &amp; &lt;b&gt;</title>"))
    #expect(html.contains("<p class=\"quiet\">made 2026-03-01</p>"))
    #expect(html.contains("<h2>Due &lt;soon&gt;</h2>"))
    #expect(html.contains("<li>&lt;two&gt;</li>"))
    #expect(html.contains("<dt>name</dt><dd>Ann</dd>"))
    #expect(
      html.contains("<tr><td>chain</td><td class=\"number\">2880.5</td><td></td></tr>"))
    #expect(html.contains("<tr><td>tyre</td><td>12 km</td><td>x</td></tr>"))
    #expect(html.contains("<svg><title>chart</title></svg>"))
    for outside in ["http:", "https:", "url(", "@import", "<script", "<link"] {
      #expect(!html.contains(outside))
    }
    #expect(html == page.html())
  }

  @Test func `numbers stand right under their heading, and dates left`() {
    var page = HTMLPage(title: "x")
    page.addSection(
      "", [.table(header: ["Day", "km"], rows: [["2026-03-01", "−2.5"], ["2026-03-02", ""]])])
    let html = page.html()
    #expect(html.contains("<th scope=\"col\">Day</th><th scope=\"col\" class=\"number\">km</th>"))
    #expect(html.contains("<td>2026-03-01</td><td class=\"number\">−2.5</td>"))
  }
}
