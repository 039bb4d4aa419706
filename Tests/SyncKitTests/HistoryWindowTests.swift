import SegmentFormat
import SyncKit
import SyncKitTesting
import Synchronization
import Testing

private let day: Int64 = 86_400_000

/// Two devices that write a lot into a folder, of which one does not keep its history for long.
private struct Diary {
  let folder = InMemoryBlobStore()
  let clock = VirtualClock()
  var short: FolderDevice
  let long: FolderDevice

  /// `days` are kept by the one that keeps little.
  init(keeping days: Int64 = 10, hashes: UInt64 = 8) throws {
    short = try FolderDevice("short", folder, clock: clock)
    long = try FolderDevice("long", folder, clock: clock)
    short.history = Self.window(days, hashes)
  }

  static func window(_ days: Int64, _ hashes: UInt64 = 8) -> HistoryWindow {
    var window = HistoryWindow(keeping: days * day)
    (window.least, window.hashes) = (1, hashes)
    return window
  }

  /// The number of days, on each of which both write four times.
  func pass(_ days: Int, from start: Int = 0) async throws {
    for number in 4 * start..<4 * (start + days) {
      for device in [short, long] { try await device.save(RecordID("book \(number % 12)"), number) }
      clock.advance(by: day / 4)
    }
  }

  func settle(_ others: FolderDevice...) async throws {
    for _ in 0..<2 { for device in [short, long] + others { try await device.sync() } }
  }

  func device(_ name: String, _ folders: InMemoryBlobStore...) throws -> FolderDevice {
    try FolderDevice(name, folders.first ?? folder, clock: clock)
  }
}

extension FolderDevice {
  /// What is applied, by series.
  fileprivate var vector: [String] {
    get throws { try store.verify().flatMap { $0.vector.map { "\($0.replica)/\($0.seq)" } } }
  }

  fileprivate func count(_ table: Table) throws -> Int {
    var count = 0
    try device.storage.read { reader in
      try reader.scan(table, prefix: [], after: nil) { _, _ in
        count += 1
        return true
      }
    }
    return count
  }

  /// The bytes of all rows.
  fileprivate var size: Int {
    get throws {
      var size = 0
      try device.storage.read { reader in
        for table in Table.allCases {
          try reader.scan(table, prefix: [], after: nil) { key, value in
            size += key.count + value.count
            return true
          }
        }
      }
      return size
    }
  }
}

@Test func `old changes go, and what they have made stays as it is`() async throws {
  let diary = try Diary()
  try await diary.pass(40)
  try await diary.settle()
  #expect(try diary.short.count(.segment) < diary.long.count(.segment) / 2)
  #expect(try diary.short.size < diary.long.size / 2)
  #expect(try diary.short.device.digests == diary.long.device.digests)
  #expect(try diary.short.vector == diary.long.vector)
  #expect(try diary.short.store.states(in: .home) == diary.long.store.states(in: .home))
  #expect(try diary.short.isSound)
  // What is younger than the window is there, one by one.
  let begins = try #require(try diary.short.store.historyBegins())
  #expect(begins <= diary.clock.now - 9 * day && begins >= diary.clock.now - 16 * day)
  var filter = HistoryFilter()
  filter.since = begins + 1
  let batches = try diary.short.store.history(filter).map(\.id)
  #expect(batches.count >= 60)
  #expect(try batches == diary.long.store.history(filter).map(\.id))
  #expect(try diary.long.store.historyBegins() == nil)
}

@Test func `letting go changes neither state nor vector, and again nothing`() async throws {
  let diary = try Diary()
  var device = diary.short
  device.history = nil
  try await diary.long.sync()
  for number in 0..<60 {
    try await device.save(RecordID("book \(number % 7)"), number)
    diary.clock.advance(by: day)
  }
  try await diary.long.save("other", 1)
  let segments = try device.count(.segment)
  device.history = Diary.window(20)
  for _ in 0..<2 {
    try await device.sync()
    try await diary.long.sync()
  }
  for _ in 0..<2 {
    #expect(try device.device.digests == diary.long.device.digests)
    #expect(try device.vector == diary.long.vector)
    #expect(try device.store.states(in: .home) == diary.long.store.states(in: .home))
    #expect(try device.count(.segment) < segments / 2)
    #expect(try device.isSound)
    let files = diary.folder.files
    try await device.sync()
    #expect(diary.folder.files == files)
  }
}

@Test func `a new place gets everything from a device that has let its history go`() async throws {
  let diary = try Diary()
  try await diary.pass(40)
  try await diary.settle()
  let second = InMemoryBlobStore(location: "second")
  var bridge = try FolderDevice(
    "short", diary.folder, second, storage: diary.short.device.storage, clock: diary.clock)
  bridge.history = diary.short.history
  try await bridge.sync()
  #expect(!second.snapshots.isEmpty)
  let far = try diary.device("far", second)
  try await far.sync()
  try await bridge.sync()
  try await far.sync()
  #expect(try far.device.digests == bridge.device.digests)
  #expect(try far.isSound)
  try await far.save("far", 7)
  for _ in 0..<2 {
    try await bridge.sync()
    try await diary.long.sync()
    try await far.sync()
  }
  #expect(try diary.long.device.book("far")?["rating"] == 7)
  #expect(try far.device.digests == diary.long.device.digests)
  let files = (diary.folder.files, second.files)
  for device in [bridge, diary.long, far] {
    let report = try await device.sync()
    #expect(report.pulled + report.pushed + report.waiting == 0)
  }
  #expect(diary.folder.files == files.0 && second.files == files.1)
}

@Test func `a wiped place is filled again by a device that has let its history go`() async throws {
  let remote = InMemoryTransport()
  let clock = VirtualClock()
  let device = try TestDevice("a", remote, clock: clock)
  var options = SyncOptions()
  options.history = Diary.window(5)
  for number in 0..<50 {
    try device.save(RecordID("book \(number % 5)"), ["rating": .int(Int64(number))])
    try await device.engine.syncNow(options)
    clock.advance(by: day)
  }
  #expect(try device.store.historyBegins() != nil)
  let place = InMemoryTransport()
  let moved = try TestDevice("a", place, storage: device.storage, clock: clock)
  options.consent = .adopt
  try await moved.engine.syncNow(options)
  let late = try TestDevice("late", place, clock: clock)
  try await late.engine.syncNow(options)
  try await moved.engine.syncNow(options)
  try await late.engine.syncNow(options)
  #expect(try late.digests == moved.digests)
  #expect(try late.store.records("book").count == 5)
}

@Test func `a place that numbers what it has is left in peace`() async throws {
  let remote = InMemoryTransport()
  let clock = VirtualClock()
  let short = try TestDevice("short", remote, clock: clock)
  let long = try TestDevice("long", remote, clock: clock)
  var options = SyncOptions()
  options.history = Diary.window(5)
  for number in 0..<60 {
    try short.save(RecordID("book \(number % 5)"), ["rating": .int(Int64(number))])
    try await short.engine.syncNow(options)
    try long.save(RecordID("tome \(number % 5)"), ["rating": .int(Int64(number))])
    try await long.engine.syncNow()
    clock.advance(by: day)
  }
  for _ in 0..<2 {
    try await short.engine.syncNow(options)
    try await long.engine.syncNow()
  }
  #expect(try short.store.historyBegins() != nil)
  #expect(try short.digests == long.digests)
  let count = try await remote.inventory(of: "books").segments.count
  // Also when all of it is listed again.
  try short.store.forgetRemote("remote0")
  options.consent = .adopt
  for _ in 0..<2 {
    let report = try await short.engine.syncNow(options)
    #expect(report.pulled + report.pushed + report.waiting == 0)
  }
  #expect(try await remote.inventory(of: "books").segments.count == count)
  #expect(try short.digests == long.digests)
}

@Test func `a folder that has all the old segments is read once and never again`() async throws {
  let diary = try Diary()
  let full = InMemoryBlobStore(location: "full")
  let relay = try FolderDevice("relay", diary.folder, full, clock: diary.clock)
  for start in 0..<20 {
    try await diary.pass(2, from: 2 * start)
    try await relay.sync()
  }
  try await diary.settle(relay)
  // This device has never met the second folder, and its owner has merged what lies there otherwise.
  var both = try FolderDevice(
    "short", diary.folder, full, storage: diary.short.device.storage, clock: diary.clock)
  both.history = diary.short.history
  for _ in 0..<2 {
    let report = try await both.sync()
    #expect(report.waiting == 0)
    try await relay.sync()
    try await diary.long.sync()
  }
  for device in [both, relay, diary.long] {
    #expect(try device.device.digests == diary.long.device.digests)
    #expect(try device.isSound)
  }
  #expect(full.snapshots.isEmpty)
  let files = (diary.folder.files, full.files)
  for device in [both, relay, diary.long] {
    let report = try await device.sync()
    #expect(report.pulled + report.pushed + report.waiting == 0)
  }
  #expect(diary.folder.files == files.0 && full.files == files.1)
}

@Test func `a device that began with a snapshot syncs with a remote that has all the changes`()
  async throws
{
  let pair = try BusyPair()
  let full = InMemoryBlobStore(location: "full")
  let relay = try FolderDevice("relay", pair.folder, full, clock: pair.clock)
  for round in 0..<30 {
    try await pair.work(20, from: 20 * round)
    try await relay.sync()
  }
  try await pair.settle(relay)
  #expect(!pair.folder.changes.contains { $0.contains("/1-") })
  #expect(full.changes.contains { $0.contains("/1-") })
  let late = try pair.device("late")
  try await late.sync()
  let both = try FolderDevice(
    "late", pair.folder, full, storage: late.device.storage, clock: pair.clock, pruning: 4 << 10)
  for _ in 0..<2 {
    let report = try await both.sync()
    #expect(report.waiting == 0)
    try await pair.settle(both, relay)
  }
  for device in [pair.a, pair.b, both, relay] {
    #expect(try device.device.digests == pair.a.device.digests)
    #expect(try device.isSound)
  }
  let before = (pair.folder.files, full.files)
  try await pair.settle(both, relay)
  #expect(full.files == before.1 && pair.folder.files == before.0)
}

@Test func `what is older than the history is refused, and what is younger is exact`() async throws
{
  let diary = try Diary()
  try diary.long.device.save("old", ["title": "Then", "rating": 1, "notes": "kept"])
  try await diary.long.sync()
  let first = try #require(try diary.long.store.history().first?.id)
  try await diary.pass(40)
  try diary.long.device.save("old", ["title": "Yesterday"])
  try await diary.settle()
  diary.clock.advance(by: 2 * day)
  try diary.long.device.save("old", ["title": "Now"])
  try diary.long.device.delete("book 3")
  try await diary.settle()
  let store = diary.short.store
  #expect(throws: SyncError.self) { try store.undo(first) }
  let key = RecordKey(collection: "book", id: "old")
  do {
    _ = try store.restore(key, at: diary.clock.now - 39 * day)
    Issue.record("what the record was then cannot be known")
  } catch let error as SyncError {
    #expect(error.code == .notFound)
    #expect(error.hint != nil)
  }
  // Its creation is gone, and its last title but one is known all the same.
  _ = try store.restore(key, at: diary.clock.now - day)
  let book = try #require(try diary.short.device.book("old"))
  #expect(book["title"] == "Yesterday")
  #expect(book["rating"] == 1)
  #expect(book["notes"] == "kept")
  _ = try store.restore(key, at: diary.clock.now - 5 * day)
  #expect(try diary.short.device.book("old")?["title"] == "Then")
  _ = try store.restore(RecordKey(collection: "book", id: "book 3"), at: diary.clock.now - day)
  let record = try #require(try diary.short.device.book("book 3"))
  let same = try #require(try diary.long.device.book("book 3"))
  #expect(!record.isDeleted && record["rating"] == same["rating"])
}

@Test func `what was too large to be told is not guessed`() async throws {
  let diary = try Diary()
  func long(_ letter: String) -> Value { .string(String(repeating: letter, count: 600_000)) }
  try diary.long.device.save("old", ["title": long("a"), "rating": 1])
  try await diary.long.sync()
  try await diary.pass(40)
  try await diary.settle()
  diary.clock.advance(by: 2 * day)
  try diary.long.device.save("old", ["title": long("b")])
  try await diary.settle()
  let key = RecordKey(collection: "book", id: "old")
  #expect(throws: SyncError.self) {
    try diary.short.store.restore(key, at: diary.clock.now - day)
  }
  #expect(try diary.short.device.book("old")?["title"] == long("b"))
  // A device with the whole history knows it.
  _ = try diary.long.store.restore(key, at: diary.clock.now - day)
  #expect(try diary.long.device.book("old")?["title"] == long("a"))
}

@Test func `a device that comes back after two hundred days finds its place`() async throws {
  var diary = try Diary(keeping: 0)
  var away = try diary.device("away")
  away.history = Diary.window(0)
  try await diary.pass(5)
  try await away.sync()
  try away.device.save("offline", ["title": "Written on the way", "rating": 2])
  for start in 0..<10 {
    diary.clock.advance(by: 18 * day)
    try await diary.pass(2, from: 5 + 2 * start)
  }
  diary.short.history = Diary.window(0)
  try await away.sync()
  try await diary.settle(away)
  for device in [diary.short, diary.long, away] {
    #expect(try device.device.book("offline")?["rating"] == 2)
    #expect(try device.device.digests == diary.long.device.digests)
    #expect(try device.isSound)
  }
}

@Test func `devices that keep nothing go on with a folder that is condensed`() async throws {
  let pair = try BusyPair()
  var (a, b) = (pair.a, pair.b)
  a.history = Diary.window(0, 32)
  b.history = Diary.window(0, 32)
  for number in 0..<300 {
    try await a.save(RecordID("book \(number % 40)"), number)
    if number.isMultiple(of: 3) { try await b.save(RecordID("book \((number + 7) % 40)"), number) }
    pair.clock.advance(by: day / 3)
  }
  for _ in 0..<2 { for device in [a, b] { try await device.sync() } }
  #expect(try a.device.digests == b.device.digests)
  #expect(!pair.folder.changes.contains { $0.contains("/1-") })
  let late = try pair.device("late")
  try await late.sync()
  try await a.sync()
  #expect(try late.device.digests == a.device.digests)
  for device in [a, b, late] { #expect(try device.isSound) }
  #expect(try a.count(.segment) < 60)
}

@Test func `two copies of one device that part are told from each other where hashes are kept`()
  async throws
{
  var diary = try Diary(keeping: 400, hashes: 256)
  try await diary.pass(5)
  let copied = InMemoryStorage(copying: diary.short.device.storage)
  let apart = InMemoryBlobStore(location: "apart")
  let copy = try FolderDevice("copy", apart, storage: copied, clock: diary.clock)
  for number in 0..<5 { try await copy.save(RecordID("copy \(number)"), number) }
  try await diary.pass(10, from: 5)
  diary.short.history = Diary.window(1, 256)
  try await diary.pass(1, from: 15)
  #expect(try diary.short.store.historyBegins() != nil)
  let back = try FolderDevice("copy", diary.folder, storage: copied, clock: diary.clock)
  for _ in 0..<2 { try await diary.settle(back) }
  for device in [diary.short, diary.long, back] {
    for number in 0..<5 {
      #expect(try device.device.book(RecordID("copy \(number)"))?["rating"] == .int(Int64(number)))
    }
    #expect(try device.device.digests == diary.long.device.digests)
    #expect(try device.isSound)
  }
}

@Test func `a place that lacks a part is waited for`() async throws {
  let diary = try Diary()
  let second = InMemoryBlobStore(location: "second")
  var both = try FolderDevice(
    "short", diary.folder, second, storage: diary.short.device.storage, clock: diary.clock)
  both.history = diary.short.history
  try await diary.pass(3)
  try await both.sync()
  // For weeks only the first folder is there.
  try await diary.pass(40, from: 3)
  #expect(try diary.short.store.history().count > 300)
  try await both.sync()
  try await diary.pass(2, from: 43)
  #expect(try diary.short.store.history().count < 150)
  let far = try diary.device("far", second)
  try await far.sync()
  #expect(try far.isSound)
  #expect(try far.store.history().count > 300)
}

/// How many removals still succeed.
private final class RemovalLimit: Sendable {
  let left = Mutex(Int.max)

  func take() throws {
    let isOver = left.withLock { left in
      guard left != .max else { return false }
      left -= 1
      return left < 0
    }
    if isOver { throw SyncError(.storeIO, "The disk is full.") }
  }
}

@Test func `a store that fails half way keeps everything`() async throws {
  let diary = try Diary(keeping: 400)
  try await diary.pass(30)
  try await diary.settle()
  let limit = RemovalLimit()
  let failing = AlteredStorage(
    inner: diary.short.device.storage,
    beforeRemoval: { if $0 == .segment { try limit.take() } })
  let environment = SyncEnvironment.seeded(SeededRandom(seed: 5), clock: diary.clock)
  let store = try SyncStore(
    Books(), storage: failing, coding: DeflateSegmentCoding(),
    device: Device(id: "device-short", name: "short"), environment: environment)
  let engine = SyncEngine(
    store: store,
    remotes: [
      Remote("r0", location: diary.folder.location, transport: BlobTransport(diary.folder))
    ])
  var options = SyncOptions()
  options.history = Diary.window(5)
  options.isCompaction = true
  let segments = try diary.short.count(.segment)
  let digests = try diary.short.device.digests
  for left in [1, 20, 60] {
    limit.left.withLock { $0 = left }
    await #expect(throws: SyncError.self) { try await engine.syncNow(options) }
    #expect(try diary.short.count(.segment) == segments)
    #expect(try diary.short.store.historyBegins() == nil)
    #expect(try diary.short.isSound)
  }
  limit.left.withLock { $0 = .max }
  try await engine.syncNow(options)
  #expect(try diary.short.count(.segment) < segments / 2)
  #expect(try diary.short.device.digests == digests)
  #expect(try diary.short.isSound)
}

@Test func `the option of an app says how long history is kept`() async throws {
  #expect(SyncOptions().keepHistory == .seconds(400 * 86_400))
  var options = SyncOptions()
  options.keepHistory = .zero
  #expect(options.history.kept == 0)
  options.keepHistory = .milliseconds(1_500)
  #expect(options.history.kept == 1_500)
}
