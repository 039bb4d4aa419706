import SegmentFormat
import SyncKit
import SyncKitTesting
import Testing

@Test func `a store whose file is another one takes new replica ids and loses nothing`()
  async throws
{
  let remote = InMemoryTransport()
  let storage = InMemoryStorage(fingerprint: "disk 1")
  let witness = TestWitness()
  let a = try TestDevice("a", remote, storage: storage, witness: witness)
  try a.save("1", ["title": "sealed"])
  try await a.engine.syncNow()
  try a.save("2", ["title": "not sealed"])

  let copy = InMemoryStorage(copying: storage)
  copy.fingerprint = "disk 2"
  let copied = TestWitness(try witness.load())
  let b = try TestDevice("b", remote, storage: copy, witness: copied)
  #expect(b.store.isCopy)
  #expect(try b.ids == ["1", "2"])
  try b.save("3", ["title": "from the copy"])
  try a.save("4", ["title": "from the original"])
  for device in [b, a, b] { try await device.engine.syncNow() }
  #expect(try a.ids == ["1", "2", "3", "4"])
  #expect(try a.digests == b.digests)
  let again = try TestDevice("b2", remote, storage: copy, witness: copied)
  #expect(!again.store.isCopy)
}

@Test func `an older copy put back under the same name is noticed by its witness`() async throws {
  let remote = InMemoryTransport()
  let storage = InMemoryStorage(fingerprint: "disk")
  let witness = TestWitness()
  let a = try TestDevice("a", remote, storage: storage, witness: witness)
  try a.save("1", ["title": "x"])
  try await a.engine.syncNow()
  let backup = InMemoryStorage(copying: storage)
  try a.save("2", ["title": "after the backup"])
  try await a.engine.syncNow()

  let restored = try TestDevice("restored", remote, storage: backup, witness: witness)
  #expect(restored.store.isCopy)
  try restored.save("3", ["title": "after the restore"])
  try await restored.engine.syncNow()
  #expect(try restored.ids == ["1", "2", "3"])
  #expect(try restored.store.verify().allSatisfy { $0.problems.isEmpty })
}

@Test func `a copy that has met its original is not taken for another one when it is opened again`()
  async throws
{
  let remote = InMemoryTransport()
  let storage = InMemoryStorage(fingerprint: "disk")
  let witness = TestWitness()
  let a = try TestDevice("a", remote, storage: storage, witness: witness)
  try a.save("1", ["title": "x"])
  try await a.engine.syncNow()
  let copy = InMemoryStorage(copying: storage)
  let copied = TestWitness(try witness.load())
  let clone = try TestDevice("clone", remote, storage: copy, witness: copied)
  #expect(!clone.store.isCopy, "it cannot be told yet")
  try a.save("2", ["title": "by the original"])
  try await a.engine.syncNow()
  var options = SyncOptions()
  options.direction = .pullOnly
  #expect(try await clone.engine.syncNow(options).forks == 1)

  let again = try TestDevice("again", remote, storage: copy, witness: copied)
  #expect(!again.store.isCopy)
  try again.save("3", ["title": "by the copy"])
  for device in [again, a, again] { try await device.engine.syncNow() }
  #expect(try again.ids == ["1", "2", "3"])
  #expect(try again.digests == a.digests)
}

@Test func `a restored store without a witness is found out at the remote`() async throws {
  let remote = InMemoryTransport()
  let storage = InMemoryStorage()
  let a = try TestDevice("a", remote, storage: storage)
  let other = try TestDevice("other", remote)
  try a.save("1", ["title": "x"])
  try await a.engine.syncNow()
  let backup = InMemoryStorage(copying: storage)
  try a.save("2", ["title": "after the backup"])
  for device in [a, other] { try await device.engine.syncNow() }

  let restored = try TestDevice("restored", remote, storage: backup)
  try restored.save("3", ["title": "under a used number"])
  let report = try await restored.engine.syncNow()
  #expect(report.forks == 1)
  try await other.engine.syncNow()
  for device in [restored, other] {
    #expect(try device.ids == ["1", "2", "3"])
    #expect(try device.store.verify().allSatisfy { $0.problems.isEmpty })
  }
  #expect(try restored.digests == other.digests)
}

@Test func `two branches that were both published become two series on every device`()
  async throws
{
  let left = InMemoryTransport()
  let right = InMemoryTransport()
  let storage = InMemoryStorage()
  let a = try TestDevice("a", left, storage: storage)
  try a.save("1", ["title": "x"])
  try await a.engine.syncNow()
  let clone = try TestDevice("clone", right, storage: InMemoryStorage(copying: storage))
  try a.save("1", ["title": "by the original"])
  try a.save("2", ["title": "by the original"])
  try clone.save("1", ["rating": 5])
  try clone.save("3", ["title": "by the clone"])
  for device in [a, clone] { try await device.engine.syncNow() }

  let bridge = try TestDevice("bridge", left, right)
  try await bridge.adoptAll()
  for _ in 0..<6 {
    for outcome in await bridge.engine.sync() { #expect(outcome.error?.code != .divergence) }
    for device in [a, clone] { try await device.engine.syncNow() }
  }
  for device in [a, clone, bridge] {
    #expect(try device.ids == ["1", "2", "3"])
    #expect(try device.book("1")?["rating"] == 5)
    #expect(try device.book("1")?["title"] == "by the original")
    #expect(try device.store.verify().allSatisfy { $0.problems.isEmpty })
  }
  #expect(try a.digests == clone.digests)
  #expect(try a.digests == bridge.digests)
}

@Test func `a store that meets its twin says so and continues under new ids in every zone`()
  async throws
{
  let remote = InMemoryTransport()
  let storage = InMemoryStorage(fingerprint: "disk")
  let witness = TestWitness()
  let a = try TestDevice("a", remote, storage: storage, witness: witness)
  try a.save("1", ["title": "x"])
  try await a.engine.syncNow()
  let image = InMemoryStorage(copying: storage)
  let twin = try TestDevice(
    "a", remote, storage: image, witness: TestWitness(try witness.load()))
  try a.save("2", ["title": "by the one"])
  try twin.save("3", ["title": "by the other"])
  #expect(try await !a.engine.syncNow().isCopyDetected)
  let met = try await twin.engine.syncNow()
  #expect(met.isCopyDetected)
  #expect(met.notes.contains { $0.hasPrefix("Another machine writes under this device's id") })
  // Only once: from then on they are two.
  for device in [twin, a, twin, a] { #expect(try await !device.engine.syncNow().isCopyDetected) }
  #expect(try a.ids == ["1", "2", "3"])
  #expect(try a.digests == twin.digests)
}

@Test func `a device that draws another id introduces itself again`() async throws {
  let remote = InMemoryTransport()
  let storage = InMemoryStorage()
  let a = try TestDevice("a", remote, storage: storage)
  try a.save("1", ["title": "x"])
  try await a.engine.syncNow()
  let renamed = try SyncStore(
    Books(), storage: storage, coding: DeflateSegmentCoding(),
    device: Device(id: "another", name: "a"),
    environment: SyncEnvironment(now: { 1_800_000_000_000 }, random: { .random(in: .min ... .max) })
  )
  let meeting = Remote("remote0", location: "\(ObjectIdentifier(remote))", transport: remote)
  let engine = SyncEngine(store: renamed, remotes: [meeting])
  try await engine.syncNow()
  let b = try TestDevice("b", remote)
  try await b.engine.syncNow()
  #expect(try b.store.status(remotes: []).devices.map(\.device.id).contains("another"))
}
