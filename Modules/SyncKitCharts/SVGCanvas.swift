import SyncKitFormats

/// Collects the elements of an SVG picture that stands on its own.
///
/// It has no scripts, no links and no fonts; text is text in the colour of what is around it, and a
/// picture shown alone follows the light or dark of the system.
struct SVGCanvas {
  let width: Double
  let height: Double
  private var elements: [String] = []

  init(width: Int, height: Int) {
    self.width = Double(min(max(width, 120), 10_000))
    self.height = Double(min(max(height, 60), 10_000))
  }

  /// The series' colours, which can be told apart with any kind of colour vision, light and dark.
  ///
  /// Source: Okabe and Ito, [Color Universal Design](https://jfly.uni-koeln.de/color/), 2008.
  static let colours = ["#0a84c6", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#8a7fd0"]
  static let dashes = ["", "6 3", "2 3", "8 3 2 3", "1 4", "12 4"]

  mutating func line(
    _ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, attributes: String
  ) {
    elements.append(
      "<line x1=\"\(n(x1))\" y1=\"\(n(y1))\" x2=\"\(n(x2))\" y2=\"\(n(y2))\" \(attributes)/>")
  }

  mutating func rectangle(
    _ x: Double, _ y: Double, _ width: Double, _ height: Double, attributes: String,
    title: String = ""
  ) {
    let start =
      "<rect x=\"\(n(x))\" y=\"\(n(y))\" width=\"\(n(max(0, width)))\""
      + " height=\"\(n(max(0, height)))\" \(attributes)"
    elements.append(
      title.isEmpty
        ? "\(start)/>" : "\(start)><title>\(MarkupText.escaped(title))</title></rect>")
  }

  mutating func circle(_ x: Double, _ y: Double, radius: Double, attributes: String) {
    elements.append("<circle cx=\"\(n(x))\" cy=\"\(n(y))\" r=\"\(n(radius))\" \(attributes)/>")
  }

  mutating func polyline(_ points: [(x: Double, y: Double)], attributes: String) {
    let list = points.map { "\(n($0.x)),\(n($0.y))" }.joined(separator: " ")
    elements.append("<polyline points=\"\(list)\" fill=\"none\" \(attributes)/>")
  }

  mutating func text(
    _ text: String, _ x: Double, _ y: Double, anchor: String = "start", attributes: String = ""
  ) {
    let more = attributes.isEmpty ? "" : " \(attributes)"
    elements.append(
      "<text x=\"\(n(x))\" y=\"\(n(y))\" text-anchor=\"\(anchor)\"\(more)>"
        + "\(MarkupText.escaped(text))</text>")
  }

  func svg(title: String, description: String) -> String {
    ([
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(n(width)) \(n(height))\""
        + " width=\"\(n(width))\" height=\"\(n(height))\" role=\"img\" fill=\"currentColor\""
        + " font-family=\"system-ui, sans-serif\" font-size=\"12\">",
      "<title>\(MarkupText.escaped(title))</title>",
      "<desc>\(MarkupText.escaped(description))</desc>",
      "<style>svg:root{color:#222}@media(prefers-color-scheme:dark){svg:root{color:#eee}}</style>",
    ] + elements + ["</svg>"]).joined(separator: "\n") + "\n"
  }

  /// About how wide a text of 12 units is; a picture cannot know the font.
  static func width(of text: String) -> Double { Double(DisplayWidth.columns(of: text)) * 6.8 }

  /// A text that is cut off where it would get wider.
  static func fitting(_ text: String, width: Double) -> String {
    DisplayWidth.truncated(text, to: Int(max(0, min(width, 1e6)) / 6.8))
  }

  /// A coordinate with at most two decimals.
  private func n(_ value: Double) -> String {
    let hundredths = Int((min(max(value, -1e6), 1e6) * 100).rounded())
    let sign = hundredths < 0 ? "-" : ""
    let (whole, rest) = hundredths.magnitude.quotientAndRemainder(dividingBy: 100)
    if rest == 0 { return "\(sign)\(whole)" }
    return rest % 10 == 0
      ? "\(sign)\(whole).\(rest / 10)" : "\(sign)\(whole).\(rest < 10 ? "0" : "")\(rest)"
  }
}
