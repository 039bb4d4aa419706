/// Writes a report as one HTML file that needs nothing else: no scripts, no fonts, no network.
///
/// ```swift
/// var page = HTMLPage(title: "Garage", language: "en")
/// page.addSection("Due", [.table(header: ["Part", "Use"], rows: rows), .picture(svg: chart.svg())])
/// let html = page.html()
/// ```
///
/// The page follows the light or dark of the system, prints in black on white, and keeps tables and
/// pictures on one sheet where they fit. All text is escaped; the same content gives the same bytes.
public struct HTMLPage: Sendable {
  /// A part of a section.
  public enum Block: Sendable, Equatable {
    /// A paragraph.
    case text(String)
    /// Points of a list.
    case list([String])
    /// Names and values, in two columns.
    case facts([Fact])
    /// A table; rows may be shorter than the header. Cells that are numbers are set to the right.
    case table(header: [String], rows: [[String]])
    /// An SVG picture, taken as it is: only what this program has drawn may go in.
    case picture(svg: String)
  }

  /// A name and its value.
  public struct Fact: Sendable, Equatable {
    /// What the value is of.
    public var name: String
    /// The value.
    public var value: String

    /// Makes a fact.
    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  private let title: String
  private let subtitle: String
  private let language: String
  private var sections: [(heading: String, blocks: [Block])] = []

  /// Begins a page.
  ///
  /// - Parameters:
  ///   - title: The heading, and the name of the window.
  ///   - subtitle: What stands below it, such as when the report was made.
  ///   - language: The language of the text as in BCP 47, for reading aloud and hyphenation.
  public init(title: String, subtitle: String = "", language: String = "en") {
    self.title = title
    self.subtitle = subtitle
    self.language = language
  }

  /// Adds a section; without a heading its blocks follow those before.
  public mutating func addSection(_ heading: String, _ blocks: [Block]) {
    sections.append((heading, blocks))
  }

  /// The whole file.
  public func html() -> String {
    let name = MarkupText.escaped(title)
    var lines = [
      "<!doctype html>", "<html lang=\"\(MarkupText.escaped(language))\">", "<head>",
      "<meta charset=\"utf-8\">",
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">",
      // Nothing may be loaded, whatever a picture or a text tries.
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">",
      "<meta name=\"color-scheme\" content=\"light dark\">", "<title>\(name)</title>",
      "<style>", Self.style, "</style>", "</head>", "<body>", "<main>", "<h1>\(name)</h1>",
    ]
    if !subtitle.isEmpty { lines.append("<p class=\"quiet\">\(MarkupText.escaped(subtitle))</p>") }
    for section in sections {
      lines.append("<section>")
      if !section.heading.isEmpty {
        lines.append("<h2>\(MarkupText.escaped(section.heading))</h2>")
      }
      lines += section.blocks.flatMap(Self.lines)
      lines.append("</section>")
    }
    return (lines + ["</main>", "</body>", "</html>"]).joined(separator: "\n") + "\n"
  }

  private static func lines(of block: Block) -> [String] {
    switch block {
    case .text(let text): ["<p>\(MarkupText.escaped(text))</p>"]
    case .list(let points):
      ["<ul>"] + points.map { "<li>\(MarkupText.escaped($0))</li>" } + ["</ul>"]
    case .facts(let facts):
      ["<dl>"]
        + facts.map {
          "<dt>\(MarkupText.escaped($0.name))</dt><dd>\(MarkupText.escaped($0.value))</dd>"
        } + ["</dl>"]
    case .table(let header, let rows): table(header, rows)
    case .picture(let svg): ["<figure>", svg, "</figure>"]
    }
  }

  private static func table(_ header: [String], _ rows: [[String]]) -> [String] {
    let head = header.enumerated().map { column, name in
      // A heading stands above what it is the heading of.
      let cells = rows.compactMap { column < $0.count && !$0[column].isEmpty ? $0[column] : nil }
      let isNumeric = !cells.isEmpty && cells.allSatisfy(isNumber)
      let style = isNumeric ? " class=\"number\"" : ""
      return "<th scope=\"col\"\(style)>\(MarkupText.escaped(name))</th>"
    }.joined()
    return ["<div class=\"wide\"><table>", "<thead><tr>\(head)</tr></thead>", "<tbody>"]
      + rows.map { row in
        let cells = row.map { cell in
          "<td\(isNumber(cell) ? " class=\"number\"" : "")>\(MarkupText.escaped(cell))</td>"
        }
        let missing = Array(repeating: "<td></td>", count: max(0, header.count - row.count))
        return "<tr>\((cells + missing).joined())</tr>"
      } + ["</tbody>", "</table></div>"]
  }

  /// Digits, perhaps with a sign before, a percent sign behind, points and narrow spaces between; no date.
  private static func isNumber(_ text: String) -> Bool {
    var scalars = text.unicodeScalars[...]
    if let first = scalars.first, "+-−".unicodeScalars.contains(first) { scalars.removeFirst() }
    return scalars.contains { "0"..."9" ~= $0 }
      && scalars.allSatisfy {
        "0"..."9" ~= $0 || ".,%\u{202F}\u{A0} ".unicodeScalars.contains($0)
      }
  }

  private static let style = """
    :root { color-scheme: light dark; --line: #8884; --quiet: #666; }
    body { font: 16px/1.5 system-ui, sans-serif; margin: 0; color: #1a1a1a; background: #fff; }
    main { max-width: 52rem; margin: 0 auto; padding: 1.5rem 1rem 3rem; }
    h1 { font-size: 1.7rem; line-height: 1.2; margin: 0 0 .25rem; }
    h2 { font-size: 1.2rem; margin: 2rem 0 .5rem; border-bottom: 1px solid var(--line); }
    .quiet { color: var(--quiet); margin-top: 0; }
    .wide { overflow-x: auto; }
    table { border-collapse: collapse; width: 100%; }
    th, td { text-align: left; vertical-align: top; padding: .3rem .75rem .3rem 0; }
    tr { border-bottom: 1px solid var(--line); }
    .number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
    dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem; }
    dt { color: var(--quiet); }
    dd { margin: 0; }
    figure { margin: 1rem 0; }
    figure svg { max-width: 100%; height: auto; }
    @media (prefers-color-scheme: dark) {
      :root { --quiet: #aaa; }
      body { color: #e8e8e8; background: #161616; }
    }
    @media print {
      :root { color-scheme: light; --quiet: #444; }
      body { font-size: 10.5pt; color: #000; background: none; }
      main { max-width: none; padding: 0; }
      h2 { break-after: avoid; }
      tr, figure, dl { break-inside: avoid; }
      thead { display: table-header-group; }
      .wide { overflow: visible; }
    }
    """
}
