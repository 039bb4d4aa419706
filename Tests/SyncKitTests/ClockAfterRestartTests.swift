import SyncKit
import SyncKitTesting
import Testing

/// The clock goes on where it stood, also when the program ends and the machine's clock is set back.
struct ClockAfterRestartTests {
  @Test func `what is written after a restart is later, though the clock was set back`() throws {
    let storage = InMemoryStorage()
    let clock = VirtualClock()
    func save(_ id: RecordID) throws {
      let device = try TestDevice("phone", storage: storage, clock: clock)
      _ = try device.store.write {
        try $0.save(RecordDraft("book", id: id, fields: ["title": .string("Emma")]))
      }
    }
    try save("before")
    clock.advance(by: -60_000)
    try save("after")

    let device = try TestDevice("phone", storage: storage, clock: clock)
    let times = try ["before", "after"].map { id in
      try device.store.records("book", id: RecordID(id)).map(\.modified)
    }
    #expect(times[0].count == 1 && times[1].count == 1)
    #expect(try #require(times[1].first) >= #require(times[0].first), "\(times)")
  }
}
