import SegmentFormat
import SyncKit
import SyncKitTesting
import Testing

/// Two texts that are both shown become one text when they are written again, never a list.
struct KeptTextsTests {
  private let book = RecordKey(collection: "book", id: "1")
  private let clock = VirtualClock()
  private let both: Value = "from b\n\nfrom a"

  /// A device on which two texts stand beside each other in the notes of a book.
  private func device() async throws -> TestDevice {
    let remote = InMemoryTransport()
    let a = try TestDevice("a", remote, clock: clock)
    let b = try TestDevice("b", remote, clock: clock)
    try a.save("1", ["title": "x"])
    for device in [a, b] { try await device.engine.syncNow() }
    try a.save("1", ["notes": "from a"])
    clock.advance(by: 1_000)
    try b.save("1", ["notes": "from b"])
    for device in [a, b, a] { try await device.engine.syncNow() }
    #expect(try a.book("1")?["notes"] == .list(["from b", "from a"]))
    return a
  }

  @Test func `a restored record has one text`() async throws {
    let device = try await device()
    try device.delete("1")
    _ = try device.store.restore(book)
    #expect(try device.book("1")?["notes"] == both)
    #expect(try device.store.conflicts().isEmpty)
  }

  @Test func `a record that returns to an earlier time has one text`() async throws {
    let device = try await device()
    let then = clock.now
    clock.advance(by: 1_000)
    try device.save("1", ["title": "y"])
    _ = try device.store.restore(book, at: then)
    #expect(try device.book("1")?["title"] == "x")
    #expect(try device.store.conflicts().count == 1, "what is as it was then is not written")
    try device.save("1", ["notes": "later"])
    _ = try device.store.restore(book, at: then)
    #expect(try device.book("1")?["notes"] == both)
    try device.delete("1")
    _ = try device.store.restore(book, at: then)
    #expect(try device.book("1")?["notes"] == both)
  }

  @Test func `what was decided between two texts is undone to one text`() async throws {
    let device = try await device()
    for isResolved in [true, false] {
      if isResolved {
        try device.store.write { try $0.resolve(book, register: "notes", value: "decided") }
      } else {
        try device.save("1", ["notes": "decided"])
      }
      let batch = try #require(try device.store.history().first)
      #expect(batch.entries.first?.from == both)
      #expect(try device.store.undo(batch.id).skipped.isEmpty)
      #expect(try device.book("1")?["notes"] == both)
    }
  }

  @Test func `of a text and nothing the text stays`() async throws {
    let remote = InMemoryTransport()
    let a = try TestDevice("a", remote, clock: clock)
    let b = try TestDevice("b", remote, clock: clock)
    try a.save("1", ["title": "x", "notes": "former"])
    for device in [a, b] { try await device.engine.syncNow() }
    try a.save("1", ["notes": "from a"])
    clock.advance(by: 1_000)
    try b.save("1", ["notes": .null])
    for device in [a, b, a] { try await device.engine.syncNow() }
    try a.delete("1")
    _ = try a.store.restore(book)
    #expect(try a.book("1")?["notes"] == "from a")
  }

  @Test func `a record that others forgot is brought back with one text`() async throws {
    let day: Int64 = 86_400_000
    let folder = InMemoryBlobStore()
    let a = try FolderDevice("a", folder, clock: clock)
    let b = try FolderDevice("b", folder, clock: clock)
    let away = try FolderDevice("away", folder, clock: clock)
    try a.device.save("book", ["title": "A long story"])
    for device in [a, b, away] { try await device.sync() }
    try a.device.save("book", ["notes": "from a"])
    clock.advance(by: 1_000)
    try b.device.save("book", ["notes": "from b"])
    for device in [a, b, away, a] { try await device.sync() }
    try a.device.delete("book")
    for number in 0..<230 {
      clock.advance(by: day)
      for device in [a, b] { try await device.save("daily", number) }
    }
    #expect(try a.device.book("book") == nil)
    try away.device.save("book", ["rating": 5])
    for _ in 0..<2 { for device in [away, a, b] { try await device.sync() } }
    for device in [a, b, away] {
      #expect(try device.device.book("book")?["notes"] == both)
      #expect(try device.device.digests == a.device.digests)
    }
  }
}
