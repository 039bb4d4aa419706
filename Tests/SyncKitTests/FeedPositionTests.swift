import SyncKitTesting
import Testing

@testable import SyncKitEngine
@testable import SyncKitModel
@testable import SyncKitStore

@Test func `a second exchange gets only what is new`() async throws {
  let place = WatchedPlace()
  let (a, engineA) = try phone("a", place)
  let (b, engineB) = try phone("b", place)
  for id in ["1", "2", "3"] {
    try a.add(RecordID(id), id)
    try a.set(.synced, RecordID(id))
    try await engineA.syncNow()
  }
  try await engineB.syncNow()
  try await engineB.syncNow()
  let before = place.told.count
  let report = try await engineB.syncNow()
  #expect(place.told[before...] == [0] && report.pulled == 0 && report.pushed == 0)
  try a.edit("1", ["name": "new"])
  try await engineA.syncNow()
  try await engineB.syncNow()
  #expect(try b.person("1")?["name"] == "new")
}

@Test func `what did not come is asked for again`() async throws {
  let place = WatchedPlace()
  let (a, engineA) = try phone("a", place)
  let (b, engineB) = try phone("b", place)
  try a.add("1", "Ada")
  try a.set(.synced, "1")
  try await engineA.syncNow()
  place.hold(true)
  #expect(try await engineB.syncNow().waiting > 0)
  place.hold(false)
  try await engineB.syncNow()
  #expect(try b.person("1")?["name"] == "Ada")
}

@Test func `a wiped remote is filled again by every device that has something`() async throws {
  let place = WatchedPlace()
  let (a, engineA) = try phone("a", place)
  let (b, engineB) = try phone("b", place)
  for (phone, id) in [(a, "1"), (b, "2")] {
    try phone.add(RecordID(id), id)
    try phone.set(.synced, RecordID(id))
  }
  for engine in [engineA, engineB, engineA, engineB] { try await engine.syncNow() }
  place.place.wipe()
  try await engineB.syncNow()
  let (c, engineC) = try phone("c", place)
  try await engineC.syncNow()
  #expect(try c.store.records("person").map(\.key.id) == ["1", "2"])
  for engine in [engineA, engineB, engineC, engineA, engineB] { try await engine.syncNow() }
  #expect(try a.store.verify().map(\.digest) == b.store.verify().map(\.digest))
}

@Test func `what was sent and is not listed afterwards is sent again`() async throws {
  let place = WatchedPlace()
  let (a, engineA) = try phone("a", place)
  let (b, engineB) = try phone("b", place)
  try a.add("1", "Ada")
  try a.set(.synced, "1")
  for engine in [engineA, engineB, engineA] { try await engine.syncNow() }
  place.lose(true)
  try a.edit("1", ["name": "new"])
  #expect(try await engineA.syncNow().pushed > 0)
  place.lose(false)
  #expect(try await engineA.syncNow().pushed > 0)
  try await engineB.syncNow()
  #expect(try b.person("1")?["name"] == "new")
  #expect(try await engineA.syncNow().pushed == 0)
}

@Test func `what waits for something else is listed again until it was taken in`() async throws {
  let place = WatchedPlace()
  let (a, engineA) = try phone("a", place)
  let (b, engineB) = try phone("b", place)
  try a.add("1", "Ada")
  try a.set(.synced, "1")
  for engine in [engineA, engineB] { try await engine.syncNow() }
  for name in ["first", "second"] {
    try a.edit("1", ["name": .string(name)])
    try await engineA.syncNow()
  }
  // Of the two only the second is there, until a device sends the first again.
  var segments = try await place.segments(of: "people")
  segments.remove(at: segments.count - 2)
  try await place.begin(with: segments)
  #expect(try await engineB.syncNow().waiting > 0)
  #expect(try await engineA.syncNow().pushed > 0)
  try await engineB.syncNow()
  #expect(try b.person("1")?["name"] == "second")
  for engine in [engineA, engineB] { #expect(try await engine.syncNow().pushed == 0) }
}

@Test func `what a device wants from the middle of an exchange on is listed in the next one`()
  async throws
{
  let place = WatchedPlace()
  let (a, engineA) = try phone("a", place)
  let (b, engineB) = try phone("b", place)
  for phone in [a, b] { try phone.add("1", phone.name) }
  try a.set(.synced, "1")
  try a.entry("1", of: "1", "by a")
  try await engineA.syncNow()
  place.atTheEnd { try b.set(.synced, "1") }
  try await engineB.syncNow()
  #expect(try b.entries.isEmpty)
  try await engineB.syncNow()
  #expect(try b.entries == ["by a"])
}

@Test func `a part of what is one segment here is listed again until it can be recorded`()
  async throws
{
  let place = WatchedPlace()
  let storage = InMemoryStorage()
  func device(_ name: String, _ storage: InMemoryStorage) throws -> (TestDevice, SyncEngine) {
    let device = try TestDevice(name, storage: storage)
    let remote = Remote("r", location: "watched", transport: place)
    return (device, SyncEngine(store: device.store, remotes: [remote]))
  }
  let (original, engine) = try device("original", storage)
  try original.save("1", ["title": "sealed"])
  try await engine.syncNow()
  try original.save("2", ["title": "not sealed"])
  let (copy, copied) = try device("copy", InMemoryStorage(copying: storage))
  try copy.save("3", ["title": "from the copy"])
  // The copy makes one segment of what the original brings by itself.
  place.lose(true)
  try await copied.syncNow()
  place.lose(false)
  try await engine.syncNow()
  var pull = SyncOptions()
  pull.direction = .pullOnly
  _ = await copied.sync(pull)
  try original.save("4", ["title": "from the original"])
  for engine in [engine, copied, engine, copied, engine] { try await engine.syncNow() }
  #expect(try await copied.syncNow().pushed == 0)
  #expect(try original.ids == ["1", "2", "3", "4"])
  #expect(try original.digests == copy.digests)
}

/// A place with nothing but the parts of a snapshot, of which a device that was away knows a little.
private struct DividedSnapshot {
  let place = WatchedPlace()
  let reader: Phone
  let engine: SyncEngine
  let parts: [Segment]

  init() async throws {
    let (a, engineA) = try phone("a", place)
    (reader, engine) = try phone("b", place)
    try a.add("1", "Ada")
    try a.set(.synced, "1")
    for engine in [engineA, engine] { try await engine.syncNow() }
    for number in 1...20 {
      try a.edit("1", ["name": .string("name \(number)")])
      try await engineA.syncNow()
    }
    let zone = try #require(try a.person("1")?.key.zone)
    var sizes = SnapshotSizes()
    (sizes.undivided, sizes.part) = (1, 1)
    let snapshot = try a.store.read {
      try $0.snapshot(
        of: zone, domain: "people", keeping: 1, divided: sizes, now: a.store.environment.now())
    }
    parts = try #require(snapshot?.parts)
    try #require(parts.count > 2)
  }

  func store(_ segments: some Sequence<Segment>) async throws {
    for segment in segments {
      let policy = EgressPolicy(published: [segment.info.zone])
      try await place.store(try #require(policy.release(segment)))
    }
  }
}

@Test func `a snapshot whose head comes after others have read on is taken in`()
  async throws
{
  let snapshot = try await DividedSnapshot()
  try await snapshot.place.begin(with: [])
  for part in snapshot.parts.reversed() {
    #expect(try snapshot.reader.person("1")?["name"] == "Ada")
    try await snapshot.store([part])
    try await snapshot.engine.syncNow()
  }
  #expect(try snapshot.reader.person("1")?["name"] == "name 20")
}

@Test func `a snapshot whose head was listed and did not come is asked for again`()
  async throws
{
  let snapshot = try await DividedSnapshot()
  try await snapshot.place.begin(with: [])
  try await snapshot.store(snapshot.parts.reversed())
  snapshot.place.hold([try #require(snapshot.parts.first).info.head])
  #expect(try await snapshot.engine.syncNow().waiting > 0)
  #expect(try snapshot.reader.person("1")?["name"] == "Ada")
  snapshot.place.hold([])
  #expect(try await snapshot.engine.syncNow().waiting == 0)
  #expect(try snapshot.reader.person("1")?["name"] == "name 20")
}

@Test func `a device that began with a snapshot sends the missing part once`() async throws {
  let snapshot = try await DividedSnapshot()
  try await snapshot.place.begin(with: snapshot.parts)
  try await snapshot.engine.syncNow()
  #expect(try snapshot.reader.person("1")?["name"] == "name 20")
  // A device was cut off while sending it to a remote that has lost everything.
  try await snapshot.place.begin(with: [snapshot.parts[0]])
  for _ in 0..<2 { try await snapshot.engine.syncNow() }
  let heads = try await snapshot.place.segments(of: "people").map(\.info.head)
  #expect(Set(heads).isSuperset(of: snapshot.parts.map(\.info.head)))
  let before = snapshot.place.stored
  try await snapshot.engine.syncNow()
  #expect(snapshot.place.stored == before)
}
