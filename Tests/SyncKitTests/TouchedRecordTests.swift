import SyncKit
import SyncKitTesting
import Testing

/// What is written by the way: it may make a record, and never revives one.
struct TouchedRecordTests {
  private let key = RecordKey(collection: "book", id: "1")

  private func touch(_ device: TestDevice, _ fields: [FieldName: Value]) throws -> WriteOutcome {
    try device.store.write {
      try $0.save(RecordDraft("book", id: "1", fields: fields, weight: .touch)).outcome
    }.result
  }

  @Test
  func `a touch makes a record that is not there`() throws {
    let device = try TestDevice("a", InMemoryTransport())
    #expect(try touch(device, ["title": "Dune"]) == .added)
    #expect(try device.store.record(key)?["title"] == "Dune")
    #expect(try touch(device, ["title": "Emma"]) == .changed)
    #expect(try touch(device, ["title": "Emma"]) == .unchanged)
  }

  @Test
  func `a touch leaves a deleted record deleted`() throws {
    let device = try TestDevice("a", InMemoryTransport())
    try device.save("1", ["title": "Dune"])
    try device.store.write { try $0.delete(key) }
    #expect(try touch(device, ["title": "Emma"]) == .unchanged)
    #expect(try device.store.record(key)?.isDeleted == true)
  }

  @Test
  func `a touch loses to a concurrent deletion, whatever its fields weigh`() async throws {
    let remote = InMemoryTransport()
    let a = try TestDevice("a", remote)
    let b = try TestDevice("b", remote)
    try a.save("1", ["title": "Dune"])
    for device in [a, b] { _ = try await device.engine.syncNow() }
    try a.store.write { try $0.delete(key) }
    #expect(try touch(b, ["title": "Emma"]) == .changed)
    for device in [a, b, a] { _ = try await device.engine.syncNow() }
    for device in [a, b] { #expect(try device.store.record(key)?.isDeleted == true) }
    #expect(try a.store.verify().map(\.digest) == b.store.verify().map(\.digest))
  }

  @Test
  func `undoing a touch that made a record removes it, undoing a later one does not`() throws {
    let device = try TestDevice("a", InMemoryTransport())
    _ = try touch(device, ["title": "Dune"])
    _ = try touch(device, ["rating": 5])
    let batches = try device.store.history().map(\.id)
    try #require(batches.count == 2)
    _ = try device.store.undo(batches[0])
    #expect(try device.store.record(key)?["title"] == "Dune")
    #expect(try device.store.record(key)?["rating"] == .null)
    #expect(try device.store.record(key)?.isDeleted == false)

    let other = try TestDevice("b", InMemoryTransport())
    _ = try touch(other, ["title": "Dune"])
    let batch = try #require(try other.store.history().first)
    _ = try other.store.undo(batch.id)
    #expect(try other.store.record(key)?.isDeleted == true)
  }

  @Test
  func `a date to come counts as now and does not win for ever`() async throws {
    let remote = InMemoryTransport()
    let a = try TestDevice("a", remote)
    let b = try TestDevice("b", remote)
    try a.save("1", ["title": "x"])
    for device in [a, b] { _ = try await device.engine.syncNow() }
    let distant: Int64 = 4_000_000_000_000
    try a.store.write {
      try $0.save(RecordDraft("book", id: "1", fields: ["title": "imported"], at: distant))
    }
    for rating in 0..<50 { try b.save("1", ["rating": .int(Int64(rating))]) }
    try b.save("1", ["title": "typed later"])
    for device in [a, b, a] { _ = try await device.engine.syncNow() }
    #expect(try a.store.record(key)?.modified ?? distant < distant)
    #expect(try a.store.record(key)?["title"] == "typed later")
  }
}
