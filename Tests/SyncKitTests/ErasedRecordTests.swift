import SyncKit
import SyncKitTesting
import Testing

/// A single record is erased on one device while others go on.
struct ErasedRecordTests {
  private let remote = InMemoryTransport()
  private let clock = VirtualClock()
  private let key = RecordKey(collection: "book", id: "book")

  private func device(_ name: String) throws -> TestDevice {
    try TestDevice(name, remote, clock: clock)
  }

  @Test func `an erased record is gone everywhere, with what was written beside it`() async throws {
    let (a, b) = (try device("a"), try device("b"))
    try a.save("book", ["title": "Secret", "rating": 1])
    for device in [a, b] { try await device.engine.syncNow() }
    try b.save("book", ["title": "Written beside it", "notes": "And more"])
    try a.store.write { try $0.erase(key) }
    for device in [a, b, a] { try await device.engine.syncNow() }
    for device in [a, b] {
      #expect(try device.ids.isEmpty)
      let state = try #require(try device.store.states(in: .home)[key])
      #expect(state.registers.isEmpty)
    }
    #expect(try a.digests == b.digests)
  }

  @Test func `an edit by a device that knows of the erasure stays`() async throws {
    let (a, b) = (try device("a"), try device("b"))
    try a.save("book", ["title": "Secret"])
    for device in [a, b] { try await device.engine.syncNow() }
    try a.store.write { try $0.erase(key) }
    for device in [a, b] { try await device.engine.syncNow() }
    try b.save("book", ["rating": 5])
    for device in [b, a] { try await device.engine.syncNow() }
    for device in [a, b] {
      #expect(try device.book("book")?["rating"] == 5)
      #expect(try device.book("book")?["title"] == .null)
    }
  }

  @Test func `an erased record is not restored, nor as of a time before`() async throws {
    let a = try device("a")
    try a.save("book", ["title": "Secret"])
    let before = clock.now
    clock.advance(by: 1_000)
    try a.store.write { try $0.erase(key) }
    #expect(throws: SyncError.self) { try a.store.restore(key) }
    #expect(throws: SyncError.self) { try a.store.restore(key, at: before) }
    #expect(try a.ids.isEmpty)
    // Not even when it has been written again.
    try a.save("book", ["rating": 2])
    #expect(throws: SyncError.self) { try a.store.restore(key, at: before) }
    #expect(try a.book("book")?["title"] == .null)
    // As of a time since then it is like any other.
    clock.advance(by: 1_000)
    let since = clock.now
    clock.advance(by: 1_000)
    try a.save("book", ["rating": 3])
    _ = try a.store.restore(key, at: since)
    #expect(try a.book("book")?["rating"] == 2)
  }

  @Test func `a record is not restored as of a time before its erasure from a short history`()
    async throws
  {
    let a = try device("a")
    let day: Int64 = 86_400_000
    var options = SyncOptions()
    options.history = HistoryWindow(keeping: 10 * day)
    (options.history.least, options.history.hashes) = (1, 8)
    try a.save("book", ["title": "Secret"])
    for number in 0..<40 {
      try a.save(RecordID("other \(number % 5)"), ["rating": .int(Int64(number))])
      try await a.engine.syncNow(options)
      clock.advance(by: day)
    }
    try a.save("book", ["rating": 1])
    let before = clock.now
    clock.advance(by: 1_000)
    #expect(try #require(try a.store.historyBegins()) < before)
    #expect(try a.store.restore(key, at: before).changed == 0, "it is what it was")
    try a.store.write { try $0.erase(key) }
    #expect(throws: SyncError.self) { try a.store.restore(key, at: before) }
    try a.save("book", ["notes": "Of the next one"])
    #expect(throws: SyncError.self) { try a.store.restore(key, at: before) }
    #expect(try a.book("book")?["title"] == .null)
    #expect(try a.book("book")?["rating"] == .null)
  }

  @Test func `undo brings nothing back that was erased since`() async throws {
    let (a, b) = (try device("a"), try device("b"))
    try a.save("book", ["title": "Secret", "tags": .list(["hidden"])])
    let edit = try a.store.write {
      _ = try $0.edit(key, ["tags": .list([]), "title": "Less secret"])
    }
    for device in [a, b] { try await device.engine.syncNow() }
    let beside = try b.store.write { _ = try $0.edit(key, ["rating": 1]) }
    let erasure = try a.store.write { try $0.erase(key) }
    try a.save("book", ["rating": 2])
    for device in [a, b, a] { try await device.engine.syncNow() }
    for device in [a, b] {
      for batch in [edit, beside, erasure].compactMap({ $0.summary.batch }) {
        let result = try device.store.undo(batch)
        #expect(result.skipped == ["\(key)"])
        #expect(result.summary.batch == nil)
      }
      let book = try #require(try device.book("book"))
      #expect(book["title"] == .null && book["rating"] == 2)
      #expect(book["tags"] == .null || book["tags"] == .list([]))
    }
  }
}
