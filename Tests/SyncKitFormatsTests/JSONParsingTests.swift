import SyncKitFormats
import Testing

struct JSONParsingTests {
  @Test(
    arguments: [
      ("null", nil), ("true", true), ("false", false), ("\"\"", ""), ("[]", []), ("{}", [:]),
      (" \t\r\n[ 1 , 2 ]\n", [1, 2]), ("{ \"a\" : { \"b\" : [ null ] } }", ["a": ["b": [nil]]]),
      ("[[[]]]", [[[]]]), ("\"\u{7F}\u{85}\u{2028}\"", "\u{7F}\u{85}\u{2028}"),
      ("\u{FEFF}1", 1), ("\"\u{FEFF}\"", "\u{FEFF}"), ("{\"\":0}", ["": 0]),
      ("{\"a\":1,\"b\":2}", ["b": 2, "a": 1]),
    ] as [(String, JSON)])
  func `reads what the standard allows`(text: String, value: JSON) throws {
    #expect(try JSON(parsing: text) == value)
  }

  @Test(arguments: [
    "", " ", "nul", "nulll", "True", "NaN", "Infinity", "-Infinity", "undefined", "'a'", "a",
    "[", "]", "{", "}", "[1", "[1,", "[1,]", "[,1]", "[1 2]", "[1,,2]", "[1}", "{]", ":", ",",
    "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{,}", "{a:1}", "{1:1}", "{\"a\" 1}", "{\"a\":1 \"b\":2}",
    "{\"a\":1", "{\"a\"", "{\"a\":", "1 2", "[] []", "null x", "// c\n1", "1 /* c */", "#\n1",
    "\u{FEFF}", "\u{FEFF}\u{FEFF}1", "\u{A0}1", "1\u{0B}", "1\u{0}", "\u{0}", "[\u{0C}1]",
  ])
  func `refuses what the standard does not allow`(text: String) {
    #expect(throws: JSONError.self) { try JSON(parsing: text) }
  }

  @Test(arguments: [
    ("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\/\u{8}\u{C}\n\r\t"),
    ("\"\\u0041\\u00e9\\u00E9\"", "A\u{E9}\u{E9}"),
    ("\"\\u0000\"", "\u{0}"), ("\"\\uD834\\uDD1E\"", "𝄞"), ("\"\\udbff\\udfff\"", "\u{10FFFF}"),
    ("\"\\uFFFF\\uFEFF\"", "\u{FFFF}\u{FEFF}"), ("\"é\\né漢👩🏽\"", "é\né漢👩🏽"),
    ("\"\\\\u0041\"", "\\u0041"),
  ])
  func `reads every escape`(text: String, string: String) throws {
    #expect(try JSON(parsing: text) == .string(string))
  }

  @Test(arguments: [
    "\"", "\"a", "\"\\\"", "\"\\", "\"\\u", "\"\\u00", "\"\\u004\"", "\"\\u00g0\"", "\"\\U0041\"",
    "\"\\x41\"", "\"\\a\"", "\"\\'\"", "\"\\0\"", "\"\\\n\"", "\"\n\"", "\"\t\"", "\"\u{0}\"",
    "\"\u{1F}\"", "\"\\n\u{1F}\"", "\"\\uD800\"", "\"\\uDC00\"", "\"\\uD800x\"", "\"\\uD800\\n\"",
    "\"\\uD800\\uD800\"", "\"\\uDC00\\uD800\"", "\"\\uD800\\u0041\"", "\"\\uD800\\u\"",
    "\"\\u٠٠٤١\"", "\"\\u+041\"", "\"\\u 041\"",
  ])
  func `refuses broken strings`(text: String) {
    #expect(throws: JSONError.self) { try JSON(parsing: text) }
  }

  @Test(
    arguments: [
      [0x80], [0xC3], [0xC0, 0x80], [0xC1, 0xBF], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80],
      [0xE2, 0x82],
      [0xF0, 0x80, 0x80, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFF], [0xFE],
      [0xF0, 0x9F, 0x98],
    ] as [[UInt8]])
  func `refuses invalid UTF-8 and says where`(bytes: [UInt8]) {
    let quote = UInt8(ascii: "\"")
    let escape = [UInt8(ascii: "\\"), UInt8(ascii: "n")]
    let expected = JSONError(line: 1, column: 4, message: "not valid UTF-8")
    #expect(throws: expected) { try JSON(parsing: [quote, 0xC3, 0xA9, 0x61] + bytes + [quote]) }
    #expect(throws: expected) { try JSON(parsing: [quote] + escape + bytes + escape + [quote]) }
    #expect(throws: JSONError.self) { try JSON(parsing: bytes) }
    #expect(throws: JSONError.self) { try JSON(parsing: [quote] + bytes) }
  }

  @Test func `refuses a key that appears twice, however it is spelled`() {
    let expected = JSONError(
      line: 1, column: 8, message: "the key \"a\" appears twice in one object")
    #expect(throws: expected) { try JSON(parsing: #"{"a":1,"a":1}"#) }
    #expect(throws: expected) { try JSON(parsing: #"{"a":1,"\u0061":1}"#) }
    #expect(throws: Never.self) { try JSON(parsing: #"{"a":{"a":1},"b":[{"a":1},{"a":2}]}"#) }
  }

  @Test func `refuses a key that appears twice among many`() throws {
    let members = (0..<500).map { "\"key \($0)\":\($0)" }
    #expect(try JSON(parsing: "{\(members.joined(separator: ","))}")["key 499"] == 499)
    let twice = members + ["\"key 250\":0"]
    #expect(throws: JSONError.self) { try JSON(parsing: "{\(twice.joined(separator: ","))}") }
  }

  @Test func `keeps composed and decomposed keys apart`() throws {
    let value = try JSON(parsing: "{\"\u{E9}\":1,\"e\u{301}\":2}")
    #expect(value.object?.count == 2)
    #expect(value["\u{E9}"] == 1)
    #expect(value["e\u{301}"] == 2)
    #expect(try JSON(parsing: "\"\u{E9}\"") != JSON(parsing: "\"e\u{301}\""))
  }

  @Test func `stops at the depth it was given`() throws {
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    #expect(try JSON(parsing: nested(64)).array != nil)
    #expect(throws: JSONError(line: 1, column: 65, message: "nested more than 64 levels deep")) {
      try JSON(parsing: nested(65))
    }
    #expect(try JSON(parsing: "1", maximumDepth: 0) == 1)
    #expect(throws: JSONError.self) { try JSON(parsing: "[]", maximumDepth: -5) }
    #expect(try JSON(parsing: nested(512), maximumDepth: .max).array != nil)
    #expect(throws: JSONError.self) { try JSON(parsing: nested(513), maximumDepth: .max) }
    #expect(throws: JSONError.self) {
      try JSON(parsing: String(repeating: "{\"a\":", count: 100_000))
    }
  }

  @Test(arguments: [
    ("x", 1, 1, "found 'x' where a value was expected"),
    ("[1,\n  é]", 2, 3, "found 'é' where a value was expected"),
    ("[1,\r\n2\r3\n4]", 3, 1, "found '3' where ',' or ']' was expected"),
    ("\u{FEFF}[\"é\" \"é\"]", 1, 6, "found '\"' where ',' or ']' was expected"),
    ("{\"a\":\u{1B}[31m}", 1, 6, "found U+001B where a value was expected"),
    ("[\n", 2, 1, "found the end of the text where a value was expected"),
    ("{\"a\":1}\n\n  {", 3, 3, "found '{' where the end of the text was expected"),
    ("[1,\n\"abc", 2, 1, "the string is never closed"),
    (#"{"\u001b":1,"\u001b":2}"#, 1, 13, "the key \"\u{FFFD}\" appears twice in one object"),
  ])
  func `says where and what is wrong`(text: String, line: Int, column: Int, message: String) {
    #expect(throws: JSONError(line: line, column: column, message: message)) {
      try JSON(parsing: text)
    }
  }

  @Test func `reads bytes from wherever they are`() throws {
    let bytes = Array("[1,{\"a\":2}]".utf8)
    let expected: JSON = [1, ["a": 2]]
    #expect(try JSON(parsing: bytes) == expected)
    #expect(try JSON(parsing: bytes[...]) == expected)
    #expect(try JSON(parsing: bytes.lazy.map { $0 }) == expected)
    #expect(try bytes.withUnsafeBytes { try JSON(parsing: $0) } == expected)
    #expect(throws: JSONError.self) { try JSON(parsing: [UInt8]()) }
    let empty = UnsafeRawBufferPointer(start: nil, count: 0)
    #expect(throws: JSONError.self) { try JSON(parsing: empty) }
  }

  @Test(arguments: 1...20)
  func `never traps on damaged text`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let sound = Array(#"{"a":[1,-2.5e3,"\u00e9\ud834\udd1e",null],"é":{"b":true,"c":"x\ty"}}"#.utf8)
    for _ in 0..<500 {
      var bytes = sound
      for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.remove(at: place)
        default: bytes.removeLast(bytes.count - place)
        }
      }
      guard let value = try? JSON(parsing: bytes) else { continue }
      #expect(try JSON(parsing: value.serialized()) == value)
    }
  }
}
