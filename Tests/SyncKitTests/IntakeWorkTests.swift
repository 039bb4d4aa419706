import SegmentFormat
import SyncKit
import SyncKitTesting
import Synchronization
import Testing

// What taking segments in may cost, in rows and not in seconds.

@Test func `a large segment is kept as it came`() async throws {
  let place = InMemoryTransport()
  let (a, engineA) = try Notebook.device("a", place)
  let (b, engineB) = try Notebook.device("b", place)
  try a.importNotes(0..<9_000)
  try await engineA.syncNow()
  #expect(try await engineB.syncNow().pulled == 9_000)
  let segments = { (storage: CountingStorage) in
    try storage.read { reader in
      var rows: [[UInt8]] = []
      try reader.scan(.segment, prefix: [], after: nil) { _, row in
        rows.append(row)
        return true
      }
      return rows
    }
  }
  let (written, taken) = try (segments(a.storage), segments(b.storage))
  #expect(written.count == 1 && taken.map(\.count).contains(written[0].count))
}

@Test func `no record is looked up one by one where there is none`() async throws {
  let place = InMemoryTransport()
  let (a, engineA) = try Notebook.device("a", place)
  let (b, engineB) = try Notebook.device("b", place)
  try a.importNotes(0..<2_000)
  #expect(a.storage.lookups(.record) < 100)
  try await engineA.syncNow()
  try await engineB.syncNow()
  #expect(b.storage.lookups(.record) < 100)
  // What is there has to be read.
  try a.importNotes(0..<2_000, "new")
  #expect(a.storage.lookups(.record) >= 2_000)
  for engine in [engineA, engineB, engineA] { try await engine.syncNow() }
  #expect(try a.store.verify().map(\.digest) == b.store.verify().map(\.digest))
}

@Test func `unsealed changes are read once and not for each part of a pull`() async throws {
  let place = InMemoryTransport()
  let (a, engineA) = try Notebook.device("a", place)
  let (b, engineB) = try Notebook.device("b", place)
  for part in 0..<3 {
    try a.importNotes(part * 9_000..<(part + 1) * 9_000)
    try await engineA.syncNow()
  }
  try b.importNotes(20_000..<25_000, "mine")
  b.storage.forget()
  let unsealed = 5
  var options = SyncOptions()
  options.direction = .pullOnly
  #expect(try await engineB.syncNow(options).pulled == 27_000)
  #expect(b.storage.visits(.change) <= 2 * unsealed)
  #expect(try b.store.conflicts().count == 5_000)
  for engine in [engineB, engineA, engineB] { try await engine.syncNow() }
  #expect(try a.store.verify().map(\.digest) == b.store.verify().map(\.digest))
}

/// Notes of which every edit is merged.
private struct Notebook: SyncDomain {
  let schema = DomainSchema(
    "notebook", [RecordType("note", fields: [Field("text", .string)])])

  struct Device {
    let store: SyncStore
    let storage: CountingStorage

    func importNotes(_ numbers: Range<Int>, _ text: String = "text") throws {
      _ = try store.importAll(
        numbers.map { RecordDraft("note", id: Name("\($0)"), fields: ["text": .string(text)]) })
    }
  }

  static func device(_ name: String, _ place: InMemoryTransport) throws -> (Device, SyncEngine) {
    let storage = CountingStorage()
    let seed = UInt64(name.utf8.first ?? 0)
    let store = try SyncStore(
      Notebook(), storage: storage, coding: DeflateSegmentCoding(),
      device: SyncKit.Device(id: "device-\(name)", name: name),
      environment: .seeded(SeededRandom(seed: seed), clock: VirtualClock()))
    let engine = SyncEngine(
      store: store, remotes: [Remote("r", location: "r", transport: place)])
    return (Device(store: store, storage: storage), engine)
  }
}

/// A storage in memory that counts what is read of it within transactions that write.
private final class CountingStorage: Storage {
  private struct Counts {
    var lookups: [Table: Int] = [:]
    var visits: [Table: Int] = [:]
  }

  private let inner = InMemoryStorage()
  private let counts = Mutex(Counts())

  var fingerprint: String? { inner.fingerprint }

  /// How many keys of a table were asked for.
  func lookups(_ table: Table) -> Int { counts.withLock { $0.lookups[table, default: 0] } }

  /// How many rows of a table a scan has met.
  func visits(_ table: Table) -> Int { counts.withLock { $0.visits[table, default: 0] } }

  func forget() { counts.withLock { $0 = Counts() } }

  func read<T>(_ body: (any StorageReader) throws -> T) throws -> T { try inner.read(body) }

  func write<T>(_ body: (any StorageWriter) throws -> T) throws -> T {
    try inner.write { try body(Writer(inner: $0, storage: self)) }
  }

  private struct Writer: StorageWriter {
    let inner: any StorageWriter
    let storage: CountingStorage

    func get(_ table: Table, _ key: [UInt8]) throws -> [UInt8]? {
      storage.counts.withLock { $0.lookups[table, default: 0] += 1 }
      return try inner.get(table, key)
    }

    func scan(
      _ table: Table, prefix: [UInt8], after: [UInt8]?,
      _ body: (_ key: [UInt8], _ value: [UInt8]) throws -> Bool
    ) throws {
      try inner.scan(table, prefix: prefix, after: after) { key, value in
        storage.counts.withLock { $0.visits[table, default: 0] += 1 }
        return try body(key, value)
      }
    }

    func put(_ table: Table, _ key: [UInt8], _ value: [UInt8]) throws {
      try inner.put(table, key, value)
    }

    func delete(_ table: Table, _ key: [UInt8]) throws { try inner.delete(table, key) }
  }
}
