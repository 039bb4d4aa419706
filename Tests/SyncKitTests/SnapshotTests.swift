import SegmentFormat
import SyncKit
import SyncKitTesting
import Testing

/// Two devices that write the same forty books over and over.
struct BusyPair {
  let folder = InMemoryBlobStore()
  let clock = VirtualClock()
  let a: FolderDevice
  let b: FolderDevice

  init() throws {
    a = try FolderDevice("a", folder, clock: clock, pruning: 4 << 10)
    b = try FolderDevice("b", folder, clock: clock, pruning: 4 << 10)
  }

  func work(_ rounds: Int, from start: Int = 0) async throws {
    for number in start..<start + rounds {
      try await a.save(RecordID("book \(number % 40)"), number)
      if number.isMultiple(of: 3) {
        try await b.save(RecordID("book \((number + 7) % 40)"), number)
      }
      clock.advance(by: 60_000)
    }
  }

  func device(_ name: String, _ others: InMemoryBlobStore...) throws -> FolderDevice {
    try FolderDevice(name, folder, clock: clock, pruning: 4 << 10)
  }

  func settle(_ others: FolderDevice...) async throws {
    for _ in 0..<2 { for device in [a, b] + others { try await device.sync() } }
  }
}

extension FolderDevice {
  /// Whether nothing is wrong in the store.
  var isSound: Bool { get throws { try store.verify().allSatisfy(\.problems.isEmpty) } }
}

@Test func `a new device begins with the snapshot and gets the same state`() async throws {
  let pair = try BusyPair()
  try await pair.work(300)
  try await pair.settle()
  #expect(!pair.folder.snapshots.isEmpty)
  #expect(!pair.folder.changes.contains { $0.contains("/1-") }, "the first changes are still there")
  let late = try pair.device("late")
  try await late.sync()
  try await pair.a.sync()
  #expect(try late.device.digests == pair.a.device.digests)
  #expect(try late.isSound)
  #expect(try late.store.history().count < 300)
  // It takes part like any other.
  try await late.save("new", -1)
  try await pair.work(200, from: 300)
  try await pair.settle(late)
  #expect(try late.device.digests == pair.a.device.digests)
  #expect(try pair.b.device.digests == pair.a.device.digests)
  #expect(try pair.b.ratings.contains(-1))
}

@Test func `a quiet run writes and removes nothing beside snapshots`() async throws {
  let pair = try BusyPair()
  try await pair.work(150)
  try await pair.settle()
  let late = try pair.device("late")
  try await pair.settle(late)
  let before = pair.folder.files
  try await pair.settle(late)
  #expect(pair.folder.files == before)
}

@Test func `a device that was away keeps what it wrote, sealed or not, and nothing comes back`()
  async throws
{
  let pair = try BusyPair()
  let away = try pair.device("away")
  try await pair.work(30)
  try await away.sync()
  // Sealed, and brought to another place alone.
  try away.device.save("mine", ["title": "Away", "rating": 1])
  try away.device.save("book 3", ["notes": "from afar"])
  let elsewhere = InMemoryBlobStore(location: "elsewhere")
  try await FolderDevice("away", elsewhere, storage: away.device.storage, clock: pair.clock).sync()
  // Not even sealed.
  try away.device.save("mine too", ["title": "Later"])
  try pair.a.device.delete("book 29")
  try await pair.a.save("book 4", 4)
  try pair.a.device.save("book 4", ["isbn": "2", "source": "a"])
  for number in 0..<400 {
    try await pair.a.save(RecordID("book \(number % 20)"), number)
    if number.isMultiple(of: 4) { try await pair.b.save(RecordID("book \(number % 19)"), number) }
  }
  // Newer than what is shown elsewhere, so only the rebase policy overrides it.
  try away.device.save("book 4", ["isbn": "1", "source": "away"])
  #expect(!pair.folder.changes.contains { $0.contains("/1-") })
  #expect(try await away.sync().overridden == 1)
  try await pair.settle(away)
  for device in [pair.a, pair.b, away] {
    #expect(try device.device.book("mine")?["title"] == "Away")
    #expect(try device.device.book("mine too")?["title"] == "Later")
    #expect(try device.device.book("book 3")?["notes"] == "from afar")
    // By the rebase policy of the group, what was not published is overridden.
    #expect(try device.device.book("book 4")?["isbn"] == "2")
    #expect(try device.device.book("book 29")?.isDeleted ?? true)
    #expect(try device.device.digests == away.device.digests)
    #expect(try device.isSound)
  }
}

@Test func `nothing goes before a second device has proved the snapshot`() async throws {
  let folder = InMemoryBlobStore()
  let clock = VirtualClock()
  let a = try FolderDevice("a", folder, clock: clock, pruning: 4 << 10)
  let b = try FolderDevice("b", folder, clock: clock, pruning: 4 << 10)
  try await b.save("b", 0)
  for number in 0..<200 { try await a.save(RecordID("book \(number % 20)"), number) }
  #expect(!folder.snapshots.isEmpty)
  let late = try FolderDevice("late", folder, clock: clock)
  try await late.sync()
  #expect(try late.store.history().count == 201, "changes went for an unproved snapshot")
  try await b.sync()
  let later = try FolderDevice("later", folder, clock: clock)
  try await later.sync()
  #expect(try later.store.history().count < 201)
  try await a.sync()
  #expect(try later.device.digests == a.device.digests)
}

@Test func `a lone device proves its snapshot by reading it back`() async throws {
  let folder = InMemoryBlobStore()
  let a = try FolderDevice("a", folder, pruning: 4 << 10)
  for number in 0..<300 { try await a.save(RecordID("book \(number % 20)"), number) }
  #expect(!folder.changes.contains { $0.contains("/1-") })
  let b = try FolderDevice("b", folder)
  try await b.sync()
  try await a.sync()
  #expect(try b.device.digests == a.device.digests)
}

@Test func `a snapshot that does not match the changes lets nothing go, and is reported`()
  async throws
{
  let folder = InMemoryBlobStore()
  let clock = VirtualClock()
  let a = try FolderDevice("a", folder, clock: clock, pruning: 4 << 10)
  let b = try FolderDevice("b", folder, clock: clock, pruning: 4 << 10)
  try await b.save("mine", 0)
  try await a.sync()
  // As a mistake of a program might have it: what is there was applied, and is gone.
  try a.device.storage.write { writer in
    var rows: [[UInt8]] = []
    try writer.scan(.record, prefix: [], after: nil) { row, _ in
      if row.suffix(4).elementsEqual("mine".utf8) { rows.append(row) }
      return true
    }
    for row in rows { try writer.delete(.record, row) }
  }
  var number = 0
  while folder.snapshots.isEmpty, number < 500 {
    try await a.save(RecordID("book \(number % 20)"), number)
    number += 1
  }
  let before = folder.changes
  let error = await #expect(throws: SyncError.self) { try await b.sync() }
  #expect(error?.code == .divergence)
  #expect(Set(folder.changes).isSuperset(of: before), "changes went for a wrong snapshot")
  #expect(try b.device.book("mine")?["rating"] == 0)
}

@Test func `a damaged snapshot lets nothing go`() async throws {
  let folder = InMemoryBlobStore()
  let a = try FolderDevice("a", folder, pruning: 4 << 10)
  var number = 0
  while folder.snapshots.isEmpty, number < 500 {
    try await a.save(RecordID("book \(number % 20)"), number)
    number += 1
  }
  for name in folder.snapshots {
    let bytes = try #require(folder.files[name])
    folder.files[name] = Array(bytes.dropLast()) + [bytes[bytes.count - 1] ^ 1]
  }
  for more in number..<number + 20 { try await a.save(RecordID("book \(more % 20)"), more) }
  let b = try FolderDevice("b", folder)
  try await b.sync()
  try await a.sync()
  #expect(try b.device.digests == a.device.digests)
  #expect(try b.store.history().count == number + 20)
}

@Test func `a damaged snapshot is taken away, and what it stood for comes again`() async throws {
  let pair = try BusyPair()
  try await pair.work(150)
  try await pair.settle()
  #expect(!pair.folder.changes.contains { $0.contains("/1-") })
  for name in pair.folder.snapshots {
    let bytes = try #require(pair.folder.files[name])
    pair.folder.files[name] = Array(bytes.dropLast()) + [bytes[bytes.count - 1] ^ 1]
  }
  let seen = try #require(await pair.a.engine.check().first)
  #expect(!seen.damaged.isEmpty)
  let check = try #require(await pair.a.engine.check(repairing: true).first)
  #expect(check.error == nil)
  #expect(check.damaged.isEmpty)
  try await pair.settle()
  let late = try pair.device("late")
  try await late.sync()
  try await pair.a.sync()
  #expect(try late.device.digests == pair.a.device.digests)
}

@Test func `a device with two folders sends the state to the one that lacks the changes`()
  async throws
{
  let pair = try BusyPair()
  try await pair.work(200)
  try await pair.settle()
  let second = InMemoryBlobStore(location: "second")
  let late = try FolderDevice("late", pair.folder, second, clock: pair.clock)
  try await late.sync()
  let far = try FolderDevice("far", second, clock: pair.clock)
  try await far.sync()
  try await late.sync()
  #expect(try far.device.digests == late.device.digests)
  try await far.save("far", 7)
  try await late.sync()
  try await pair.settle(late, far)
  #expect(try pair.a.device.book("far")?["rating"] == 7)
  #expect(try far.isSound)
  let before = (pair.folder.files, second.files)
  try await pair.settle(late, far)
  #expect(second.files == before.1 && pair.folder.files == before.0)
}

@Test func `two copies of one device that part below a snapshot lose nothing`() async throws {
  let pair = try BusyPair()
  try await pair.work(20)
  // A copy of a, which goes on alone and under the same id.
  let storage = InMemoryStorage(copying: pair.a.device.storage)
  let apart = InMemoryBlobStore(location: "apart")
  let copy = try FolderDevice("copy", apart, storage: storage, clock: pair.clock)
  for number in 0..<5 { try await copy.save(RecordID("copy \(number)"), number) }
  try await pair.work(90, from: 20)
  try await pair.settle()
  #expect(!pair.folder.changes.contains { $0.contains("/1-") })
  let late = try pair.device("late")
  try await late.sync()
  let back = try FolderDevice("copy", pair.folder, storage: storage, clock: pair.clock)
  try await pair.settle(back, late)
  try await pair.settle(back, late)
  for device in [pair.a, pair.b, late, back] {
    for number in 0..<5 {
      #expect(try device.device.book(RecordID("copy \(number)"))?["rating"] == .int(Int64(number)))
    }
    #expect(try device.device.digests == pair.a.device.digests)
    #expect(try device.isSound)
  }
}

@Test func `a snapshot of a copy that went on is ignored by a device that cannot recognise it`()
  async throws
{
  let pair = try BusyPair()
  try await pair.work(20)
  let apart = InMemoryBlobStore(location: "apart")
  let copy = try FolderDevice(
    "copy", apart, storage: InMemoryStorage(copying: pair.a.device.storage), clock: pair.clock,
    pruning: 1 << 10)
  for number in 0..<60 { try await copy.save("copied", number) }
  #expect(!apart.snapshots.isEmpty)
  // So long that only the devices that were there have the hashes of where they parted.
  try await pair.work(700, from: 20)
  try await pair.settle()
  let late = try pair.device("late")
  try await late.sync()
  for name in apart.snapshots { pair.folder.files[name] = apart.files[name] }
  for number in 0..<3 { try await late.save("late", number) }
  #expect(Set(apart.snapshots).isSubset(of: pair.folder.snapshots))
  for device in [pair.a, pair.b] {
    try await device.sync()
    #expect(try device.device.book("copied") != nil)
  }
}

@Test func `an old copy of a store finds its place, or says that it cannot`() async throws {
  let pair = try BusyPair()
  try await pair.work(20)
  let old = InMemoryStorage(copying: pair.a.device.storage)
  try await pair.work(100, from: 20)
  let recent = InMemoryStorage(copying: pair.a.device.storage)
  try await pair.work(500, from: 120)
  try await pair.settle()
  try await pair.work(6, from: 620)
  try await pair.settle()
  #expect(!pair.folder.changes.contains { $0.contains("/1-") })
  for (storage, name) in [(old, "old"), (recent, "recent")] {
    let back = try FolderDevice(name, pair.folder, storage: storage, clock: pair.clock)
    try back.device.save(RecordID("kept \(name)"), ["rating": 3])
    do {
      try await back.sync()
      try await pair.settle(back)
      #expect(try back.device.digests == pair.a.device.digests)
    } catch let error as SyncError {
      #expect(error.code == .fork, "\(error)")
      #expect(try back.isSound)
    }
    #expect(try back.device.book(RecordID("kept \(name)"))?["rating"] == 3)
  }
}

@Test func `a device that was away beyond every limit comes back and keeps its edits`()
  async throws
{
  let pair = try BusyPair()
  let away = try pair.device("away")
  try await pair.work(60)
  try await pair.settle(away)
  try away.device.save("offline", ["title": "Written on the way", "rating": 2])
  for day in 0..<260 {
    pair.clock.advance(by: 86_400_000)
    try await pair.work(3, from: 60 + 3 * day)
  }
  #expect(!pair.folder.changes.contains { $0.contains("/1-") })
  // The hashes of all these months are not kept for one that is away.
  let late = try pair.device("late")
  try await late.sync()
  #expect(try late.isSound)
  #expect(try late.device.storage.read { try KnownHashes.of($0) }.count < 1_200)
  try await away.sync()
  #expect(try away.isSound)
  try await pair.settle(away, late)
  for device in [pair.a, pair.b, late, away] {
    #expect(try device.device.book("offline")?["rating"] == 2)
    #expect(try device.device.digests == pair.a.device.digests)
    #expect(try device.isSound)
  }
  let before = pair.folder.files
  try await pair.settle(away, late)
  #expect(pair.folder.files == before)
}

@Test(arguments: [true, false])
func `what a device has not acknowledged does not make a snapshot grow without bound`(
  _ reads: Bool
) async throws {
  let pair = try BusyPair()
  let away = try pair.device("away")
  try await pair.work(60)
  try await pair.settle(away)
  try away.device.save("offline", ["title": "Written on the way", "rating": 2])
  // All of it within one day, so that no device is silent for long.
  for number in 60..<1_000 {
    try await pair.a.save(RecordID("book \(number % 40)"), number)
    if reads, number.isMultiple(of: 10) { try await pair.b.sync() }
    pair.clock.advance(by: 10_000)
  }
  try await pair.settle()
  #expect(!pair.folder.changes.contains { $0.contains("/1-") })
  let late = try pair.device("late")
  try await late.sync()
  let hashes = try late.device.storage.read { try KnownHashes.of($0) }.count
  #expect(hashes < 750, "\(hashes) hashes")
  try await away.sync()
  try await pair.settle(away, late)
  for device in [pair.a, pair.b, late, away] {
    #expect(try device.device.book("offline")?["rating"] == 2)
    #expect(try device.device.digests == pair.a.device.digests)
    #expect(try device.isSound)
  }
}

@Test
func `many small syncs leave about the live data and few files`()
  async throws
{
  let folder = InMemoryBlobStore()
  let clock = VirtualClock()
  let devices = try (0..<3).map {
    try FolderDevice("d\($0)", folder, clock: clock, pruning: CompactionLimits().leastPruned)
  }
  /// Words that hardly pack.
  func title(_ number: Int) -> String {
    (0..<10).map { "\((number + 1) &* 2_654_435_761 &* ($0 + 7) % 999_983)" }.joined(separator: " ")
  }
  var files = 0
  var sizes: [Int] = []
  for number in 0..<1_500 {
    let device = devices[number % 3]
    try device.device.save(
      RecordID("book \(number % 500)"),
      ["rating": .int(Int64(number)), "title": .string(title(number))])
    try await device.sync()
    clock.advance(by: 3_600_000)
    files = max(files, folder.files.count)
    if number > 700, number.isMultiple(of: 50) {
      for device in devices + devices { try await device.sync() }
      sizes.append(folder.size)
    }
  }
  for device in devices + devices { try await device.sync() }
  #expect(try devices[1].device.digests == devices[0].device.digests)
  #expect(try devices[2].device.digests == devices[0].device.digests)
  // The same data, written once.
  let alone = InMemoryBlobStore()
  let fresh = try FolderDevice("fresh", alone, clock: clock)
  for record in try devices[0].store.records("book") {
    try fresh.device.save(
      record.key.id, ["rating": record["rating"], "title": record["title"]])
  }
  try await fresh.sync()
  // A snapshot says more of each value than its bytes, and half as much again may wait for the next one.
  #expect(sizes.allSatisfy { $0 <= 5 * alone.size / 2 }, "\(sizes) bytes for \(alone.size)")
  #expect(files <= 60, "\(files) files")
}
