import SegmentFormat
import SyncKit
import SyncKitTesting
import Testing

private let day: Int64 = 86_400_000

/// Two devices with a folder and a clock.
private struct Library {
  let folder = InMemoryBlobStore()
  let clock = VirtualClock()
  let a: FolderDevice
  let b: FolderDevice

  init() throws {
    a = try FolderDevice("a", folder, clock: clock)
    b = try FolderDevice("b", folder, clock: clock)
  }

  func device(_ name: String) throws -> FolderDevice {
    try FolderDevice(name, folder, clock: clock)
  }

  /// Days on which each of some devices writes something.
  func pass(_ days: Int, _ devices: FolderDevice...) async throws {
    for number in 0..<days {
      clock.advance(by: day)
      for device in devices { try await device.save("daily", number) }
    }
  }

  /// Days on which one device alone writes, until it forgets a book.
  func pass(until device: FolderDevice, forgets id: RecordID) async throws {
    for number in 1_000..<1_250 where try device.rows(of: id) > 0 {
      clock.advance(by: day)
      try await device.save("daily", number)
    }
    #expect(try device.rows(of: id) == 0)
  }
}

extension FolderDevice {
  /// How many rows of books the store has, deleted ones included.
  fileprivate func rows(of id: RecordID) throws -> Int {
    try store.states(in: .home).keys.filter { $0.id == id }.count
  }

  /// Its own series.
  fileprivate var series: ReplicaID {
    get throws {
      let own = try store.records("_device").first { $0["name"] == .string(store.device.name) }
      return try #require(ReplicaID(own?.key.id.text ?? ""))
    }
  }
}

@Test func `a deleted record is forgotten a month after every device knows of it`() async throws {
  let library = try Library()
  let (a, b) = (library.a, library.b)
  try await a.save("gone", 1)
  try await b.save("stays", 2)
  try a.device.delete("gone")
  try await library.pass(29, a, b)
  #expect(try a.rows(of: "gone") == 1)
  try await library.pass(16, a, b)
  #expect(try a.rows(of: "gone") == 0)
  #expect(try b.rows(of: "gone") == 0)
  #expect(try a.rows(of: "stays") == 1)
  try await a.sync()
  #expect(try a.device.digests == b.device.digests)
  #expect(try a.store.verify().allSatisfy(\.problems.isEmpty))
  // In the history nothing has happened to it since it was deleted.
  var filter = HistoryFilter()
  filter.record = ("book", "gone")
  #expect(try b.store.history(filter).first?.entries.first?.kind == .delete)
  // It may be written again like any other.
  try await b.save("gone", 5)
  try await a.sync()
  #expect(try a.device.book("gone")?["rating"] == 5)
}

@Test func `what never leaves the device goes with its record`() async throws {
  let library = try Library()
  let (a, b) = (library.a, library.b)
  try a.device.save("gone", ["title": "Gone", "diary": "former secret"])
  try a.device.save("back", ["title": "Back", "diary": "former secret"])
  for device in [a, b] { try await device.sync() }
  for id in ["gone", "back"] as [RecordID] { try a.device.delete(id) }
  // Deleted it is still restorable as a whole.
  try a.store.write { try $0.restore(RecordKey(collection: "book", id: "back")) }
  #expect(try a.device.book("back")?["diary"] == "former secret")
  try a.device.delete("back")
  try a.device.save("back", ["title": "Back"])
  #expect(try a.device.book("back")?["diary"] == .null)
  try a.device.save("back", ["diary": "new"])
  #expect(try a.device.book("back")?["diary"] == "new")

  try await library.pass(45, a, b)
  #expect(try a.rows(of: "gone") == 0)
  let local = try a.device.storage.read { reader in
    var rows: [String] = []
    try reader.scan(.local, prefix: [], after: nil) { key, _ in
      rows.append(String(decoding: key, as: UTF8.self))
      return true
    }
    return rows
  }
  #expect(local == ["home\u{0}book\u{0}back"])
  // Also where it comes back from another device.
  try await b.save("gone", 5)
  try await a.sync()
  #expect(try a.device.book("gone")?["diary"] == .null)
}

@Test func `a device that has not acknowledged a deletion is waited for`() async throws {
  let library = try Library()
  let (a, b, away) = (library.a, library.b, try library.device("away"))
  try await a.save("gone", 1)
  try await away.sync()
  try a.device.delete("gone")
  try await library.pass(150, a, b)
  #expect(try a.rows(of: "gone") == 1)
  try await library.pass(60, a, b)
  #expect(try a.rows(of: "gone") == 0)
  // Nothing comes back with the one that was away, and its own writes count.
  try await away.save("new", 3)
  try await a.sync()
  #expect(try away.rows(of: "gone") == 0)
  #expect(try a.device.book("new")?["rating"] == 3)
  try await away.sync()
  try await b.sync()
  #expect(try a.device.digests == away.device.digests)
}

@Test func `an edit made elsewhere meanwhile brings a forgotten record back whole`() async throws {
  let library = try Library()
  let (a, b, away) = (library.a, library.b, try library.device("away"))
  try a.device.save("book", ["title": "A long story", "rating": 4, "tags": .list(["red"])])
  try await a.sync()
  try await away.sync()
  try a.device.delete("book")
  try await library.pass(230, a, b)
  #expect(try a.rows(of: "book") == 0)
  try away.device.save("book", ["rating": 5])
  for _ in 0..<2 { for device in [away, a, b] { try await device.sync() } }
  for device in [a, b, away] {
    let book = try #require(try device.device.book("book"))
    #expect(!book.isDeleted)
    #expect(book["rating"] == 5)
    #expect(book["title"] == "A long story")
    #expect(try device.device.digests == a.device.digests)
  }
}

@Test func `a snapshot without a forgotten record does not cut an edit of it to pieces`()
  async throws
{
  let pair = try BusyPair()
  let away = try pair.device("away")
  try pair.a.device.save("book", ["title": "A long story", "rating": 4])
  try await pair.a.sync()
  try await pair.settle(away)
  try pair.a.device.delete("book")
  for number in 0..<230 {
    pair.clock.advance(by: day)
    try await pair.work(2, from: 2 * number)
  }
  #expect(!pair.folder.changes.contains { $0.contains("/1-") })
  #expect(try pair.a.rows(of: "book") == 0)
  try away.device.save("book", ["rating": 5])
  try await away.sync()
  try await pair.settle(away)
  for device in [pair.a, pair.b, away] {
    #expect(try device.device.book("book")?["title"] == "A long story")
    #expect(try device.device.book("book")?["rating"] == 5)
    #expect(try device.device.digests == pair.a.device.digests)
    #expect(try device.isSound)
  }
}

@Test func `a clock that is a year ahead does not expire other devices`() async throws {
  let library = try Library()
  let (a, b) = (library.a, library.b)
  try await a.save("gone", 1)
  try await b.sync()
  try a.device.delete("gone")
  try await a.sync()
  library.clock.advance(by: 365 * day)
  try await library.pass(20, a)
  #expect(try a.rows(of: "gone") == 1)
  try await library.pass(60, a, b)
  #expect(try a.rows(of: "gone") == 0)
}

@Test func `a record that was forgotten and written again stays where both arrive at once`()
  async throws
{
  let library = try Library()
  let (a, b) = (library.a, library.b)
  try await a.save("gone", 1)
  try await b.save("x", 2)
  try a.device.delete("gone")
  try await library.pass(20, a, b)
  try await library.pass(until: a, forgets: "gone")
  #expect(try b.rows(of: "gone") == 1)
  try await a.save("gone", 5)
  for device in [b, a, b] { try await device.sync() }
  for device in [a, b] {
    #expect(try device.device.book("gone")?.isDeleted == false)
    #expect(try device.device.book("gone")?["rating"] == 5)
  }
  #expect(try a.device.digests == b.device.digests)
}

@Test func `a restored record stays, in whatever order the changes arrive`()
  async throws
{
  // Segments are taken in by the ids of their series: the device that forgets is the first or the second.
  var isFirst: Set<Bool> = []
  for name in ["away", "gone", "silent", "travel"] {
    let library = try Library()
    let (a, b, away) = (library.a, library.b, try library.device(name))
    try a.device.save("book", ["title": "A long story", "rating": 4])
    for device in [a, b, away] { try await device.sync() }
    try a.device.delete("book")
    try await library.pass(20, a, b)
    try await library.pass(until: a, forgets: "book")
    try away.device.save("book", ["rating": 5])
    for device in [away, b, a, away, b] { try await device.sync() }
    for device in [a, b, away] {
      let book = try #require(try device.device.book("book"))
      #expect(!book.isDeleted, "\(name)")
      #expect(book["rating"] == 5)
      #expect(book["title"] == "A long story")
      #expect(try device.device.digests == a.device.digests)
    }
    isFirst.insert(try a.series < away.series)
  }
  #expect(isFirst.count == 2)
}

@Test func `what was only used meanwhile does not come back through a snapshot`()
  async throws
{
  let pair = try BusyPair()
  let away = try pair.device("away")
  try pair.a.device.save("used", ["title": "A long story", "rating": 4])
  try pair.a.store.write { transaction in
    try transaction.save(
      RecordDraft("book", id: "learned", fields: ["title": "Dune", "rating": 1], weight: .touch))
    try transaction.save(RecordDraft("loan", id: "lent", fields: ["to": "Ann"]))
  }
  try await pair.a.sync()
  try await pair.settle(away)
  try pair.a.store.write { transaction in
    for id in ["used", "learned"] as [RecordID] {
      try transaction.delete(RecordKey(collection: "book", id: id))
    }
    try transaction.delete(RecordKey(collection: "loan", id: "lent"))
  }
  for number in 0..<230 {
    pair.clock.advance(by: day)
    try await pair.work(2, from: 2 * number)
  }
  #expect(!pair.folder.changes.contains { $0.contains("/1-") })
  for id in ["used", "learned", "lent"] as [RecordID] { #expect(try pair.a.rows(of: id) == 0) }
  // A usage counter, a touch of what a touch has made, and an edit where deletions win.
  try away.store.write { transaction in
    try transaction.save(RecordDraft("book", id: "used", fields: ["opened": .instant(7)]))
    try transaction.save(
      RecordDraft("book", id: "learned", fields: ["rating": 2], weight: .touch))
    try transaction.save(RecordDraft("loan", id: "lent", fields: ["to": "Bob"]))
  }
  try await away.sync()
  try await pair.settle(away)
  for device in [pair.a, pair.b, away] {
    #expect(try device.device.book("used")?.isDeleted != false)
    #expect(try device.device.book("learned")?.isDeleted != false)
    #expect(try device.store.record("loan", "lent")?.isDeleted != false)
    #expect(try device.device.digests == pair.a.device.digests)
    #expect(try device.isSound)
  }
}

@Test func `what comes back may be larger than a change`() async throws {
  let library = try Library()
  let (a, b, away) = (library.a, library.b, try library.device("away"))
  let long = Value.string(String(repeating: "long", count: 150_000))
  try a.device.save("book", ["title": long])
  try a.device.save("book", ["notes": long])
  for device in [a, b, away] { try await device.sync() }
  try a.device.delete("book")
  try await library.pass(20, a, b)
  try await library.pass(until: a, forgets: "book")
  try away.device.save("book", ["rating": 5])
  for _ in 0..<2 { for device in [away, a, b] { try await device.sync() } }
  for device in [a, b, away] {
    #expect(try device.device.book("book")?["title"] == long)
    #expect(try device.device.book("book")?["notes"] == long)
    #expect(try device.device.digests == a.device.digests)
  }
}

@Test func `what was forgotten does not come back into a record that was written again`()
  async throws
{
  let library = try Library()
  let (a, b, away) = (library.a, library.b, try library.device("away"))
  try a.device.save("book", ["title": "A long story", "notes": "Of the former one"])
  try await a.sync()
  try await away.sync()
  try a.device.delete("book")
  try await library.pass(230, a, b)
  #expect(try a.rows(of: "book") == 0)
  try b.device.save("book", ["title": "A short story"])
  try await b.sync()
  // Hears of the deletion and of the new record at once.
  try away.device.save("book", ["rating": 5])
  for _ in 0..<2 { for device in [away, a, b] { try await device.sync() } }
  for device in [a, b, away] {
    let book = try #require(try device.device.book("book"))
    #expect(!book.isDeleted)
    #expect(book["title"] == "A short story")
    #expect(book["rating"] == 5)
    #expect(book["notes"] == .null || book["notes"] == .list([]), "it was of the former record")
    #expect(try device.device.digests == a.device.digests)
  }
}
