import SyncKit
import SyncKitTesting
import Testing

/// What is there after an undo is what was there before.
struct UndoTests {
  private let book = RecordKey(collection: "book", id: "1")

  private func box(_ id: RecordID) -> RecordKey { RecordKey(collection: "box", id: id) }

  /// A box with another one in it.
  private func boxes() throws -> TestDevice {
    let device = try TestDevice("a", InMemoryTransport(), of: Boxes())
    try device.store.write { transaction in
      try transaction.save(RecordDraft("box", id: "outer", fields: ["label": "old"]))
      try transaction.save(
        RecordDraft("box", id: "inner", parent: box("outer"), fields: ["label": "kept"]))
    }
    return device
  }

  private func isThere(_ id: RecordID, _ device: TestDevice) throws -> Bool {
    try device.store.record(box(id))?.isDeleted == false
  }

  @Test func `undoing the return to an earlier time gives back what was, and keeps the record`()
    throws
  {
    let clock = VirtualClock()
    let device = try TestDevice("a", InMemoryTransport(), clock: clock)
    try device.save("1", ["title": "Then", "rating": 1, "tags": .list(["red"])])
    let then = clock.now
    clock.advance(by: 10)
    try device.save("1", ["title": "Now", "notes": "new", "tags": .list(["blue"])])
    let batch = try #require(try device.store.restore(book, at: then).batch)
    var record = try #require(try device.book("1"))
    #expect(record["title"] == "Then" && record["rating"] == 1)
    #expect(record["notes"] == .null && record["tags"] == .list(["red"]))
    #expect(try device.store.restore(book, at: then).batch == nil, "there is nothing to do")
    #expect(try device.store.undo(batch).skipped.isEmpty)
    record = try #require(try device.book("1"))
    #expect(!record.isDeleted)
    #expect(record["title"] == "Now" && record["rating"] == 1)
    #expect(record["notes"] == "new" && record["tags"] == .list(["blue"]))
  }

  @Test func `undoing an edit leaves the value that another device wrote at the same time`()
    async throws
  {
    let clock = VirtualClock()
    let remote = InMemoryTransport()
    let a = try TestDevice("a", remote, clock: clock)
    let b = try TestDevice("b", remote, clock: clock)
    try a.save("1", ["title": "First"])
    for device in [a, b] { try await device.engine.syncNow() }
    clock.advance(by: 10)
    try b.save("1", ["title": "Theirs"])
    clock.advance(by: 10)
    try a.save("1", ["title": "Mine"])
    let batch = try #require(try a.store.history().first?.id)
    for device in [a, b, a, b] { try await device.engine.syncNow() }
    #expect(try a.book("1")?["title"] == "Mine")
    #expect(try a.store.undo(batch).skipped.isEmpty)
    for device in [a, b] { try await device.engine.syncNow() }
    #expect(try a.book("1")?["title"] == "Theirs")
    #expect(try b.book("1")?["title"] == "Theirs")
  }

  @Test func `undoing the return of a deleted record to an earlier time deletes it`() throws {
    let clock = VirtualClock()
    let device = try TestDevice("a", InMemoryTransport(), clock: clock)
    try device.save("1", ["title": "Then"])
    let then = clock.now
    clock.advance(by: 10)
    try device.delete("1")
    let batch = try #require(try device.store.restore(book, at: then).batch)
    #expect(try device.book("1")?.isDeleted == false)
    #expect(try device.store.undo(batch).skipped.isEmpty)
    #expect(try device.book("1")?.isDeleted == true)
  }

  @Test func `a tree whose restore was undone comes back whole another time`() throws {
    let device = try boxes()
    try device.store.write { try $0.delete(box("outer")) }
    let batch = try #require(try device.store.restore(box("outer")).batch)
    #expect(try isThere("inner", device))
    #expect(try device.store.undo(batch).skipped.isEmpty)
    #expect(try !isThere("outer", device) && !isThere("inner", device))
    _ = try device.store.restore(box("outer"))
    #expect(try isThere("outer", device) && isThere("inner", device))
    #expect(try device.store.record(box("inner"))?["label"] == "kept")
  }

  @Test func `undoing a creation over a deleted tree deletes it again`() throws {
    let device = try boxes()
    try device.store.write { try $0.delete(box("outer")) }
    let batch = try #require(
      try device.store.write {
        try $0.save(RecordDraft("box", id: "outer", fields: ["label": "new"]))
      }.summary.batch)
    #expect(try isThere("outer", device) && !isThere("inner", device))
    #expect(try device.store.undo(batch).skipped.isEmpty)
    #expect(try !isThere("outer", device) && !isThere("inner", device))
    _ = try device.store.restore(box("outer"))
    #expect(try isThere("inner", device))
  }

  @Test func `undoing what was done in a tree leaves the tree deleted that was deleted since`()
    throws
  {
    let device = try boxes()
    let edit = try device.store.write { _ = try $0.edit(box("inner"), ["label": "other"]) }
    let deletion = try device.store.write { try $0.delete(box("inner")) }
    try device.store.write { try $0.delete(box("outer")) }
    for batch in [deletion, edit].compactMap({ $0.summary.batch }) {
      #expect(try device.store.undo(batch).skipped == ["\(box("inner"))"])
      #expect(try !isThere("outer", device) && !isThere("inner", device))
    }
    _ = try device.store.restore(box("outer"))
    #expect(try isThere("outer", device) && !isThere("inner", device))
    #expect(try device.store.undo(try #require(deletion.summary.batch)).skipped.isEmpty)
    #expect(try isThere("inner", device))
  }

  @Test func `a hidden record's edit is not undone, and its move out of the deleted tree is`()
    throws
  {
    let device = try boxes()
    try device.store.write {
      _ = try $0.save(RecordDraft("box", id: "other", fields: ["label": "to be deleted"]))
    }
    let move = try device.store.write {
      _ = try $0.save(
        RecordDraft("box", id: "inner", parent: box("other"), fields: ["label": "kept"]))
    }
    let edit = try device.store.write { _ = try $0.edit(box("inner"), ["label": "moved"]) }
    try device.store.write { try $0.delete(box("other")) }
    #expect(
      try device.store.undo(try #require(edit.summary.batch)).skipped == ["\(box("inner"))"])
    #expect(try !isThere("other", device) && !isThere("inner", device))
    #expect(try device.store.undo(try #require(move.summary.batch)).skipped.isEmpty)
    #expect(try !isThere("other", device) && isThere("inner", device))
    #expect(try device.store.record(box("inner"))?["label"] == "moved")
  }

  @Test func `what was edited and deleted at once comes back as it was, in any order`() throws {
    for ids in [["outer", "inner"], ["inner", "outer"]] as [[RecordID]] {
      let device = try boxes()
      let batch = try #require(
        try device.store.write { transaction in
          try transaction.edit(box("inner"), ["label": "other"])
          // Deleting the outer one first hides the inner one.
          for id in ids where try transaction.record(box(id))?.isDeleted == false {
            try transaction.delete(box(id))
          }
        }.summary.batch)
      #expect(try device.store.undo(batch).skipped.isEmpty, "\(ids)")
      #expect(try isThere("outer", device) && isThere("inner", device))
      #expect(try device.store.record(box("outer"))?["label"] == "old")
      #expect(try device.store.record(box("inner"))?["label"] == "kept")
    }
  }
}
