import Testing

@testable import MediaLibrary

/// Keys that give an order, and never run out.
struct OrderKeyTests {
  private func key(
    _ lower: OrderKey?, _ upper: OrderKey?, _ device: String = "a"
  ) throws -> OrderKey {
    let key = try #require(OrderKey(after: lower, before: upper, device: device))
    if let lower { #expect(lower < key) }
    if let upper { #expect(key < upper) }
    #expect(OrderKey(key.text) == key)
    return key
  }

  @Test func `trap M11: ten thousand inserts at the beginning leave room, in short keys`() throws {
    var first = try key(nil, nil)
    for _ in 0..<10_000 { first = try key(nil, first) }
    #expect(first.text.utf8.count < 16)
  }

  @Test func `trap M11: four hundred inserts on one side of a neighbour leave room`() throws {
    let lower = try key(nil, nil)
    var upper = try key(lower, nil)
    for _ in 0..<400 { upper = try key(lower, upper) }
    var last = lower
    for _ in 0..<100 { last = try key(last, upper) }
    #expect(upper.text.utf8.count < 500 && last.text.utf8.count < OrderKey.longest)
  }

  @Test func `ten thousand appends stay short`() throws {
    var last = try key(nil, nil)
    for _ in 0..<10_000 { last = try key(last, nil) }
    #expect(last.text.utf8.count < 16)
  }

  @Test func `two devices that insert in one place get different keys, with room between`() throws {
    let (lower, upper) = (try key(nil, nil), try key(key(nil, nil), nil))
    let one = try key(lower, upper, "laptop")
    let other = try key(lower, upper, "phone")
    #expect(one != other)
    _ = try key(min(one, other), max(one, other))
  }

  @Test(arguments: [1, 2, 3, 4, 5])
  func `wherever something is put, it stands there`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var keys: [OrderKey] = []
    for round in 0..<600 {
      let place = Int.random(in: 0...keys.count, using: &random)
      let lower = place > 0 ? keys[place - 1] : nil
      let upper = place < keys.count ? keys[place] : nil
      keys.insert(try key(lower, upper, ["a", "b", "c"][round % 3]), at: place)
    }
    #expect(keys == keys.sorted())
    #expect(Set(keys).count == keys.count)
  }

  @Test func `numbers keep their order, and a key fits between any two`() throws {
    let numbers: [Double] = [
      -1e300, -9_007_199_254_740_992, -4000, -63, -62, -1.5, -1, -0.25, 0, 1e-9, 0.5, 0.75, 1, 1.5,
      2, 61, 62, 63, 3843, 3844, 1e9, 9_007_199_254_740_992,
    ]
    let keys = numbers.map { OrderKey(position: $0) }
    #expect(keys.dropFirst().elementsEqual(keys.dropFirst().sorted()))
    for (lower, upper) in zip(keys, keys.dropFirst()) where lower != upper {
      _ = try key(lower, upper)
    }
    #expect(OrderKey(position: .nan) == OrderKey(position: 0))
    #expect(OrderKey(position: 1).text == "a1" && OrderKey(position: 1.5).text == "a1V")
  }

  @Test(arguments: ["", "a", "b1", "a1 ", "a10", "!!", "a1é", "1", "a1V0"])
  func `text that is not a key is refused`(text: String) { #expect(OrderKey(text) == nil) }

  @Test func `nothing is between keys that are not in order`() throws {
    let one = try #require(OrderKey("a1"))
    #expect(OrderKey(after: one, before: one, device: "a") == nil)
    #expect(OrderKey(after: OrderKey("a2"), before: one, device: "a") == nil)
  }
}
