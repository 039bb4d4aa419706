import Foundation
import SyncKitApp
import SyncKitMacros
import Testing

@Synced("shelf")
private struct Case {
  var id = UUID()
  var name = ""
}

@Synced("book", in: Case.self, deleteRule: .deleteWins)
@SyncedOrder(withinParent: "title") @SyncedOrder("isRead", "title")
private struct Book {
  var id = RecordID.random
  var title = ""
  @SyncedProperty("remark", policy: ManualPolicy()) var note: String?
  @SyncedProperty(policy: ManualPolicy(), group: "reading") var isRead = false
  @SyncedProperty(group: "reading") var finished: Date?
  @SyncedProperty(
    "stars", replacing: FormerField("rating", read: { (rating: Int) in Double(rating) }))
  var stars = 0.0
  @SyncedProperty(isLocal: true) var place: String?
  @NotSynced var isSelected = false
  var isLong: Bool { title.count > 10 }
}

/// The same as a person writes it.
private struct Written: SyncedRecord {
  var id = RecordID.random
  var title = ""
  var note: String?
  var isRead = false
  var finished: Date?
  var stars = 0.0
  var place: String?

  static let schema = RecordSchema<Written>("book", in: Case.self, deleteRule: .deleteWins) {
    SyncedField("title", \.title)
    SyncedField("remark", \.note, policy: ManualPolicy())
    SyncedGroup("reading", policy: ManualPolicy()) {
      SyncedField("isRead", \.isRead)
      SyncedField("finished", \.finished)
    }
    SyncedField(
      "stars", \.stars,
      replacing: FormerField("rating", read: { (rating: Int) in Double(rating) }))
    SyncedField("place", \.place, isLocal: true)
    SyncedIndex(withinParent: \.title)
    SyncedIndex(\.isRead, \.title)
  }
}

@Suite struct SyncedTypes {
  @Test func `the schema is that which a person would write`() {
    let (made, written) = (Book.schema.type, Written.schema.type)
    #expect(made.name == written.name && made.deleteRule == written.deleteRule)
    #expect(made.parents == written.parents && made.placement == written.placement)
    func text(_ field: Field) -> String {
      "\(field.name) \(field.type) \(field.policy.name) \(field.rebase) \(field.weight) \(field.isLocal) "
        + field.members.map(text).joined()
    }
    #expect(made.fields.map(text) == written.fields.map(text))
    #expect(made.indexes == written.indexes && made.indexes.count == 2)
    #expect(made.fields.count == 6)
  }

  @Test func `a conflict names the property`() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    let stores = try ["desk", "sofa"].map {
      try SyncStore.inMemory(RecordDomain("books", Case.self, Book.self), deviceName: $0)
    }
    func sync() async throws {
      for store in stores + [stores[0]] { try await store.sync(with: .folder(folder)).syncNow() }
    }
    let shelf = Case(name: "upper")
    try await stores[0].write { transaction in
      try transaction.insert(shelf)
      try transaction.insert(Book(id: "dune", title: "Dune"), in: shelf)
    }
    try await sync()
    for (store, note) in zip(stores, ["mine", "yours"]) {
      try await store.write { try $0.update(Book.self, "dune") { $0.note = note } }
    }
    try await sync()
    let conflict = try #require(try stores[0].conflicts(of: Book.self).first)
    #expect(conflict.properties.contains { $0 as PartialKeyPath<Book> == \Book.note })
    #expect(Set(conflict.candidates.map(\.model.note)) == ["mine", "yours"])
  }

  @Test func `a record is written, found and changed`() async throws {
    let store = try SyncStore.inMemory(RecordDomain("books", Case.self, Book.self))
    let shelf = Case(name: "upper")
    try await store.write { transaction in
      try transaction.insert(shelf)
      for title in ["Ulysses", "Dune", "Emma"] {
        try transaction.insert(Book(id: RecordID(title), title: title), in: shelf)
      }
      try transaction.update(Book.self, "Emma") {
        $0.isRead = true
        $0.isSelected = true
      }
    }
    let query = RecordQuery(Book.self, in: shelf).where(\.isRead == false).order(by: \.title)
    #expect(try store.fetch(query).map(\.title) == ["Dune", "Ulysses"])
    let emma = try #require(try store.find(Book.self, "Emma"))
    #expect(emma.isRead && !emma.isSelected && !emma.isLong)
    #expect(try store.verify().flatMap(\.problems) == [])
  }
}
