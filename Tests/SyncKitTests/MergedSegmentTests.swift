import SegmentFormat
import SyncKit
import SyncKitTesting
import Testing

@Test func `many small syncs leave few files, and a new device reads them all`() async throws {
  let folder = InMemoryBlobStore()
  let a = try FolderDevice("a", folder)
  var most = 0
  for number in 0..<600 {
    try await a.save(RecordID("\(number % 50)"), number)
    most = max(most, folder.segments.count)
  }
  // Seven of each power of eight, and those that wait for their holder to be there for a while.
  #expect(most < 60)
  #expect(folder.segments.count < 40)
  let b = try FolderDevice("b", folder)
  for device in [b, a] { try await device.sync() }
  #expect(try b.device.digests == a.device.digests)
  #expect(try b.ratings.sorted() == (550..<600).map(Int64.init))
  #expect(try b.store.history().count == 600)
}

@Test func `a quiet run writes and removes nothing, also when something could be tidied up`()
  async throws
{
  let folder = InMemoryBlobStore()
  let a = try FolderDevice("a", folder)
  let b = try FolderDevice("b", folder)
  for number in 0..<20 {
    try await a.save("1", number)
    let before = folder.segments
    for _ in 0..<2 { try await a.sync() }
    #expect(folder.segments == before)
  }
  try await b.sync()
  // A device that has not written says once what it has seen, and no more.
  try await a.sync()
  let before = folder.segments
  for device in [b, a, b] { try await device.sync() }
  #expect(folder.segments == before)
}

@Test func `what a merged segment holds goes only in a later run, and only when it can be read`()
  async throws
{
  let folder = InMemoryBlobStore()
  let a = try FolderDevice("a", folder)
  for number in 0..<7 { try await a.save("1", number) }
  #expect(folder.segments.count == 7)
  let report = try await a.save("1", 7)
  #expect(report.compaction.merged == 1)
  #expect(folder.segments.count == 9)
  let merged = try #require(folder.segments.first { $0.contains("/1-9-") })
  let whole = try #require(folder.files[merged])

  // As long as it was, and damaged: its size does not tell.
  folder.files[merged] = Array(whole.dropLast()) + [whole[whole.count - 1] ^ 1]
  let report2 = try await a.save("1", 8)
  #expect(report2.compaction.removed == 0)
  let b = try FolderDevice("b", folder)
  try await b.sync()
  #expect(try b.ratings == [8])

  folder.files[merged] = Array(whole.prefix(whole.count / 2))
  let next = try await a.save("1", 9)
  #expect(next.compaction.removed == 0)
  #expect(next.compaction.merged == 1)
  #expect(folder.segments.contains { $0.contains("/1-11-") })
  // With the small ones goes what was cut off: another one holds all that it should have held.
  let last = try await a.save("1", 10)
  #expect(last.compaction.removed == 11)
  // The merged one, the newest, and what the other device has written.
  #expect(folder.segments.count == 3)
}

@Test func `a merged segment that was lost later is replaced by what it was made of`() async throws
{
  let folder = InMemoryBlobStore()
  let a = try FolderDevice("a", folder)
  for number in 0..<10 { try await a.save("1", number) }
  let merged = try #require(folder.segments.first { $0.contains("/1-9-") })
  folder.files[merged] = nil
  let b = try FolderDevice("b", folder)
  try await b.sync()
  #expect(try b.ratings.isEmpty)
  try await a.sync()
  try await b.sync()
  #expect(try b.ratings == [9])
}

@Test func `two copies of one device that merge the same series lose nothing of either`()
  async throws
{
  let folder = InMemoryBlobStore()
  let a = try FolderDevice("a", folder)
  for number in 0..<12 { try await a.save("1", number) }
  let storage = InMemoryStorage(copying: a.device.storage)
  // Both go on under one id, and do not see each other at first.
  let apart = InMemoryBlobStore()
  apart.files = folder.files
  let lonely = try FolderDevice("copy", apart, storage: storage)
  for number in 0..<30 {
    try await a.save(RecordID("a\(number)"), number)
    try await lonely.save(RecordID("c\(number)"), number)
  }
  folder.files.merge(apart.files) { first, _ in first }
  let copy = try FolderDevice("copy", folder, storage: storage)
  for _ in 0..<3 {
    try await a.sync()
    try await copy.sync()
  }
  for number in 30..<60 {
    try await a.save(RecordID("a\(number)"), number)
    try await copy.save(RecordID("c\(number)"), number)
  }
  let b = try FolderDevice("b", folder)
  for device in [a, copy, b, a, copy] { try await device.sync() }
  #expect(try b.store.records("book").count == 121)
  #expect(try a.device.digests == b.device.digests)
  #expect(try copy.device.digests == b.device.digests)
}

@Test func `two devices that answer each other change by change are read by a third in one go`()
  async throws
{
  let folder = InMemoryBlobStore()
  let a = try FolderDevice("a", folder)
  let b = try FolderDevice("b", folder)
  for number in 0..<80 {
    try await a.save("1", 2 * number)
    try await b.save("1", 2 * number + 1)
  }
  try await a.sync()
  let late = try FolderDevice("late", folder)
  try await late.sync()
  #expect(try late.ratings == [159])
  // It has introduced itself.
  try await a.sync()
  #expect(try late.device.digests == a.device.digests)
  #expect(try late.store.verify().allSatisfy { $0.problems.isEmpty })
}

@Test func `no device merges what another one has written`() async throws {
  let folder = InMemoryBlobStore()
  let a = try FolderDevice("a", folder)
  let b = try FolderDevice("b", folder)
  for number in 0..<7 { try await a.save("1", number) }
  let before = Set(folder.segments)
  for number in 0..<30 {
    try await b.save("2", number)
    #expect(before.isSubset(of: folder.segments))
  }
  var options = SyncOptions()
  options.isCompaction = true
  try await b.engine.syncNow(options)
  #expect(before.isSubset(of: folder.segments))
}

@Test func `a relay sends another folder what it lacks, in whatever pieces it came`()
  async throws
{
  let near = InMemoryBlobStore(location: "near")
  let far = InMemoryBlobStore(location: "far")
  let a = try FolderDevice("a", near)
  for number in 0..<100 { try await a.save("1", number) }
  // It comes when most is merged, and meets the other folder by its own.
  let relay = try FolderDevice("relay", near, far)
  for number in 100..<120 {
    try await a.save("1", number)
    try await relay.sync()
  }
  let b = try FolderDevice("b", far)
  try await b.sync()
  #expect(try b.ratings == [119])
  #expect(try b.store.history().count == 120)
  for device in [a, relay, b] { try await device.sync() }
  let before = [near.segments, far.segments]
  for device in [a, relay, b] { try await device.sync() }
  let after = [near.segments, far.segments]
  #expect(after == before)
}

@Test(arguments: [10, 11, 30])
func `a compaction makes one file of many, at once`(syncs: Int) async throws {
  let folder = InMemoryBlobStore()
  let a = try FolderDevice("a", folder)
  for number in 0..<syncs { try await a.save("1", number) }
  let before = folder.files
  var options = SyncOptions()
  options.isCompaction = true
  options.isDryRun = true
  let planned = try await a.engine.syncNow(options).compaction
  #expect(planned.merged == 1)
  let isUntouched = folder.files == before
  #expect(isUntouched)
  options.isDryRun = false
  let done = try await a.engine.syncNow(options).compaction
  #expect(folder.segments.count == 1)
  #expect(done.files == 1)
  #expect(done.bytes == folder.segments.compactMap { folder.files[$0]?.count }.reduce(0, +))
  #expect(done.removed == before.keys.filter { $0.hasSuffix(".seg") }.count)
  let again = try await a.engine.syncNow(options).compaction
  #expect(!again.hasWork)
  let b = try FolderDevice("b", folder)
  try await b.sync()
  #expect(try b.store.history().count == syncs)
}

@Test
func `a segment that waits is known by its end, and the merged one that leads to it is fetched`()
  async throws
{
  let folder = InMemoryBlobStore()
  let a = try FolderDevice("a", folder)
  let b = try FolderDevice("b", folder)
  try await b.sync()
  for number in 0..<7 { try await a.save("1", number) }
  let early = folder.files
  try await a.save("1", 7)
  let after = folder.files
  // Of eight segments only the last one has arrived, and it waits.
  let last = try #require(folder.segments.first { $0.contains("/9-9-") })
  folder.files = after.filter { !$0.key.hasSuffix(".seg") || $0.key == last }
  #expect(try await b.sync().waiting > 0)
  // Now the merged one has come, which ends with the same hash, and the small ones are gone.
  let merged = try #require(after.keys.first { $0.contains("/1-9-") })
  folder.files = after.filter { early[$0.key] == nil || !$0.key.contains("/") }
  #expect(folder.files[merged] != nil)
  #expect(try await b.sync().waiting == 0)
  #expect(try b.ratings == [7])
}

@Test func `undone deletions are not a mass deletion when they come merged once more`()
  async throws
{
  let folder = InMemoryBlobStore()
  let a = try FolderDevice("a", folder)
  let b = try FolderDevice("b", folder)
  for number in 0..<60 { try a.device.save(RecordID("\(number)"), ["title": "t"]) }
  try await a.sync()
  try await b.sync()
  for start in [0, 20, 40] {
    for number in start..<start + 20 { try a.device.delete(RecordID("\(number)")) }
    try await a.sync()
    try await b.sync()
  }
  for number in 0..<60 { try b.device.save(RecordID("\(number)"), ["title": "again"]) }
  try await b.sync()
  try await a.sync()
  // b lacks only the last of what is merged, and takes the large segment, since the small one is gone.
  var options = SyncOptions()
  options.isCompaction = true
  try a.device.save("new", ["title": "n"])
  try await a.engine.syncNow(options)
  #expect(folder.segments.filter { $0.contains("/1-") && !$0.contains("/1-1-") }.count >= 1)
  let outcome = try #require(await b.engine.sync().first)
  #expect(outcome.error == nil)
  #expect(try b.device.ids.count == 61)
}

@Test(arguments: [0, 1, 100])
func `a merged segment that was cut off does not count for a device that has its changes in pieces`(
  left: Int
) async throws {
  let folder = InMemoryBlobStore()
  let a = try FolderDevice("a", folder)
  let b = try FolderDevice("b", folder)
  for number in 0..<8 { try await a.save("1", number) }
  let merged = try #require(folder.segments.first { $0.contains("/1-9-") })
  let whole = try #require(folder.files[merged])
  folder.files[merged] = nil
  // It takes the changes in from the small ones, and never sees how long the merged one should be.
  try await b.sync()
  folder.files[merged] = whole
  for number in 8..<12 { try await a.save("1", number) }
  #expect(!folder.segments.contains { $0.contains("/1-2-") })
  // Only the second device is left to store what the file held.
  folder.files[merged] = Array(whole.prefix(left))
  try await b.sync()
  let c = try FolderDevice("c", folder)
  try await c.sync()
  #expect(try c.ratings == [11])
  // The new device has written what it has taken in.
  try await b.sync()
  #expect(try c.device.digests == b.device.digests)
}
