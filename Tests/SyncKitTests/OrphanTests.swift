import SegmentFormat
import SyncKit
import SyncKitTesting
import Testing

/// What belongs to a root that is not here, not here yet, or not here any more.
struct OrphanTests {
  private struct Shelves: SyncDomain {
    let schema = DomainSchema(
      "shelves",
      [
        RecordType("shelf", placement: .root, fields: [Field("name", .string)]),
        RecordType(
          "book", placement: .parent, parents: ["shelf"], fields: [Field("title", .string)]),
      ])
  }

  private let store: SyncStore
  private let shelf = RecordKey.root("shelf", "a")
  private let book: RecordKey

  init() throws {
    store = try SyncStore(
      Shelves(), storage: InMemoryStorage(), coding: DeflateSegmentCoding(),
      device: Device(id: "device", name: "device"), environment: .seeded(3))
    let root = shelf
    book = try store.write {
      try $0.save(RecordDraft("book", id: "b", parent: root, fields: ["title": "Dune"])).key
    }.result
  }

  @Test func `a record can be written before its root, into the zone that the root will have`()
    throws
  {
    #expect(try store.record(book)?.isDeleted == false)
    #expect(try store.record(shelf) == nil)
    let made = try store.write { try $0.save(RecordDraft("shelf", id: "a", fields: [:])).key }
    #expect(made.result == shelf && shelf.zone == book.zone)
    #expect(try store.record(book)?.parent == shelf)
  }

  @Test func `what only an ancestor's deletion hides is an orphan, what was deleted itself is not`()
    throws
  {
    try store.write { try $0.save(RecordDraft("shelf", id: "a", fields: ["name": "x"])) }
    let root = shelf
    let own = try store.write { transaction in
      let key = try transaction.save(
        RecordDraft("book", id: "own", parent: root, fields: ["title": "Emma"])
      ).key
      try transaction.delete(key)
      return key
    }.result
    #expect(try store.record(book)?.isOrphan == false)
    try store.write { try $0.delete(shelf) }
    #expect(try store.record(book)?.isDeleted == true)
    #expect(try store.record(book)?.isOrphan == true)
    #expect(try store.record(own)?.isDeleted == true)
    #expect(try store.record(own)?.isOrphan == false)
    try store.write { try $0.restore(shelf) }
    #expect(try store.record(book)?.isOrphan == false)
    #expect(try store.record(book)?.isDeleted == false)
  }

  @Test func `recreating a root does not bring back the children of the old one`() throws {
    try store.write { try $0.save(RecordDraft("shelf", id: "a", fields: ["name": "x"])) }
    try store.write { try $0.delete(shelf) }
    try store.write { try $0.save(RecordDraft("shelf", id: "a", fields: ["name": "y"])) }
    #expect(try store.record(shelf)?.isDeleted == false)
    #expect(try store.record(book)?.isDeleted == true)
    #expect(try store.record(book)?.isOrphan == false)
    try store.write { try $0.restore(book) }
    #expect(try store.record(book)?["title"] == "Dune")
  }
}
