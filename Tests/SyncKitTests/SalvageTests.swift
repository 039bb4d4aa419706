import SyncKitTesting
import Testing

@testable import SyncKitEngine
@testable import SyncKitModel
@testable import SyncKitStore

@Test func `a new store takes over what a damaged one has sealed and not sealed`() async throws {
  let remote = InMemoryTransport()
  let a = try TestDevice("a", remote)
  let b = try TestDevice("b", remote)
  try a.save("1", ["title": "sealed"])
  for device in [a, b, a] { try await device.engine.syncNow() }
  try a.save("1", ["rating": 5])
  try a.save("2", ["title": "not sealed"])

  let repaired = try TestDevice("repaired", remote)
  let damaged = DamagedStorage(a.storage) { table, _ in table == .record }
  let report = try repaired.store.salvage(from: damaged)
  #expect(report.unsealed == 2)
  #expect(report.losses.isEmpty)
  #expect(try repaired.ids == ["1", "2"])
  #expect(try repaired.book("1")?["rating"] == 5)
  for device in [repaired, b, repaired] { try await device.engine.syncNow() }
  #expect(try b.ids == ["1", "2"])
  #expect(try repaired.digests == b.digests)
  #expect(try repaired.store.verify().allSatisfy { $0.problems.isEmpty })
}

@Test func `a segment that cannot be read comes back from the remote`() async throws {
  let remote = InMemoryTransport()
  let a = try TestDevice("a", remote)
  try a.save("1", ["title": "first"])
  try await a.engine.syncNow()
  try a.save("2", ["title": "second"])
  try await a.engine.syncNow()

  let repaired = try TestDevice("repaired", remote)
  let damaged = DamagedStorage(a.storage) { table, key in
    table == .segment && key.last == 1
  }
  let report = try repaired.store.salvage(from: damaged)
  #expect(report.losses.count == 1)
  try await repaired.engine.syncNow()
  #expect(try repaired.ids == ["1", "2"])
  #expect(try repaired.store.verify().allSatisfy { $0.problems.isEmpty })
}

@Test func `what was never sealed is taken over, also when it is more than a segment holds`()
  throws
{
  let a = try TestDevice("a")
  let text = String(repeating: "x", count: 400_000)
  for number in 0..<20 {
    try a.save(RecordID("\(number)"), ["title": .string("\(number) \(text)")])
  }

  let repaired = try TestDevice("repaired")
  let report = try repaired.store.salvage(from: DamagedStorage(a.storage) { _, _ in false })
  #expect(report.unsealed == 20 && report.losses.isEmpty)
  #expect(try repaired.ids.count == 20)
  let segments = try repaired.storage.read { try $0.entries(.segment) }
  #expect(segments.count == 3)
  #expect(try repaired.store.verify().allSatisfy { $0.problems.isEmpty })
}

@Test func `a disk that does not answer is not damage, whatever was being read`() throws {
  let a = try TestDevice("a", InMemoryTransport())
  try a.save("1", ["title": "whole"])
  for place in [Table.meta, .change] {
    let repaired = try TestDevice("repaired")
    let failing = DamagedStorage(a.storage, as: .storeIO) { table, _ in table == place }
    let error = #expect(throws: SyncError.self) { try repaired.store.salvage(from: failing) }
    #expect(error?.code == .storeIO)
    #expect(try repaired.ids.isEmpty)
  }
}

@Test func `segments are found also when their count cannot be read`() async throws {
  let remote = InMemoryTransport()
  let a = try TestDevice("a", remote)
  for number in 1...9 {
    try a.save(RecordID("\(number)"), ["title": "sealed"])
    try await a.engine.syncNow()
  }
  let repaired = try TestDevice("repaired")
  let damaged = DamagedStorage(a.storage) { table, key in
    table == .meta && key == Keys.arrival
  }
  let report = try repaired.store.salvage(from: damaged)
  #expect(report.losses.count == 1)
  #expect(try repaired.ids.count == 9)

  let lost = try TestDevice("lost")
  let unreadable = DamagedStorage(a.storage) { table, _ in table == .meta || table == .segment }
  #expect(try !lost.store.salvage(from: unreadable).losses.isEmpty)
}

@Test func `one zone that cannot be read hides no other`() throws {
  let storage = InMemoryStorage()
  let a = try Phone("a", storage: storage)
  let people: [RecordID] = ["ada", "bea", "cleo"]
  for person in people { try a.add(person, "\(person)") }
  let first = try #require(people.min { ZoneID.root("person", $0) < ZoneID.root("person", $1) })
  let repaired = try Phone("repaired")
  let damaged = DamagedStorage(storage) { table, key in
    table == .meta && key == Keys.zone(.root("person", first))
  }
  let report = try repaired.store.salvage(from: damaged)
  #expect(report.losses.count == 1)
  for person in people { #expect(try (repaired.person(person) == nil) == (person == first)) }
}

@Test func `edits that only their changes tell of are taken over, past a damaged one elsewhere`()
  throws
{
  let storage = InMemoryStorage()
  let a = try Phone("a", storage: storage)
  let people: [RecordID] = ["ada", "bea"]
  let keys = try people.map { try a.add($0, "new") }
  // Edits that write no row of their zone.
  for key in keys {
    for name in ["second", "third"] {
      _ = try a.store.write { try $0.edit(key, ["name": .string(name)]) }
    }
  }
  let first = try #require(keys.map(\.zone).min())
  let repaired = try Phone("repaired")
  let damaged = DamagedStorage(storage) { table, key in
    table == .change && key == Keys.change(first, 3)
  }
  let report = try repaired.store.salvage(from: damaged)
  #expect(report.losses == ["Unsealed changes from number 3 on cannot be read."])
  let names = try people.map { try repaired.person($0)?["name"] }
  #expect(Set(names) == ["second", "third"])
}

/// A storage some of whose rows fail their checksums, or are not given at all.
private struct DamagedStorage: Storage {
  private let whole: InMemoryStorage
  private let code: SyncError.Code
  private let isDamaged: @Sendable (Table, [UInt8]) -> Bool

  init(
    _ whole: InMemoryStorage, as code: SyncError.Code = .storeDamaged,
    _ isDamaged: @escaping @Sendable (Table, [UInt8]) -> Bool
  ) {
    self.whole = whole
    self.code = code
    self.isDamaged = isDamaged
  }

  var fingerprint: String? { whole.fingerprint }

  func read<T>(_ body: (any StorageReader) throws -> T) throws -> T {
    try whole.read { try body(Reader(whole: $0, code: code, isDamaged: isDamaged)) }
  }

  func write<T>(_ body: (any StorageWriter) throws -> T) throws -> T {
    throw SyncError(.storeReadOnly, "A damaged store is only read.")
  }

  private struct Reader: StorageReader {
    let whole: any StorageReader
    let code: SyncError.Code
    let isDamaged: (Table, [UInt8]) -> Bool

    func get(_ table: Table, _ key: [UInt8]) throws -> [UInt8]? {
      if isDamaged(table, key) { throw SyncError(code, "A row is damaged.") }
      return try whole.get(table, key)
    }

    func scan(
      _ table: Table, prefix: [UInt8], after: [UInt8]?,
      _ body: ([UInt8], [UInt8]) throws -> Bool
    ) throws {
      try whole.scan(table, prefix: prefix, after: after) { key, value in
        if isDamaged(table, key) { throw SyncError(code, "A row is damaged.") }
        return try body(key, value)
      }
    }
  }
}
