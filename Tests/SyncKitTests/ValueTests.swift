import SyncKitTesting
import Testing

@testable import SyncKitEngine
@testable import SyncKitModel
@testable import SyncKitStore

/// When two values are the same, and which comes first.
struct ValueTests {
  static let values: [Value] = {
    var random = SeededRandom(seed: 1)
    return Value.awkward + (0..<60).map { _ in .random(using: &random) }
  }()

  @Test func `values are equal if and only if their bytes are`() {
    for left in Self.values {
      for right in Self.values {
        #expect(
          (left == right) == (left.canonicalBytes == right.canonicalBytes), "\(left) \(right)")
        if left == right { #expect(left.hashValue == right.hashValue, "\(left) \(right)") }
      }
    }
  }

  @Test func `texts are compared byte by byte`() {
    #expect(Value.string("\u{E9}") != .string("e\u{301}"))
    #expect(Value.string("\u{212B}") != .string("\u{C5}"))
    #expect(Value.map(ValueMap([("\u{E9}", 1)])) != .map(ValueMap([("e\u{301}", 1)])))
    #expect(ValueMap([("\u{E9}", 1), ("e\u{301}", 2)]).members.count == 2)
  }

  @Test func `doubles are compared bit by bit, but every NaN is one`() {
    #expect(Value.double(0) != .double(-0.0))
    #expect(Value.double(.nan) == .double(-.nan))
    #expect(Value.double(.nan) == .double(Double(nan: 7, signaling: true)))
    #expect(Value.double(1) != .int(1))
    #expect(Value.int(1) != .instant(1))
  }

  @Test func `the bytes can be read back`() throws {
    for value in Self.values {
      let read = try value.canonicalBytes.reading { try $0.value() }
      #expect(read == value)
      #expect(read.canonicalBytes == value.canonicalBytes)
    }
  }

  @Test func `members of a map are in one order, and the last of a name counts`() {
    let one = ValueMap([("b", 1), ("a", 2), ("b", 3)])
    let two = ValueMap([("a", 2), ("b", 3)])
    #expect(one == two)
    #expect(one.members.map(\.name) == ["a", "b"])
    var map = one
    map["a"] = nil
    map["c"] = nil
    #expect(map == ValueMap([("b", 3)]))
  }

  @Test func `exactly one of before, same and after holds for any two values`() {
    for left in Self.values {
      for right in Self.values {
        let answers = [
          Value.precedes(left, right), left == right, Value.precedes(right, left),
        ]
        #expect(answers.filter { $0 }.count == 1, "\(left) \(right)")
      }
    }
  }

  @Test func `the order runs in no circle`() {
    let sorted = Self.values.shuffledBySeed().sorted(by: Value.precedes)
    for (index, value) in sorted.enumerated() {
      for later in sorted[(index + 1)...] {
        #expect(!Value.precedes(later, value), "\(later) before \(value)")
      }
    }
  }

  @Test func `numbers are in the order of their size, NaN last`() {
    let ascending: [Value] = [
      .double(-.infinity), .int(.min), .double(-1.5), -1, 0, .double(0.5), 1, .double(1),
      .int(.max),
      .double(.infinity), .double(.nan),
    ]
    #expect(ascending.shuffledBySeed().sorted(by: Value.precedes) == ascending)
    #expect(Value.precedes(.null, .bool(false)))
  }
}

extension Array {
  fileprivate func shuffledBySeed() -> [Element] {
    var random = SeededRandom(seed: 9)
    return shuffled(using: &random)
  }
}
