import SyncKit

extension Value {
  /// Values that break careless code: twins that look equal, extremes, and numbers that are none.
  public static let awkward: [Value] = [
    .null, .bool(false), .bool(true),
    .int(0), .int(1), .int(-1), .int(.max), .int(.min), .int(1 << 53), .int(1 << 53 + 1),
    .double(0), .double(-0.0), .double(1), .double(-1), .double(0.1), .double(0x1p53),
    .double(.infinity), .double(-.infinity), .double(.nan), .double(-.nan),
    .double(Double(nan: 7, signaling: false)),
    .double(.leastNonzeroMagnitude),
    .double(.greatestFiniteMagnitude), .double(-.greatestFiniteMagnitude),
    .instant(0), .instant(1), .instant(.max), .instant(.min),
    .string(""), .string("\u{0}"), .string("a"), .string("a\u{0}"), .string("b"), .string("A"),
    .string("\u{E9}"), .string("e\u{301}"), .string("\u{212B}"), .string("\u{C5}"),
    .string("\r\n"), .string("\u{1F1E9}\u{1F1EA}"), .string("\u{10FFFF}"),
    .string("0e37df36-f698-11e6-8dd4-cb9ced3df976"),
    .string("0E37DF36-F698-11E6-8DD4-CB9CED3DF976"),
    .string("0e37df36-f698-11e6-8dd4-cb9ced3df97"),
    .string("0e37df36-f698-11e6-8dd4cb9ced3df9760"),
    .bytes([]), .bytes([0]), .bytes([0xFF, 0xFE]), .bytes(Array("a".utf8)),
    .list([]), .list([.null]), .list([.int(1), .double(1)]), .list([.list([])]),
    .map(ValueMap()), .map(ValueMap([("a", .null)])),
    .map(ValueMap([("a", .int(1)), ("b", .int(2))])),
    .map(ValueMap([("\u{E9}", .int(1)), ("e\u{301}", .int(2))])),
  ]

  /// A random value, biased to awkward ones; lists and maps are nested at most `depth` deep.
  public static func random(
    depth: Int = 2, using random: inout some RandomNumberGenerator
  ) -> Value {
    switch Int.random(in: 0..<(depth > 0 ? 10 : 8), using: &random) {
    case 0: return .int(.random(in: .min ... .max, using: &random))
    case 1: return .int(.random(in: -3...3, using: &random))
    case 2: return .double(Double(bitPattern: random.next()))
    case 3: return .instant(.random(in: -1...1 << 48, using: &random))
    case 4: return .bytes((0..<Int.random(in: 0..<5, using: &random)).map { _ in random.byte() })
    case 5: return .string(text(using: &random))
    case 8:
      return .list(
        (0..<Int.random(in: 0..<4, using: &random)).map { _ in
          .random(depth: depth - 1, using: &random)
        })
    case 9:
      return .map(
        ValueMap(
          (0..<Int.random(in: 0..<4, using: &random)).map { _ in
            (FieldName(text(using: &random)), .random(depth: depth - 1, using: &random))
          }))
    default: return awkward[Int.random(in: 0..<awkward.count, using: &random)]
    }
  }

  private static func text(using random: inout some RandomNumberGenerator) -> String {
    let pieces = ["a", "b", "\u{E9}", "e\u{301}", "e", "\u{301}", "\u{0}", "\u{1F600}", " "]
    return (0..<Int.random(in: 0..<4, using: &random))
      .map { _ in pieces[Int.random(in: 0..<pieces.count, using: &random)] }.joined()
  }
}

extension RandomNumberGenerator {
  fileprivate mutating func byte() -> UInt8 { UInt8(truncatingIfNeeded: next()) }
}
