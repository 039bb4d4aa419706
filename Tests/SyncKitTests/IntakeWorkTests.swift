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
  let segments = { (storage: InMemoryStorage) in
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
  #expect(a.reads.lookups(.record) < 100)
  try await engineA.syncNow()
  try await engineB.syncNow()
  #expect(b.reads.lookups(.record) < 100)
  // What is there has to be read.
  try a.importNotes(0..<2_000, "new")
  #expect(a.reads.lookups(.record) >= 2_000)
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
  b.reads.forget()
  let unsealed = 5
  var options = SyncOptions()
  options.direction = .pullOnly
  #expect(try await engineB.syncNow(options).pulled == 27_000)
  #expect(b.reads.visits(.change) <= 2 * unsealed)
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
    let storage: InMemoryStorage
    let reads: ReadCount

    func importNotes(_ numbers: Range<Int>, _ text: String = "text") throws {
      _ = try store.importAll(
        numbers.map { RecordDraft("note", id: RecordID("\($0)"), fields: ["text": .string(text)]) })
    }
  }

  static func device(_ name: String, _ place: InMemoryTransport) throws -> (Device, SyncEngine) {
    let storage = InMemoryStorage()
    let reads = ReadCount()
    let seed = UInt64(name.utf8.first ?? 0)
    let store = try SyncStore(
      Notebook(), storage: AlteredStorage(inner: storage, reads: reads.note),
      coding: DeflateSegmentCoding(), device: SyncKit.Device(id: "device-\(name)", name: name),
      environment: .seeded(SeededRandom(seed: seed), clock: VirtualClock()))
    let engine = SyncEngine(
      store: store, remotes: [Remote("r", location: "r", transport: place)])
    return (Device(store: store, storage: storage, reads: reads), engine)
  }
}

/// What the transactions of a store that write have read.
private final class ReadCount: Sendable {
  private let counts = Mutex<[AlteredStorage.Access: [Table: Int]]>([:])

  func note(_ access: AlteredStorage.Access, _ table: Table) {
    counts.withLock { $0[access, default: [:]][table, default: 0] += 1 }
  }

  func lookups(_ table: Table) -> Int { count(.lookup, table) }

  func visits(_ table: Table) -> Int { count(.visit, table) }

  func forget() { counts.withLock { $0 = [:] } }

  private func count(_ access: AlteredStorage.Access, _ table: Table) -> Int {
    counts.withLock { $0[access]?[table] ?? 0 }
  }
}
