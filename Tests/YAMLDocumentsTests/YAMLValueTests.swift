import Testing

@testable import YAMLDocuments

/// What YAML takes a text for.
struct YAMLValueTests {
  private func value(_ text: String) throws -> YAMLValue {
    try YAMLValue(#require(try YAMLParser.parse(Array(text.utf8))))
  }

  @Test(arguments: [
    ("1", YAMLValue.int(1)), ("1.0", .double(1)), ("true", .bool(true)), ("'1'", .string("1")),
    ("no", .string("no")), ("On", .string("On")), ("12:30", .string("12:30")), ("~", .null),
    ("0x1F", .int(31)), ("0o17", .int(15)), ("012", .int(12)), ("-7", .int(-7)),
    ("1e3", .double(1000)), (".5", .double(0.5)), (".inf", .double(.infinity)),
    ("-.INF", .double(-.infinity)), ("inf", .string("inf")), ("nan", .string("nan")),
    ("0x1p3", .string("0x1p3")), ("1_000", .string("1_000")), ("1.2.3", .string("1.2.3")),
    ("9223372036854775807", .int(.max)), ("-9223372036854775808", .int(.min)),
    ("18446744073709551615", .uint(.max)),
    ("2026-11-21", .string("2026-11-21")),
    ("2026-11-21T08:00:00Z", .timestamp("2026-11-21T08:00:00Z")),
    ("!!timestamp 2026-11-21", .timestamp("2026-11-21")), ("!!str 1", .string("1")),
    ("!!binary 'AA ==' ", .binary("AA==")), ("!!int '3'", .int(3)), ("!!float 3", .double(3)),
    ("[1, a]", .list([.int(1), .string("a")])),
    ("{b: {}, a: []}", .map([.init("b", .map([])), .init("a", .list([]))])),
    ("|\n  1\n", .string("1\n")),
  ])
  func `each text has one type`(text: String, wanted: YAMLValue) throws {
    #expect(try value("k: \(text)\n") == .map([.init("k", wanted)]))
  }

  @Test func `not a number is read as such`() throws {
    guard case .double(let number) = try value(".nan") else { return #expect(Bool(false)) }
    #expect(number.isNaN)
  }

  @Test(arguments: [
    ("a: 18446744073709551616", 1, 4), ("a: 1\nb: !thing x", 2, 4), ("a: !!int x", 1, 4),
    ("a: !!map [1]", 1, 4), ("a: &x 1", 1, 4), ("a: !!set {b: 1}", 1, 4),
  ])
  func `what has no value is refused at its place`(text: String, line: Int, column: Int) {
    let error = #expect(throws: YAMLError.self) { try value(text) }
    #expect(error?.mark == YAMLMark(line: line, column: column))
  }
}
