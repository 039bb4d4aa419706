import SegmentFormat
import SyncKit
import SyncKitTesting
import Testing

/// What would be gone with a store that another one replaces.
private func unsent(
  in device: TestDevice, remotes: [String] = ["remote0"], besides other: InMemoryStorage? = nil
) throws -> Int {
  try UnsentChanges(of: Books(), coding: DeflateSegmentCoding(), remotes: remotes)
    .count(in: device.storage, besides: other)
}

@Test func `an edit counts as unsent until a remote has it`() async throws {
  let a = try TestDevice("a", InMemoryTransport())
  try a.save("1", ["title": "x"])
  #expect(try unsent(in: a) == 1)
  try await a.engine.syncNow()
  #expect(try unsent(in: a) == 0)
  // A remote that is not asked about proves nothing.
  #expect(try unsent(in: a, remotes: []) == 1)
  #expect(try unsent(in: a, remotes: ["another"]) == 1)
  try a.save("1", ["title": "y"])
  try a.delete("1")
  #expect(try unsent(in: a) == 2)
}

@Test func `what the other store has is not lost, sealed or not`() async throws {
  let remote = InMemoryTransport()
  let a = try TestDevice("a", remote)
  try a.save("1", ["title": "sealed"])
  try await a.engine.syncNow()
  try a.save("2", ["title": "not sealed"])
  let backup = InMemoryStorage(copying: a.storage)
  #expect(try unsent(in: a, remotes: [], besides: backup) == 0)
  try a.save("3", ["title": "since then"])
  #expect(try unsent(in: a, remotes: [], besides: backup) == 1)
  // What the backup has unsealed is known in its sealed form, too, and the other way round.
  try await a.engine.syncNow()
  #expect(try unsent(in: a, remotes: [], besides: InMemoryStorage(copying: a.storage)) == 0)
  #expect(try unsent(in: a, besides: backup) == 0)
}

@Test func `edits that were issued again after a restore are those of the backup`() throws {
  let a = try TestDevice("a", witness: TestWitness())
  try a.save("1", ["title": "not sealed"])
  let backup = InMemoryStorage(copying: a.storage)
  let restored = try TestDevice(
    "restored", storage: InMemoryStorage(copying: backup), witness: TestWitness())
  #expect(restored.store.isCopy)
  #expect(try unsent(in: restored, besides: backup) == 0)
  try restored.save("2", ["title": "new"])
  #expect(try unsent(in: restored, besides: backup) == 1)
}

@Test func `fields that never leave the device count, and what was written by the way does not`()
  async throws
{
  let a = try TestDevice("a", InMemoryTransport())
  try a.save("1", ["title": "x"])
  try await a.engine.syncNow()
  try a.save("1", ["opened": .instant(5)])
  #expect(try unsent(in: a) == 0)
  try a.save("1", ["diary": "mine alone"])
  #expect(try unsent(in: a) == 1)
  #expect(try unsent(in: a, besides: InMemoryStorage(copying: a.storage)) == 0)
}
