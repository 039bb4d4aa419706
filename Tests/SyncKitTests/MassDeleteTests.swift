import SyncKit
import SyncKitTesting
import Testing

@Test func `a pull that would delete most of a zone is stopped, and nothing of it is applied`()
  async throws
{
  let remote = InMemoryTransport()
  let a = try TestDevice("a", remote)
  let b = try TestDevice("b", remote)
  try a.store.write { transaction in
    for number in 0..<100 {
      try transaction.save(
        RecordDraft("book", id: RecordID("\(number)"), fields: ["title": .string("t\(number)")]))
    }
  }
  for device in [a, b] { try await device.engine.syncNow() }
  for number in 0..<60 { try a.delete(RecordID("\(number)")) }
  try await a.engine.syncNow()
  let outcome = try #require(await b.engine.sync().first)
  #expect(outcome.error?.code == .massDelete)
  #expect(outcome.error?.code.exit == 77)
  #expect(try b.ids.count == 100)
  var options = SyncOptions()
  options.massDeleteGuard = nil
  try await b.engine.syncNow(options)
  #expect(try b.ids.count == 40)
}

@Test func `fifty deletions are never a mass deletion`() async throws {
  let remote = InMemoryTransport()
  let a = try TestDevice("a", remote)
  let b = try TestDevice("b", remote)
  for number in 0..<50 { try a.save(RecordID("\(number)"), ["title": "t"]) }
  for device in [a, b] { try await device.engine.syncNow() }
  for number in 0..<50 { try a.delete(RecordID("\(number)")) }
  for device in [a, b] { try await device.engine.syncNow() }
  #expect(try b.ids.isEmpty)
}

@Test func `what brings records back counts only when it is here`() async throws {
  let folder = InMemoryBlobStore()
  let clock = VirtualClock()
  let devices = try ["a", "b", "c", "d"].map { try FolderDevice($0, folder, clock: clock) }
  let (a, b, c, d) = (devices[0], devices[1], devices[2], devices[3])
  for number in 0..<100 { try a.device.save(RecordID("\(number)"), ["title": "first"]) }
  for device in devices { try await device.sync() }
  for number in 0..<60 { try b.device.delete(RecordID("\(number)")) }
  try await b.sync()
  let before = Set(folder.changes)
  var allowed = SyncOptions()
  allowed.massDeleteGuard = nil
  try d.device.save("other", ["title": "other"])
  try await d.engine.syncNow(allowed)
  let late = try #require(Set(folder.changes).subtracting(before).first)
  try await c.engine.syncNow(allowed)
  for number in 0..<60 { try c.device.save(RecordID("\(number)"), ["title": "again"]) }
  try await c.sync()
  // What c had seen of d is still on its way to a, and so c's own changes have to wait.
  let bytes = folder.files[late]
  folder.files[late] = nil
  let error = await #expect(throws: SyncError.self) { try await a.sync() }
  #expect(error?.code == .massDelete)
  #expect(try a.device.ids.count == 100)
  folder.files[late] = bytes
  try await a.sync()
  #expect(try a.device.ids.count == 101)
  #expect(try a.device.book("7")?["title"] == "again")
}
