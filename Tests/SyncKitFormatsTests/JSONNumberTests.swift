import SyncKitFormats
import Testing

struct JSONNumberTests {
  @Test(
    arguments: [
      ("0", 0), ("-0", 0), ("7", 7), ("-7", -7),
      ("9007199254740993", 9_007_199_254_740_993),
      ("9223372036854775807", .max), ("-9223372036854775808", .min),
    ] as [(String, Int64)])
  func `whole numbers of 64 bits stay exact`(text: String, value: Int64) throws {
    #expect(try JSON(parsing: text) == .int(value))
  }

  @Test(
    arguments: [
      ("9223372036854775808", 9_223_372_036_854_775_808), ("-9223372036854775809", -0x1p63),
      ("18446744073709551616", 0x1p64), ("123456789012345678901234567890", 1.2345678901234568e29),
      ("1.0", 1), ("1e0", 1), ("1E+2", 100), ("1e-2", 0.01), ("0.1", 0.1), ("0e0", 0),
      ("-0.0", -0.0),
      ("1.5e300", 1.5e300), ("1.7976931348623157e308", .greatestFiniteMagnitude),
      ("4.9e-324", .leastNonzeroMagnitude), ("1e-400", 0), ("1e-99999999999999999999", 0),
      ("0e99999999999999999999", 0), ("0.000000000000000000000000000000123", 1.23e-31),
      ("9007199254740993.0", 9_007_199_254_740_992), ("123456789.123456789", 123456789.123456789),
      ("2.2250738585072011e-308", .leastNormalMagnitude.nextDown), ("1e22", 1e22), ("1e23", 1e23),
      ("0.30000000000000004", 0.1 + 0.2), ("10.000000000000000000000000000000000000", 10),
    ] as [(String, Double)])
  func `other numbers become the nearest double`(text: String, value: Double) throws {
    let parsed = try #require(try JSON(parsing: text).double)
    #expect(parsed.bitPattern == value.bitPattern)
    #expect(try JSON(parsing: text).int == nil)
  }

  @Test(arguments: ["1e400", "-1e400", "1e309", "1.8e308", "1e99999999999999999999"])
  func `numbers beyond a double are refused`(text: String) {
    let expected = JSONError(
      line: 1, column: 2, message: "the number is too large for a double")
    #expect(throws: expected) { try JSON(parsing: "[\(text)]") }
  }

  @Test func `digits by the thousand are read or refused, never trapped on`() throws {
    let zeros = String(repeating: "0", count: 5000)
    #expect(throws: JSONError.self) { try JSON(parsing: "1" + zeros) }
    #expect(try JSON(parsing: "0.\(zeros)1e5001") == 1.0)
    #expect(try JSON(parsing: "1\(zeros)e-5000") == 1.0)
    #expect(throws: JSONError.self) { try JSON(parsing: "1e" + zeros + "9999") }
  }

  @Test(arguments: [
    "-", "+1", "01", "-01", "00", "1.", ".1", "-.1", "1.e1", "1e", "1e+", "1e-", "1e1.5", "1.2.3",
    "0x10", "1_000", "1,000", "--1", "- 1", "1-", "1e 5", "١", "1a", "-NaN", "-Infinity", "1f",
    "1.5.",
  ])
  func `what only looks like a number is refused`(text: String) {
    #expect(throws: JSONError.self) { try JSON(parsing: text) }
  }

  @Test(arguments: [
    (1.0, "1.0"), (-0.0, "-0.0"), (0.1, "0.1"), (1e16, "1e+16"), (1e-7, "1e-07"), (100, "100.0"),
    (.leastNonzeroMagnitude, "5e-324"), (.greatestFiniteMagnitude, "1.7976931348623157e+308"),
    (.infinity, "null"), (-.infinity, "null"), (.nan, "null"), (51.4775, "51.4775"),
  ])
  func `doubles are written shortly and stay doubles`(value: Double, text: String) {
    #expect(JSON.double(value).text() == text)
  }

  @Test(arguments: 1...10)
  func `every finite double comes back as it was`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for _ in 0..<2000 {
      let value = Double(bitPattern: random.next())
      guard value.isFinite else { continue }
      let parsed = try JSON(parsing: JSON.double(value).serialized())
      guard case .double(let parsed) = parsed else {
        Issue.record("\(value) came back as \(parsed)")
        continue
      }
      #expect(parsed.bitPattern == value.bitPattern)
    }
  }

  @Test(arguments: 1...10)
  func `decimals read the same as the compiler's library reads them`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for _ in 0..<2000 {
      let whole = random.next() >> UInt64.random(in: 0...63, using: &random)
      let fraction = random.next() >> UInt64.random(in: 0...63, using: &random)
      let text = "\(whole).\(fraction)e\(Int.random(in: -40...40, using: &random))"
      #expect(try JSON(parsing: text).double == Double(text))
    }
  }
}
