import SegmentFormat
import SyncKit
import SyncKitTesting
import Testing

/// A remote that numbers what it has, was put back to an older state, and is filled again.

@Test func `a longer segment brings what a shorter one with the same end waits for`() async throws {
  let place = WatchedPlace()
  let (a, engineA) = try phone("a", place)
  let (b, engineB) = try phone("b", place)
  try a.add("1", "Ada")
  try a.set(.synced, "1")
  for engine in [engineA, engineB] { try await engine.syncNow() }
  for name in ["first", "second"] {
    try a.edit("1", ["name": .string(name)])
    try await engineA.syncNow()
  }
  var segments = try await place.segments(of: "people")
  let second = segments.removeLast()
  let first = segments.removeLast()
  place.hold([first.info.head])
  #expect(try await engineB.syncNow().waiting > 0)
  try await place.begin(with: segments + [joined(first, second)])
  place.hold([])
  let report = try await engineB.syncNow()
  #expect(report.waiting == 0 && report.pulled > 0)
  #expect(try b.person("1")?["name"] == "second")
}

/// Two segments that follow each other as one.
private func joined(_ first: Segment, _ second: Segment) throws -> Segment {
  #expect(first.info.last + 1 == second.info.first && first.info.head == second.info.previous)
  let coding = DeflateSegmentCoding()
  var info = first.info
  info.last = second.info.last
  info.head = second.info.head
  info.operations += second.info.operations
  info.deletions += second.info.deletions
  info.newest = max(info.newest, second.info.newest)
  return try coding.segment(
    info, changes: coding.changes(of: first) + coding.changes(of: second))
}

@Test(arguments: 0..<8)
func `a series with another name after a fork is not sent again for ever`(
  story: Int
)
  async throws
{
  let left = InMemoryTransport()
  let right = InMemoryTransport()
  let storage = InMemoryStorage()
  let a = try TestDevice("a", left, storage: storage)
  let bridge = try TestDevice("bridge", left, right)
  try a.save("1", ["title": "x"])
  try await a.engine.syncNow()
  let clone = try TestDevice("clone", right, storage: InMemoryStorage(copying: storage))
  // Which of the two branches keeps the id is chance; the stories have both.
  try a.save("2", ["title": .string("by the original, \(story)")])
  try clone.save("3", ["title": .string("by the clone, \(story)")])
  for device in [a, a, clone, clone] { try await device.engine.syncNow() }
  try await bridge.adoptAll()
  var forks = 0
  for _ in 0..<4 {
    forks += await bridge.engine.sync().reduce(0) { $0 + $1.report.forks }
    for device in [a, clone] { try await device.engine.syncNow() }
  }
  #expect(forks > 0)
  for outcome in await bridge.engine.sync() {
    #expect(outcome.error == nil && outcome.report.pushed == 0)
  }
  for device in [a, clone] { #expect(try await device.engine.syncNow().pushed == 0) }
  for device in [a, clone, bridge] { #expect(try device.ids == ["1", "2", "3"]) }
}

@Test func `later parts that came back without earlier ones are sent once and not for ever`()
  async throws
{
  let place = WatchedPlace()
  let (a, engineA) = try phone("a", place)
  try a.add("1", "Ada")
  try a.set(.synced, "1")
  try await engineA.syncNow()
  for name in ["first", "second"] {
    try a.edit("1", ["name": .string(name)])
    try await engineA.syncNow()
  }
  var segments = try await place.segments(of: "people")
  segments.remove(at: segments.count - 2)
  try await place.begin(with: segments)
  #expect(try await engineA.syncNow().pushed > 0)
  for _ in 0..<3 { #expect(try await engineA.syncNow().pushed == 0) }
  // Once all of it is noted, there is nothing more to tell.
  #expect(place.told.suffix(2) == [0, 0])
}

@Test func `what a remote has only in part is sent again until it is complete there`()
  async throws
{
  let place = WatchedPlace()
  let (a, engineA) = try phone("a", place)
  try a.add("1", "Ada")
  try a.set(.synced, "1")
  for _ in 0..<2 { try await engineA.syncNow() }
  try await place.begin(with: place.segments(of: "people"))
  place.cut(true)
  #expect(try await engineA.syncNow().pushed > 0)
  place.cut(false)
  for _ in 0..<2 { #expect(try await engineA.syncNow().pushed == 0) }
}
