import Testing

@testable import SyncKitEngine
@testable import SyncKitModel
@testable import SyncKitStore

private func segment(_ range: ClosedRange<UInt64>, size: Int? = 200) -> SegmentReference {
  SegmentReference(
    zone: .home, series: ReplicaID(high: 1, low: 1), first: range.lowerBound,
    last: range.upperBound, head: ContentHash(high: 0, low: range.upperBound), size: size,
    location: "\(range)")
}

private func merge(_ references: [SegmentReference]) -> ClosedRange<UInt64>? {
  let found = CompactionTiers(references).merge
  guard let first = found.first, let last = found.last else { return nil }
  return first.first...last.last
}

@Test func `eight of a size become one, and with them whatever is smaller and newer`() {
  let seven = (1...7).map { segment($0...$0) }
  #expect(merge(seven) == nil)
  #expect(merge(seven + [segment(8...8)]) == 1...8)
  let levels = (0..<7).map { segment($0 * 8 + 1...$0 * 8 + 8) }
  let singles = (57...63).map { segment($0...$0) }
  #expect(merge(levels + singles) == nil)
  #expect(merge(levels + singles + [segment(64...64)]) == 1...64)
  #expect(merge(levels.dropLast() + singles + [segment(64...64)]) == 57...64)
}

@Test func `nothing is merged over a gap or with a segment that is large already`() {
  let gap = (1...7).map { segment($0...$0) } + (9...15).map { segment($0...$0) }
  #expect(merge(gap) == nil)
  #expect(merge(gap + [segment(16...16)]) == 9...16)
  let large = [segment(1...1, size: 2 << 20)] + (2...9).map { segment($0...$0) }
  #expect(merge(large) == 2...9)
}

@Test func `only what one other holds whole may go`() {
  // Two that overlap hold a third between them, and neither holds it alone.
  #expect(CompactionTiers([segment(1...5), segment(4...9), segment(3...7)]).superseded.isEmpty)
  let found = CompactionTiers([segment(1...8), segment(1...1), segment(3...8), segment(9...9)])
    .superseded
  #expect(found.map(\.reference.location) == ["1...1", "3...8"])
  #expect(found.allSatisfy { $0.by.last == 8 })
  // A provider's copy of the same one is no other.
  #expect(CompactionTiers([segment(1...8), segment(1...8)]).superseded.isEmpty)
}

@Test(arguments: [100, 1_000, 10_000, 30_000])
func `a series of any length lies in seven segments for each factor of eight`(changes: UInt64) {
  var there: [SegmentReference] = []
  var written = 0
  var most = 0
  for number in 1...changes {
    there.append(segment(number...number))
    if let range = merge(there) {
      there.removeAll { $0.first >= range.lowerBound }
      there.append(segment(range))
      written += Int(range.upperBound - range.lowerBound) + 1
    }
    most = max(most, there.count)
  }
  var factors = 1
  while 1 << (3 * factors) < changes { factors += 1 }
  #expect(most <= 7 * factors + 1, "\(most) segments of \(changes) changes")
  #expect(written <= Int(changes) * factors, "\(changes) changes were written \(written) times")
}

@Test
func `a device that lacks a change takes the small segment, and one that lacks all the large one`()
{
  let there = [segment(1...64), segment(57...64), segment(64...64), segment(65...65)].map { [$0] }
  let late = SegmentChoice(there) { _, _ in 63 }
  #expect(late.chosen.map { $0[0].location } == ["64...64", "65...65"])
  #expect(late.spare.count == 2)
  let new = SegmentChoice(there) { _, _ in 0 }
  #expect(new.chosen.map { $0[0].location } == ["1...64", "65...65"])
  let between = SegmentChoice(there) { _, _ in 58 }
  #expect(between.chosen.map { $0[0].location } == ["57...64", "65...65"])
  // What leads nowhere from here is another branch, or waits.
  let apart = SegmentChoice([segment(3...5), segment(80...90)].map { [$0] }) { _, _ in 64 }
  #expect(apart.chosen.map { $0[0].location } == ["80...90"])
  #expect(apart.spare.map { $0[0].location } == ["3...5"])
}

@Test func `every segment is either chosen or kept for the case that the chosen ones do not come`()
{
  var word: UInt64 = 7
  func next(_ limit: UInt64) -> UInt64 {
    word = word &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return (word >> 33) % limit
  }
  for _ in 0..<200 {
    let there = (0..<Int(next(30))).map { _ in
      let first = 1 + next(50)
      return [segment(first...first + next(20))]
    }
    let known = next(60)
    let choice = SegmentChoice(there) { _, _ in known }
    #expect(choice.chosen.count + choice.spare.count == there.count)
    // No change behind what is known is left out that any segment has.
    let offered = Set(there.flatMap { Array($0[0].first...$0[0].last) }).filter { $0 > known }
    let covered = Set(choice.chosen.flatMap { Array($0[0].first...$0[0].last) })
    #expect(offered.isSubset(of: covered), "\(offered.subtracting(covered).sorted())")
  }
}
