import SyncKitFormats

extension HealthSummary {
  /// The summary as one page of HTML, to print or to keep on a phone.
  ///
  /// It has no scripts and loads nothing: a policy within the page forbids both.
  public var page: [UInt8] {
    let name = subject.spokenName.escapedForMarkup
    let day = Timestamp.format(milliseconds: made).prefix(10)
    var html = """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="robots" content="noindex">
      <meta name="referrer" content="no-referrer">
      <title>\(name)</title>
      <style>
      \(Self.style)
      </style>
      </head>
      <body>
      <header>
      <h1>\(name)</h1>
      <p>\(subject.isPet ? "Pet" : "Person"). Recorded as of \(day).</p>
      </header>

      """
    if !facts.isEmpty {
      html += "<dl>\n"
      for (name, value) in facts {
        html += "<div><dt>\(name)</dt><dd>\(value.escapedForMarkup)</dd></div>\n"
      }
      html += "</dl>\n"
    }
    for section in sections { html += Self.html(section) }
    html += """
      <footer><p>This page lists what its owner has recorded. It is not medical advice, and \
      it may be incomplete.</p></footer>
      </body>
      </html>

      """
    return Array(html.utf8)
  }

  private static func html(_ section: Section) -> String {
    var html = "<section>\n<h2>\(section.title)</h2>\n"
    if section.items.isEmpty { html += "<p class=\"none\">Nothing is recorded.</p>\n" }
    if !section.items.isEmpty {
      html += "<ul>\n"
      for item in section.items {
        html += "<li><strong>\(item.title.escapedForMarkup)</strong>"
        if !item.date.isEmpty { html += " <time>\(item.date.escapedForMarkup)</time>" }
        if !item.detail.isEmpty { html += "<br><span>\(item.detail.escapedForMarkup)</span>" }
        html += "</li>\n"
      }
      html += "</ul>\n"
    }
    return html + "</section>\n"
  }

  private static let style = """
    :root { color-scheme: light dark; font: 16px/1.45 system-ui, sans-serif; }
    body { max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }
    h1 { margin: 0; } header p { margin: .2rem 0 1rem; }
    h2 { font-size: 1.05rem; border-bottom: 1px solid; margin: 1.4rem 0 .4rem; }
    dl { display: grid; grid-template-columns: repeat(auto-fill, minmax(13rem, 1fr)); gap: .4rem 1rem; }
    dt { font-size: .8rem; opacity: .75; } dd { margin: 0; }
    ul { margin: 0; padding-left: 1.1rem; } li { margin: .25rem 0; break-inside: avoid; }
    time, .none, footer { opacity: .75; font-size: .9rem; } span { white-space: pre-line; }
    section { break-inside: avoid-page; }
    @media print { body { margin: 0; max-width: none; } :root { font-size: 12px; color-scheme: light; } }
    """
}
