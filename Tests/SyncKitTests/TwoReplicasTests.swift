import SyncKit
import SyncKitTesting
import Testing

@Test func `two devices agree after meeting over a remote`() async throws {
  let remote = InMemoryTransport()
  let a = try TestDevice("a", remote)
  let b = try TestDevice("b", remote)
  try a.save("1", ["title": "Dune", "rating": 5, "isbn": "x", "tags": .list(["sf"])])
  try b.save("2", ["title": "Emma"])
  var report = try await a.engine.syncNow()
  #expect(report.pushed == 1)
  report = try await b.engine.syncNow()
  #expect(report.pulled == 1)
  #expect(report.pushed == 1)
  report = try await a.engine.syncNow()
  #expect(report.pulled == 1)
  #expect(report.pushed == 0)
  #expect(try a.store.records("book").map(\.key.id) == ["1", "2"])
  #expect(try b.store.record("book", "1")?["title"] == "Dune")
  #expect(try b.store.record("book", "1")?["tags"] == .list(["sf"]))
  #expect(try a.store.verify().map(\.digest) == b.store.verify().map(\.digest))
  #expect(try a.store.verify().allSatisfy { $0.problems.isEmpty })
  let count = remote.count
  report = try await b.engine.syncNow()
  report = try await a.engine.syncNow()
  #expect(remote.count == count)
}

@Test func `different fields of one record both survive and a delete loses to an edit`()
  async throws
{
  let remote = InMemoryTransport()
  let a = try TestDevice("a", remote)
  let b = try TestDevice("b", remote)
  try a.save("1", ["title": "Dune"])
  _ = try await a.engine.syncNow()
  _ = try await b.engine.syncNow()
  try a.save("1", ["rating": 4])
  try b.save("1", ["title": "Dune II", "tags": .list(["a", "b"])])
  for device in [a, b, a] { _ = try await device.engine.syncNow() }
  for device in [a, b] {
    let record = try #require(try device.store.record("book", "1"))
    #expect(record["rating"] == 4)
    #expect(record["title"] == "Dune II")
  }
  try a.store.write { try $0.delete(RecordKey(collection: "book", id: "1")) }
  try b.save("1", ["rating": 1])
  for device in [a, b, a] { _ = try await device.engine.syncNow() }
  #expect(try a.store.record("book", "1")?.isDeleted == false)
  #expect(try a.store.verify().map(\.digest) == b.store.verify().map(\.digest))
}

@Test func `concurrent published values stay until a person chooses one`() async throws {
  let remote = InMemoryTransport()
  let a = try TestDevice("a", remote)
  let b = try TestDevice("b", remote)
  try a.save("1", ["title": "x"])
  for device in [a, b] { _ = try await device.engine.syncNow() }
  try a.save("1", ["notes": "from a"])
  try b.save("1", ["notes": "from b"])
  for device in [a, b, a] { _ = try await device.engine.syncNow() }
  let conflicts = try a.store.conflicts()
  #expect(conflicts.count == 1)
  #expect(conflicts.first?.needsDecision == true)
  #expect(try b.store.conflicts().count == 1)
  try b.store.write {
    try $0.resolve(RecordKey(collection: "book", id: "1"), register: "notes", value: "both")
  }
  for device in [b, a] { _ = try await device.engine.syncNow() }
  #expect(try a.store.conflicts().isEmpty)
  #expect(try a.store.record("book", "1")?["notes"] == "both")
}

@Test func `a batch is undone on another device`() async throws {
  let remote = InMemoryTransport()
  let a = try TestDevice("a", remote)
  let b = try TestDevice("b", remote)
  try a.save("1", ["title": "x", "rating": 1])
  try a.save("1", ["title": "y", "rating": 2])
  for device in [a, b] { _ = try await device.engine.syncNow() }
  let batch = try #require(try b.store.history().first)
  #expect(batch.entries.count == 2)
  try b.save("1", ["rating": 3])
  let result = try b.store.undo(batch.id)
  #expect(result.skipped == ["book/1 rating"])
  for device in [b, a] { _ = try await device.engine.syncNow() }
  #expect(try a.store.record("book", "1")?["title"] == "x")
  #expect(try a.store.record("book", "1")?["rating"] == 3)
}

@Test func `two copies of one store that both go on become two replicas`() async throws {
  let remote = InMemoryTransport()
  let a = try TestDevice("a", remote)
  try a.save("1", ["title": "x"])
  _ = try await a.engine.syncNow()
  let clone = try TestDevice("clone", remote, storage: InMemoryStorage(copying: a.storage))
  try a.save("2", ["title": "from a"])
  try clone.save("3", ["title": "from the clone"])
  for device in [a, clone, a, clone, a] { _ = try await device.engine.syncNow() }
  for device in [a, clone] {
    #expect(try device.store.records("book").map(\.key.id) == ["1", "2", "3"])
    #expect(try device.store.verify().allSatisfy { $0.problems.isEmpty })
  }
  #expect(try a.store.verify().map(\.digest) == clone.store.verify().map(\.digest))
}
