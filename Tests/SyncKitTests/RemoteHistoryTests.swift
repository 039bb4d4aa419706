import SegmentFormat
import SyncKit
import SyncKitTesting
import Synchronization
import Testing

private let day: Int64 = 86_400_000

/// Devices that meet in a folder which keeps history beside its snapshots.
private struct Neighbours {
  let folder = InMemoryBlobStore()
  let clock = VirtualClock()
  var a: FolderDevice
  var b: FolderDevice
  var history = RemoteHistory()

  /// `slack` is what changes may take more than the live data.
  init(slack: Int = 24 << 10) throws {
    history.slack = slack
    a = try Self.device("a", [folder], clock, history)
    b = try Self.device("b", [folder], clock, history)
  }

  static func device(
    _ name: String, _ folders: [InMemoryBlobStore], _ clock: VirtualClock, _ history: RemoteHistory
  ) throws -> FolderDevice {
    var device = try FolderDevice(name, folders, clock: clock, pruning: 4 << 10)
    device.remoteHistory = history
    return device
  }

  func device(_ name: String) throws -> FolderDevice {
    try Self.device(name, [folder], clock, history)
  }

  /// Both write the same forty books over and over, some of them at the same time.
  func work(_ numbers: Range<Int>, every pause: Int64 = 60_000) async throws {
    for number in numbers {
      let book = RecordID("book \(number % 40)")
      if number.isMultiple(of: 5) {
        try b.device.save(book, ["isbn": .string("b \(number)"), "source": "b"])
        try await b.sync()
        try a.device.save(book, ["isbn": .string("a \(number)"), "source": "a"])
      }
      try await a.save(book, number)
      clock.advance(by: pause)
    }
  }

  func settle(_ others: FolderDevice...) async throws {
    for _ in 0..<2 { for device in [a, b] + others { try await device.sync() } }
  }
}

extension FolderDevice {
  /// What a person can look up: all batches with what was done in each.
  fileprivate var past: [String] {
    get throws {
      try store.history().map { batch in
        "\(batch.id) \(batch.at) \(batch.isComplete) "
          + batch.entries.map {
            "\($0.kind) \($0.key.id) \($0.field.map { "\($0)" } ?? "") \(String(describing: $0.to))"
          }.joined(separator: ", ")
      }.sorted()
    }
  }

  /// Syncs, and expects all that another device can look up.
  fileprivate func catchesUp(with other: FolderDevice) async throws {
    try await sync()
    #expect(try store.historyBegins() == nil)
    let (mine, theirs) = (Set(try past), Set(try other.past))
    let missing = theirs.subtracting(mine).count
    #expect(missing == 0, "\(missing) of \(theirs.count) are missing")
    #expect(mine.isSubset(of: theirs))
    // What it has acknowledged just now has to come there.
    try await other.sync()
    let isSame = try device.digests == other.device.digests
    #expect(isSame)
  }
}

extension InMemoryBlobStore {
  /// The bytes of changes, and of snapshots.
  fileprivate var sizes: (changes: Int, snapshots: Int) {
    let files = files
    let size = { (names: [String]) in names.reduce(0) { $0 + (files[$1]?.count ?? 0) } }
    return (size(changes), size(snapshots))
  }
}

@Test func `a device that was off for a moment has all that happened meanwhile in its history`()
  async throws
{
  let neighbours = try Neighbours()
  let c = try neighbours.device("c")
  try await neighbours.work(0..<4)
  try await c.sync()
  try await neighbours.work(4..<150)
  try await neighbours.settle()
  #expect(!neighbours.folder.snapshots.isEmpty, "nothing stands for the changes")
  try await c.catchesUp(with: neighbours.a)
  // A batch of that time is undone here as anywhere.
  let batch = try #require(
    neighbours.a.store.history().first { $0.entries.contains { $0.key.id == "book 33" } })
  #expect(try c.store.undo(batch.id).skipped.isEmpty)
  try await c.sync()
  try await neighbours.settle(c)
  #expect(try neighbours.a.device.digests == c.device.digests)
  #expect(try neighbours.a.device.book("book 33")?["rating"] == 73)
}

@Test func `a device that was off for 29 days gets changes, and after more than 30 a snapshot`()
  async throws
{
  var neighbours = try Neighbours(slack: 1 << 20)
  // Each change by itself, so that each goes on its day.
  neighbours.a.fanout = .max
  neighbours.b.fanout = .max
  let (c, d) = (try neighbours.device("c"), try neighbours.device("d"))
  try await neighbours.work(0..<4)
  try await d.sync()
  let first = neighbours.folder.changes
  try await neighbours.work(4..<124, every: day / 4)
  try await c.catchesUp(with: neighbours.a)
  try await neighbours.work(124..<124 + 29 * 4, every: day / 4)
  try await neighbours.settle()
  #expect(Set(first).isDisjoint(with: neighbours.folder.changes), "the first changes are there")
  try await c.catchesUp(with: neighbours.a)
  // It knows what it saw itself, and says since when it knows everything.
  try await d.sync()
  try await neighbours.a.sync()
  #expect(try d.device.digests == neighbours.a.device.digests)
  let begins = try #require(try d.store.historyBegins())
  #expect(begins <= neighbours.clock.now)
  let known = try Set(d.past)
  let later = try neighbours.a.store.history().filter { $0.at > begins }
  #expect(
    try neighbours.a.past.filter { line in later.contains { line.hasPrefix("\($0.id)") } }
      .allSatisfy(known.contains))
}

@Test func `the oldest changes go when all of them take too much room`()
  async throws
{
  let neighbours = try Neighbours()
  let (c, d) = (try neighbours.device("c"), try neighbours.device("d"))
  try await neighbours.work(0..<40)
  for device in [c, d] { try await device.sync() }
  var (most, least) = (0, Int.max)
  for number in 40..<500 {
    try await neighbours.work(number..<number + 1)
    if number < 480, number.isMultiple(of: 40) { try await c.sync() }
    let (changes, snapshots) = neighbours.folder.sizes
    // Of two snapshots one goes as soon as the other is proved.
    most = max(most, changes - snapshots)
    if number > 300 { least = min(least, changes) }
  }
  try await neighbours.settle()
  let (changes, snapshots) = neighbours.folder.sizes
  #expect(changes <= snapshots + neighbours.history.slack, "\(changes) beside \(snapshots)")
  #expect(most <= neighbours.history.slack + 8 << 10, "\(most)")
  #expect(least >= neighbours.history.slack / 2, "no more than \(least) were kept")
  try await c.catchesUp(with: neighbours.a)
  try await d.sync()
  try await neighbours.a.sync()
  #expect(try d.store.historyBegins() != nil)
  #expect(try d.device.digests == neighbours.a.device.digests)
}

@Test func `what was written long ago and sent just now is kept as long`() async throws {
  let neighbours = try Neighbours()
  let (c, ship) = (try neighbours.device("c"), try neighbours.device("ship"))
  try await neighbours.work(0..<4)
  for device in [c, ship] { try await device.sync() }
  for number in 0..<60 {
    try ship.device.save(RecordID("sea \(number)"), ["rating": .int(Int64(number))])
    neighbours.clock.advance(by: 60_000)
  }
  try await neighbours.work(4..<44, every: day)
  try await c.sync()
  // Its stamps are forty days old.
  try await ship.sync()
  try await neighbours.work(44..<200)
  try await neighbours.settle()
  #expect(!neighbours.folder.snapshots.isEmpty)
  try await c.catchesUp(with: neighbours.a)
}

@Test(arguments: [-1_000, 400])
func `a clock that is wrong costs history at most`(_ days: Int64) async throws {
  let neighbours = try Neighbours()
  let c = try neighbours.device("c")
  // One device lives in another time.
  let clock = VirtualClock(at: neighbours.clock.now + days * day)
  let wrong = try Neighbours.device("wrong", [neighbours.folder], clock, neighbours.history)
  try await neighbours.work(0..<4)
  for device in [wrong, c] { try await device.sync() }
  for number in 4..<300 {
    try await neighbours.work(number..<number + 1)
    if number.isMultiple(of: 3) { try await wrong.save(RecordID("wrong \(number % 9)"), number) }
    clock.advance(by: 60_000)
    if number == 280 { try await c.sync() }
  }
  try await neighbours.settle(wrong, c)
  #expect(try c.device.digests == neighbours.a.device.digests)
  let (changes, snapshots) = neighbours.folder.sizes
  // What no snapshot stands for yet comes on top.
  #expect(
    changes <= snapshots + neighbours.history.slack + 8 << 10, "\(changes) beside \(snapshots)")
  #expect(try c.isSound && wrong.isSound)
}

@Test func `a newcomer begins with the snapshot and says since when it knows everything`()
  async throws
{
  let neighbours = try Neighbours()
  try await neighbours.work(0..<300)
  try await neighbours.settle()
  try await neighbours.work(300..<303)
  #expect(!neighbours.folder.changes.contains { $0.contains("/1-") })
  let (changes, snapshots) = neighbours.folder.sizes
  let transport = ReadCount(neighbours.folder)
  let late = try neighbours.device("late")
  let engine = SyncEngine(
    store: late.store,
    remotes: [Remote("r0", location: "folder", transport: BlobTransport(transport))])
  try await engine.syncNow()
  #expect(transport.bytes < 2 * snapshots + changes / 2, "\(transport.bytes) of \(changes)")
  try await neighbours.a.sync()
  #expect(try late.device.digests == neighbours.a.device.digests)
  let begins = try #require(try late.store.historyBegins())
  let later = try neighbours.a.store.history().filter { $0.at > begins }
  #expect(!later.isEmpty)
  let known = try Set(late.store.history().map(\.id))
  #expect(later.allSatisfy { known.contains($0.id) })
  // And it reads nothing twice.
  let before = transport.bytes
  try await engine.syncNow()
  try await engine.syncNow()
  #expect(transport.bytes < before + 4 << 10)
}

@Test func `what owners have merged is there for a device that was off as well`() async throws {
  let neighbours = try Neighbours(slack: 96 << 10)
  let c = try neighbours.device("c")
  try await neighbours.work(0..<10)
  try await c.sync()
  try await neighbours.work(10..<600)
  for _ in 0..<2 { try await neighbours.work(600..<601) }
  try await neighbours.settle()
  #expect(!neighbours.folder.snapshots.isEmpty)
  #expect(neighbours.folder.files.count < 100, "\(neighbours.folder.files.count) files")
  try await c.catchesUp(with: neighbours.a)
}

@Test func `a device that syncs another folder through a relay has the history as well`()
  async throws
{
  // No device merges there what others have written, so it takes more room.
  let neighbours = try Neighbours(slack: 96 << 10)
  let second = InMemoryBlobStore(location: "second")
  let relay = try Neighbours.device(
    "relay", [neighbours.folder, second], neighbours.clock, neighbours.history)
  let far = try Neighbours.device("far", [second], neighbours.clock, neighbours.history)
  let helper = try Neighbours.device("helper", [second], neighbours.clock, neighbours.history)
  try await neighbours.work(0..<4)
  for device in [relay, far, helper] { try await device.sync() }
  for number in 4..<180 {
    try await neighbours.work(number..<number + 1)
    if number.isMultiple(of: 6) { for device in [relay, helper] { try await device.sync() } }
  }
  for _ in 0..<2 { for device in [relay, helper] { try await device.sync() } }
  #expect(!second.snapshots.isEmpty)
  try await far.catchesUp(with: relay)
  let before = (neighbours.folder.files, second.files)
  for _ in 0..<2 { try await neighbours.settle(relay, far, helper) }
  let then = (neighbours.folder.files, second.files)
  try await neighbours.settle(relay, far, helper)
  #expect(neighbours.folder.files == then.0 && second.files == then.1)
  #expect(second.changes.count <= before.1.count + 6)
}

@Test func `a quiet run writes nothing beside history, here or there`() async throws {
  let neighbours = try Neighbours()
  let c = try neighbours.device("c")
  try await neighbours.work(0..<200)
  try await neighbours.settle(c)
  try await neighbours.settle(c)
  let there = neighbours.folder.files
  let here = try c.device.keys
  neighbours.clock.advance(by: 1_000)
  for device in [neighbours.a, neighbours.b, c] { try await device.sync() }
  #expect(neighbours.folder.files == there)
  #expect(try c.device.keys == here)
}

@Test func `history goes when there is no room for what is new`() async throws {
  let neighbours = try Neighbours(slack: 48 << 10)
  let c = try neighbours.device("c")
  try await neighbours.work(0..<4)
  try await c.sync()
  try await neighbours.work(4..<260)
  try await neighbours.settle(c)
  #expect(!neighbours.folder.snapshots.isEmpty)
  let before = neighbours.folder.sizes.changes
  // Full but for a few bytes.
  let quota = RemoteQuota(bytes: neighbours.folder.size + 100)
  let engine = SyncEngine(
    store: c.store,
    remotes: [
      Remote(
        "r0", location: neighbours.folder.location,
        transport: QuotaTransport(
          BlobTransport(neighbours.folder), quota: quota, domains: ["books"]))
    ])
  try c.device.save("large", ["title": .string(String(repeating: "Dune ", count: 400))])
  #expect(try await engine.syncNow().pushed == 1)
  #expect(neighbours.folder.sizes.changes < 3 * before / 4)
  try await neighbours.settle(c)
  #expect(try neighbours.a.device.book("large") != nil)
  let late = try neighbours.device("late")
  try await neighbours.settle(c, late)
  #expect(try late.device.digests == neighbours.a.device.digests)
}

extension TestDevice {
  /// The names of all that is written down beside data.
  fileprivate var keys: [[UInt8]] {
    get throws {
      var keys: [[UInt8]] = []
      try storage.read { reader in
        try reader.scan(.meta, prefix: [], after: nil) { key, _ in
          keys.append(key)
          return true
        }
      }
      return keys
    }
  }
}

/// A folder that counts what is read of it.
private final class ReadCount: BlobStore {
  private let inner: InMemoryBlobStore
  private let count = Mutex(0)

  init(_ inner: InMemoryBlobStore) { self.inner = inner }

  var location: String { inner.location }
  var bytes: Int { count.withLock { $0 } }

  func prepare(creating mayCreate: Bool) async throws {
    try await inner.prepare(creating: mayCreate)
  }

  func list(_ folder: String, _ reach: BlobReach) async throws -> BlobListing {
    try await inner.list(folder, reach)
  }

  func get(_ name: String, upTo limit: Int) async throws -> [UInt8]? {
    let bytes = try await inner.get(name, upTo: limit)
    count.withLock { $0 += bytes?.count ?? 0 }
    return bytes
  }

  func put(_ name: String, _ bytes: [UInt8], replacing: Bool) async throws -> Bool {
    try await inner.put(name, bytes, replacing: replacing)
  }

  func delete(_ name: String) async throws { try await inner.delete(name) }
}
