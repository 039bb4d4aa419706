import SyncKitTesting
import Testing

@testable import SyncKitModel
@testable import SyncKitStore

@Suite struct SortKeys {
  /// Values that lie close together in the order, in that order.
  private let ordered: [Value] = [
    .null, false, true, .double(-.infinity), .int(.min), .int(.min + 1), -2, .double(-1.5), -1, 0,
    .double(.leastNonzeroMagnitude), 1, .double(1.5), 2, .int(1 << 53), .int(1 << 53 + 1),
    .int(1 << 53 + 2), .int(.max - 1), .int(.max), .double(1e300), .double(.infinity),
    .double(.nan),
    .instant(.min), .instant(-1), .instant(0), .instant(.max), "", "\u{0}", "\u{0}\u{0}", "\u{0}a",
    "\u{1}",
    "a", "a\u{0}", "a\u{0}b", "a\u{1}", "ab", "b", "\u{E9}", .bytes([]), .bytes([0]),
    .bytes([0, 255]),
    .bytes([255]), .list([]), .list([.null]), .list([1]), .list([1, .null]), .list([2]),
    .list(["a"]),
    .map(ValueMap()), .map(ValueMap([("a", 1)])), .map(ValueMap([("a", 1), ("b", 0)])),
    .map(ValueMap([("a", 2)])),
  ]

  @Test func `the bytes are in the order of the values`() {
    for (left, right) in zip(ordered, ordered.dropFirst()) {
      #expect(SortKey.encode(left).precedes(SortKey.encode(right)), "\(left) \(right)")
      #expect(Value.sorts(left, before: right) && !Value.sorts(right, before: left))
    }
  }

  @Test func `the same number is one key, whatever its type`() {
    for (left, right): (Value, Value) in [
      (3, .double(3)), (0, .double(-0.0)), (.int(1 << 60), .double(0x1p60)), (-7, .double(-7)),
    ] {
      #expect(SortKey.encode(left) == SortKey.encode(right))
      #expect(Value.sortsEqual(left, right) && left != right)
    }
    #expect(!Value.sortsEqual(.int(1 << 60 + 1), .double(0x1p60)))
  }

  @Test func `no key is the beginning of another one`() {
    let keys = ordered.map(SortKey.encode)
    for (index, key) in keys.enumerated() {
      for (other, longer) in keys.enumerated() where other != index {
        #expect(!longer.starts(with: key), "\(ordered[index]) \(ordered[other])")
      }
    }
  }

  @Test func `texts with a beginning are those between two keys`() throws {
    let texts = ["", "\u{0}", "a", "a\u{0}", "a\u{0}b", "ab", "a\u{10FFFF}", "b", "\u{E9}a"]
    for start in texts {
      let lower = SortKey.beginning(start)
      let upper = try #require(lower.successor)
      for text in texts {
        let key = SortKey.encode(.string(text))
        #expect(
          (!key.precedes(lower) && key.precedes(upper)) == text.utf8.starts(with: start.utf8),
          "\(text.debugDescription) \(start.debugDescription)")
      }
    }
  }

  @Test(arguments: UInt64(0)..<20)
  func `random values keep their order, alone and in front of others`(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    for _ in 0..<300 {
      let (left, right) = (Value.random(using: &random), Value.random(using: &random))
      let (one, other) = (SortKey.encode(left), SortKey.encode(right))
      #expect(Value.sorts(left, before: right) == one.precedes(other))
      if one != other {
        #expect((one + [255]).precedes(other + [0]) == one.precedes(other), "\(left) \(right)")
      }
    }
  }
}
