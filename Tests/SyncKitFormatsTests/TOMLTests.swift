import Testing

@testable import SyncKitFormats

/// Documents of TOML, read strictly and written so that they come back.
struct TOMLTests {
  private func value(_ text: String) throws -> TOML? {
    try TOML.parse(Array("k = \(text)\n".utf8))["k"]
  }

  @Test(arguments: [
    ("1", TOML.int(1)), ("+1_000", .int(1_000)), ("-0", .int(0)),
    ("0xDEAD_beef", .int(3_735_928_559)),
    ("0o755", .int(493)), ("0b1101", .int(13)), ("9223372036854775807", .int(.max)),
    ("-9223372036854775808", .int(.min)),
    ("9223372036854775808", .whole("9223372036854775808")), ("1.0", .double(1)),
    ("-0.0", .double(-0.0)),
    ("6.626e-34", .double(6.626e-34)), ("1e06", .double(1e6)),
    ("9_224_617.445_991", .double(9_224_617.445991)),
    ("inf", .double(.infinity)), ("-inf", .double(-.infinity)), ("true", .bool(true)),
    ("'C:\\x'", .string("C:\\x")), (#""a\tb\u00e9\U0001F600""#, .string("a\tbé😀")),
    ("\"\"\"\n a\\\n   b\n\"\"\"", .string(" ab\n")), ("'''\n'a''b'''''", .string("'a''b''")),
    ("\"\"\"\"quoted\"\"\"\"", .string("\"quoted\"")), ("\"\"", .string("")),
    ("1979-05-27T07:32:00Z", .dateTime(milliseconds: 296_638_320_000)),
    ("1979-05-27 00:32:00.999999-07:00", .dateTime(milliseconds: 296_638_320_999)),
    ("1979-05-27T07:32:00", .local("1979-05-27T07:32:00")), ("1979-05-27", .local("1979-05-27")),
    ("07:32:00.5", .local("07:32:00.5")),
    ("[1, 'a', [], # c\n 2.0,\n]", .array([.int(1), .string("a"), .array([]), .double(2)])),
    (
      "{ a.b = 1, c = {} }",
      .table(
        TOMLTable([
          ("a", .table(TOMLTable([("b", .int(1))]))), ("c", .table(TOMLTable())),
        ]))
    ),
  ])
  func `each value has its type`(text: String, wanted: TOML) throws {
    #expect(try value(text) == wanted)
  }

  @Test func `tables are gathered from headers and dotted keys`() throws {
    let text = """
      # a comment
      title = "x"
      a.b = 1
      a."c d" = 2
      [x.y]
      z = 3
      [x]
      w = 4
      [[list]]
      n = 1
      [list.inner]
      m = 2
      [[list]]
      n = 3
      """
    let root = try TOML.parse(Array(text.utf8))
    #expect(root.members.map(\.key) == ["title", "a", "x", "list"])
    guard case .table(let a)? = root["a"], case .table(let x)? = root["x"],
      case .array(let list)? = root["list"]
    else { return #expect(Bool(false)) }
    #expect(a["c d"] == .int(2))
    #expect(x["w"] == .int(4))
    #expect(x["y"] == .table(TOMLTable([("z", .int(3))])))
    #expect(list.count == 2)
    // Plain values are written before tables, so the order may change once.
    let again = try TOML.parse(TOML.serialize(root))
    #expect(again.members.count == 4 && again["list"] == root["list"])
    #expect(TOML.serialize(again) == TOML.serialize(root))
  }

  @Test(arguments: [
    ("a = 1\na = 2", 2, 1), ("a = 1\n[a]", 2, 1), ("[a]\n[a]", 2, 1), ("a.b = 1\n[a]", 2, 1),
    ("a = {b = 1}\na.c = 2", 2, 1), ("a = {b = 1}\n[a.c]", 2, 1), ("a = [1]\n[[a]]", 2, 1),
    ("[[a]]\n[a]", 2, 1), ("a = 1 b = 2", 1, 7), ("a = 01", 1, 5), ("a = 1_", 1, 5),
    ("a = 1.", 1, 5), ("a = .5", 1, 5), ("a = 1e", 1, 5), ("a = +0x1", 1, 5), ("a = word", 1, 5),
    ("a = \"x", 1, 5), ("a = \"\\q\"", 1, 6),
    ("a = \"\\uD800\"", 1, 6), ("a = 2026-02-30", 1, 5), ("= 1", 1, 1), ("a", 1, 2), ("a =", 1, 4),
    ("[a", 1, 3), ("a = [1 2]", 1, 8), ("a = {b = 1", 1, 11), ("a = 'x\ny'", 1, 7),
    ("a = \"\u{1}\"", 1, 6), ("a = nan0", 1, 5), ("\"\"\"a\"\"\" = 1", 1, 1),
  ])
  func `what is not TOML is refused at its place`(text: String, line: Int, column: Int) {
    let error = #expect(throws: TOMLError.self) { try TOML.parse(Array(text.utf8)) }
    #expect(error?.line == line && error?.column == column, "\(error?.description ?? "")")
  }

  @Test(arguments: ["[", "{a=", "a."])
  func `too deep a nest is refused, not followed`(opening: String) {
    let text = (opening == "a." ? "" : "k = ") + String(repeating: opening, count: 20_000) + "a = 1"
    #expect(throws: TOMLError.self) { try TOML.parse(Array(text.utf8)) }
  }

  @Test(arguments: 1...300)
  func `random bytes never do worse than an error`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let alphabet = Array("ab.=[]{}\"'#, \n\t0123e+-:TZ_\\u\r".utf8) + [0, 0xFF]
    let bytes = (0..<80).map { _ in alphabet[Int(random.next() % UInt64(alphabet.count))] }
    _ = try? TOML.parse(bytes)
  }

  @Test(arguments: [
    TOML.string("a\"\\\n\r\t\u{0}\u{7F}é"), .double(1), .double(1e300), .double(-0.0), .int(.min),
    .double(.infinity), .array([.table(TOMLTable([("a b", .array([]))]))]), .local("07:32:00"),
    .dateTime(milliseconds: 296_638_320_999), .bool(false), .table(TOMLTable()),
  ])
  func `every value comes back as it was`(value: TOML) throws {
    let table = TOMLTable([
      ("key", value), ("", value),
      ("in", .table(TOMLTable([("x y", value), ("z", .table(TOMLTable()))]))),
    ])
    let bytes = TOML.serialize(table)
    #expect(try TOML.parse(bytes) == table, "\(String(decoding: bytes, as: UTF8.self))")
  }
}
