import SegmentFormat
import SyncKit
import SyncKitTesting
import Synchronization
import Testing

private struct Shelf: SyncDomain {
  let schema = DomainSchema("shelf", [RecordType("book", fields: [Field("title", .string)])])
}

/// An edit writes what it says, once in its record and once in its change, and nothing beside these two rows.
struct EditRowsTests {
  private let storage = InMemoryStorage()
  private let clock = VirtualClock()

  @Test func `an edit writes its record and its change`() throws {
    let written = Mutex<[Table]>([])
    let store = try store(
      AlteredStorage(
        inner: storage,
        writes: { table in
          written.withLock { $0.append(table) }
          return true
        }))
    try edit(store, "Emma")
    written.withLock { $0 = [] }
    try edit(store, "Persuasion")
    #expect(written.withLock { $0 } == [.change, .record])
  }

  @Test func `a device that starts again counts on from its last edit`() throws {
    for number in 1...5 { try edit(store(storage), "title \(number)") }
    #expect(try store(storage).status(remotes: []).edits == 5)
    let numbers = try storage.read { try $0.entries(.change).map { $0.key.last } }
    #expect(numbers == [1, 2, 3, 4, 5])
  }

  @Test func `times go on though the clock is set back between two starts`() throws {
    try edit(store(storage), "one")
    clock.advance(by: 5_000)
    try edit(store(storage), "two")
    clock.advance(by: -60_000)
    let before = try modified()
    try edit(store(storage), "three")
    #expect(try modified() >= before)
  }

  @Test func `times go on when the edits have been sealed`() async throws {
    let remote = InMemoryTransport()
    for number in 1...3 {
      clock.advance(by: 1_000)
      try edit(store(storage), "title \(number)")
    }
    let before = try modified()
    let device = try store(storage)
    let place = Remote("r", location: "r", transport: remote)
    try await SyncEngine(store: device, remotes: [place]).syncNow()
    let edits = try store(storage).status(remotes: []).edits
    clock.advance(by: -60_000)
    try edit(store(storage), "later")
    #expect(try modified() >= before)
    #expect(try store(storage).status(remotes: []).edits == edits + 1)
  }

  private func store(_ storage: any Storage) throws -> SyncStore {
    try SyncStore(
      Shelf(), storage: storage, coding: DeflateSegmentCoding(),
      device: Device(id: "phone", name: "phone"),
      environment: .seeded(SeededRandom(seed: 3), clock: clock))
  }

  private func edit(_ store: SyncStore, _ title: String) throws {
    _ = try store.write {
      try $0.save(RecordDraft("book", id: "emma", fields: ["title": .string(title)]))
    }
  }

  private func modified() throws -> Int64 {
    try #require(store(storage).records("book", id: "emma").first).modified
  }
}
