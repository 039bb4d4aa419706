import SyncKit
import SyncKitTesting
import Testing

@Test func `a device with two remotes relays between them in one run`() async throws {
  let left = InMemoryTransport()
  let right = InMemoryTransport()
  let a = try TestDevice("a", left)
  let bridge = try TestDevice("bridge", left, right)
  let b = try TestDevice("b", right)
  try a.save("1", ["title": "from a"])
  try b.save("2", ["title": "from b"])
  for device in [a, b] { try await device.engine.syncNow() }
  try await bridge.adoptAll()
  // What comes from the second remote reaches the first in the same run.
  try await bridge.engine.syncNow()
  for device in [a, b] { try await device.engine.syncNow() }
  #expect(try a.ids == ["1", "2"])
  #expect(try b.ids == ["1", "2"])
  for device in [bridge, a, b] { try await device.engine.syncNow() }
  #expect(try a.digests == b.digests)
  #expect(try a.digests == bridge.digests)
}

@Test func `a second remote gets everything, also what others wrote`() async throws {
  let first = InMemoryTransport()
  let a = try TestDevice("a", first)
  let b = try TestDevice("b", first)
  try a.save("1", ["title": "x"])
  for device in [a, b] { try await device.engine.syncNow() }
  let second = InMemoryTransport()
  let moved = SyncEngine(
    store: b.store, remotes: [Remote("new", location: "memory:new", transport: second)])
  try await moved.syncNow()
  let c = try TestDevice("c", second)
  try await c.engine.syncNow()
  #expect(try c.book("1")?["title"] == "x")
}

@Test func `another vault is refused until both are said to be one`() async throws {
  let mine = InMemoryTransport()
  let theirs = InMemoryTransport()
  let a = try TestDevice("a", mine)
  let stranger = try TestDevice("stranger", theirs)
  for device in [a, stranger] { try await device.engine.syncNow() }
  let engine = SyncEngine(
    store: a.store, remotes: [Remote("theirs", location: "memory:2", transport: theirs)])
  await #expect(throws: SyncError.self) { try await engine.syncNow() }
  var options = SyncOptions()
  options.consent = .adopt
  try await engine.syncNow(options)
  try await engine.syncNow()
}
