import Testing

@testable import YAMLDocuments

/// That what is written comes back with its type, here and with other readers.
struct YAMLWriterTests {
  private static let texts = [
    "", " ", "no", "On", "y", "~", "null", "true", "1", "1.0", "1e3", "0x1", "012", "12:30:45",
    "2026-11-21", "2026-11-21T08:00:00Z", ".inf", "a: b", "a #b", "# x", "- x", "? x", "[x", "{x",
    "&x", "*x", "!x", "|", ">", "%x", "@x", "`x", "'", "\"", "\\", "x\ny", "x\ry", "\ttab", "end ",
    "\u{0}\u{7}\u{1F}\u{7F}\u{85}\u{A0}\u{2028}\u{FEFF}", "é", "e\u{301}", "漢字", "😀", "=", "<<",
    "a,b", "---", "...", "-", "plain", "with-dash", "_1_000", "com.example.app",
  ]

  private static let values: [YAMLValue] =
    texts.map { .string($0) }
    + [
      .null, .bool(true), .bool(false), .int(0), .int(1), .int(.min), .int(.max), .uint(.max),
      .double(1), .double(-0.0), .double(0.1), .double(1e20), .double(1e-7),
      .double(.leastNonzeroMagnitude),
      .double(.greatestFiniteMagnitude), .double(.infinity), .double(-.infinity),
      .timestamp("2026-11-21T08:00:00.000Z"), .binary("AAECAw=="), .binary(""), .list([]), .map([]),
      .list([.list([]), .list([.int(1), .list([.int(2)])]), .map([.init("a", .int(1))])]),
    ]

  @Test(arguments: values)
  func `every value comes back as it was`(value: YAMLValue) throws {
    let document = YAMLValue.map([
      .init("key", value), .init("list", .list([value, value])),
      .init("map", .map([.init("in", value), .init("side", .list([.map([.init("x", value)])]))])),
    ])
    let bytes = YAMLWriter.write(document)
    let node = try #require(
      try YAMLParser.parse(bytes), "\(String(decoding: bytes, as: UTF8.self))")
    #expect(try YAMLValue(node) == document, "\(String(decoding: bytes, as: UTF8.self))")
    let alone = try #require(try YAMLParser.parse(YAMLWriter.write(.list([value]))))
    #expect(try YAMLValue(alone) == .list([value]))
  }

  @Test(arguments: texts)
  func `every text can be a key`(text: String) throws {
    guard !text.isEmpty else { return }
    let document = YAMLValue.map([.init(text, .int(1))])
    let node = try #require(try YAMLParser.parse(YAMLWriter.write(document)))
    #expect(try YAMLValue(node) == document)
  }

  @Test func `a document is easy to read`() {
    let document = YAMLValue.map([
      .init("appFont", .string("Times New Roman")), .init("isBold", .bool(false)),
      .init("answer", .string("no")), .init("level", .double(1)),
      .init("tile", .map([.init("theme", .string("custom")), .init("colors", .list([.int(1)]))])),
      .init("rows", .list([.map([.init("a", .int(1)), .init("b", .int(2))])])),
    ])
    let wanted = """
      appFont: "Times New Roman"
      isBold: false
      answer: "no"
      level: 1.0
      tile:
        theme: custom
        colors:
          - 1
      rows:
        - a: 1
          b: 2

      """
    #expect(String(decoding: YAMLWriter.write(document), as: UTF8.self) == wanted)
  }
}
