import SyncKitFormats
import Testing

struct JSONSerializingTests {
  @Test func `writes members in order and without space`() {
    let value: JSON = ["b": 1, "a": [true, nil, "x"], "": [:], "c": []]
    #expect(value.text() == #"{"b":1,"a":[true,null,"x"],"":{},"c":[]}"#)
    #expect(value.serialized() == Array(value.text().utf8))
    #expect("\(value)" == value.text())
  }

  @Test func `indents by two spaces when asked`() {
    let value: JSON = ["b": 1, "a": [true, ["x": nil]], "c": [], "d": [:]]
    #expect(
      value.text(pretty: true) == """
        {
          "b": 1,
          "a": [
            true,
            {
              "x": null
            }
          ],
          "c": [],
          "d": {}
        }
        """)
  }

  @Test func `escapes only what it must`() {
    let controls = String(String.UnicodeScalarView((0..<0x20).compactMap { Unicode.Scalar($0) }))
    #expect(
      JSON.string(controls).text()
        == #""\u0000\u0001\u0002\u0003\u0004\u0005\u0006\u0007\b\t\n\u000b\f\r\u000e\u000f\u0010\u0011"#
        + #"\u0012\u0013\u0014\u0015\u0016\u0017\u0018\u0019\u001a\u001b\u001c\u001d\u001e\u001f""#)
    let harmless = "/é漢👩🏽\u{7F}\u{9B}\u{2028}"
    #expect(JSON.string(harmless).text() == "\"\(harmless)\"")
    #expect(JSON.string(#""\"#).text() == #""\"\\""#)
  }

  @Test(arguments: 1...20)
  func `what is written reads back the same`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for _ in 0..<50 {
      let value = random.json(depth: 5)
      #expect(try JSON(parsing: value.serialized()) == value)
      #expect(try JSON(parsing: value.text(pretty: true)) == value)
      #expect(try JSON(parsing: value.serialized()).serialized() == value.serialized())
    }
  }
}

extension SplitMix64 {
  fileprivate mutating func json(depth: Int) -> JSON {
    switch Int.random(in: 0..<(depth > 0 ? 9 : 6), using: &self) {
    case 0: return .null
    case 1: return .bool(Bool.random(using: &self))
    case 2: return .int(Int64(bitPattern: next()) >> Int64.random(in: 0...63, using: &self))
    case 3: return .double(Double.random(in: -1e6...1e6, using: &self))
    case 4, 5: return .string(text(upTo: 12))
    case 6, 7:
      return .array((0..<Int.random(in: 0...6, using: &self)).map { _ in json(depth: depth - 1) })
    default:
      var object = JSONObject()
      for _ in 0..<Int.random(in: 0...20, using: &self) {
        object[text(upTo: 4)] = json(depth: depth - 2)
      }
      return .object(object)
    }
  }
}
