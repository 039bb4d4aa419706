import SyncKitApp
import SyncKitTesting
import Testing

@Suite struct Fleets {
  private func write(_ store: SyncStore, _ random: inout SeededRandom) throws {
    let id: RecordID = random.one(of: ["dune", "emma", "ulysses"])
    let pages = Int(random.number(below: 900))
    let note = "note \(random.number(below: 100))"
    let action = random.number(below: 10)
    try store.write { transaction in
      switch action {
      case 0: try transaction.delete(Book.self, id)
      case 1..<4: try transaction.insert(Book(id: id, title: id.text, pages: pages))
      case 4..<7: try transaction.update(Book.self, id) { $0.tags.formSymmetricDifference([note]) }
      default:
        try transaction.update(Book.self, id) {
          $0.pages = pages
          $0.note = note
        }
      }
    }
  }

  @Test(arguments: UInt64(0)..<12)
  func `devices agree in the end, whatever failed in between`(seed: UInt64) async throws {
    let fleet = try Fleet(of: shelf, seed: seed)
    try await fleet.chaos(150, write)
    try await fleet.heal()
    #expect(try fleet.differences() == [], "seed \(seed)")
    #expect(try !fleet.stores[0].all(Book.self).isEmpty)
  }

  @Test func `the same seed gives the same run`() async throws {
    let runs = try [Fleet(of: shelf, seed: 3), Fleet(of: shelf, seed: 3)]
    for fleet in runs { try await fleet.chaos(80, write) }
    let books = try runs.map { try $0.stores[1].records("book").map(\.fields) }
    #expect(books[0] == books[1])
  }

  @Test func `devices that have not met differ`() async throws {
    let fleet = try Fleet(of: shelf, devices: 2, seed: 1)
    try await fleet.stores[0].write { try $0.insert(Book(id: "dune", title: "Dune")) }
    let found = try fleet.differences()
    #expect(
      found.count == 1 && found[0].contains("dune") && found[0].contains("missing on device 1"))
  }

  @Test func `an error of the app ends the run`() async throws {
    struct Broken: Error {}
    let fleet = try Fleet(of: shelf, seed: 1)
    await #expect(throws: Broken.self) { try await fleet.chaos(10) { _, _ in throw Broken() } }
  }
}
