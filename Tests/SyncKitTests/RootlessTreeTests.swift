import SegmentFormat
import SyncKit
import SyncKitTesting
import Testing

/// A tree of which the root's record is not here is a tree all the same.
struct RootlessTreeTests {
  private struct Shelves: SyncDomain {
    let schema = DomainSchema(
      "shelves",
      [
        RecordType("shelf", placement: .root, fields: [Field("name", .string)]),
        RecordType(
          "book", placement: .parent, parents: ["shelf"], fields: [Field("title", .string)]),
        RecordType(
          "page", placement: .parent, parents: ["book"], fields: [Field("text", .string)]),
      ])
  }

  private struct Reader {
    let store: SyncStore
    let engine: SyncEngine

    init(_ name: String, _ remote: InMemoryTransport, egress: EgressRules? = nil) throws {
      store = try SyncStore(
        Shelves(), storage: InMemoryStorage(), coding: DeflateSegmentCoding(),
        device: Device(id: name, name: name),
        environment: .seeded(UInt64(name.utf8.reduce(7) { $0 * 31 + Int($1) })), egress: egress)
      engine = SyncEngine(
        store: store, remotes: [Remote("r", location: "memory:", transport: remote)])
    }

    func save(
      _ collection: CollectionName, _ id: RecordID, of parent: RecordKey? = nil,
      _ fields: [FieldName: Value]
    ) throws {
      try store.write {
        try $0.save(RecordDraft(collection, id: id, parent: parent, fields: fields))
      }
    }

    func titles() throws -> [Value] { try store.records("book").map { $0["title"] } }
  }

  private let remote = InMemoryTransport()
  private let shelf = RecordKey.root("shelf", "a")

  private func zones() async throws -> Set<ZoneID> {
    Set(try await remote.inventory(of: "shelves").segments.map(\.zone))
  }

  @Test func `what hangs on a root that is kept stays, also when the root is not here`()
    async throws
  {
    let rules = EgressRules { $0.collection == "shelf" && $0.id == "a" }
    let reader = try Reader("reader", remote, egress: rules)
    try reader.save("book", "1", of: shelf, ["title": "Dune"])
    try reader.save("book", "1", of: .root("shelf", "b"), ["title": "Emma"])
    try await reader.engine.syncNow()
    #expect(try await !zones().contains(shelf.zone))
    #expect(try await zones().contains(RecordKey.root("shelf", "b").zone))
    #expect(try reader.store.status(remotes: ["r"]).pending == 0)
  }

  @Test func `what was written without the root is kept when a device withdraws the tree`()
    async throws
  {
    let owner = try Reader("owner", remote)
    try owner.save("shelf", "a", ["name": "mine"])
    try await owner.engine.syncNow()
    try owner.store.setScope(.local, of: shelf)
    try await owner.engine.syncNow()
    let other = try Reader("other", remote)
    try other.save("book", "1", of: shelf, ["title": "Dune"])
    let report = try await other.engine.syncNow()
    #expect(report.notes.contains { $0.contains("shelf/a was made local") })
    #expect(try other.titles() == ["Dune"])
    #expect(try other.store.records("book").map(\.scope) == [.local])
    #expect(try await !zones().contains(shelf.zone))
    // It is found where the root would be made, and goes on there.
    try other.save("book", "2", of: shelf, ["title": "Emma"])
    try other.save("shelf", "a", ["name": "theirs"])
    #expect(try Set(other.store.records("book").map(\.key.zone)).count == 1)
    #expect(try other.store.record("shelf", "a")?.scope == .local)
    for engine in [owner.engine, other.engine] { try await engine.syncNow() }
    #expect(try owner.titles().isEmpty)
  }

  @Test func `records without a known root are kept, too`() async throws {
    let owner = try Reader("owner", remote)
    try owner.save("shelf", "a", ["name": "mine"])
    try await owner.engine.syncNow()
    try owner.store.setScope(.local, of: shelf)
    try await owner.engine.syncNow()
    let other = try Reader("other", remote)
    let book = RecordKey(zone: shelf.zone, collection: "book", id: "1")
    try other.save("page", "1", of: book, ["text": "canary"])
    let report = try await other.engine.syncNow()
    #expect(report.notes.contains { $0.contains("kept here as a local record") })
    #expect(try other.store.records("page").map { $0["text"] } == ["canary"])
    #expect(try other.store.records("page").map(\.scope) == [.local])
    try await other.engine.syncNow()
    #expect(try await zones().isSubset(of: [.home]))
  }
}
