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
        RecordDraft("book", id: Name("\(number)"), fields: ["title": .string("t\(number)")]))
    }
  }
  for device in [a, b] { try await device.engine.syncNow() }
  for number in 0..<60 { try a.delete(Name("\(number)")) }
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
  for number in 0..<50 { try a.save(Name("\(number)"), ["title": "t"]) }
  for device in [a, b] { try await device.engine.syncNow() }
  for number in 0..<50 { try a.delete(Name("\(number)")) }
  for device in [a, b] { try await device.engine.syncNow() }
  #expect(try b.ids.isEmpty)
}
