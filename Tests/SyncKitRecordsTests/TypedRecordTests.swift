import Foundation
import SyncKitApp
import SyncKitTesting
import Testing

@Suite struct TypedRecords {
  let store: SyncStore
  init() throws { store = try SyncStore.inMemory(shelf) }

  @Test func `a record comes back as it was`() async throws {
    var book = Book()
    book.title = "Dune"
    book.pages = 604
    book.tags = ["desert", "classic"]
    book.rating = .great
    book.finished = Date(timeIntervalSince1970: 1_700_000_000.123)
    try await store.write { [book] in try $0.insert(book) }
    let found = try #require(try store.find(Book.self, book.id))
    #expect(found.title == "Dune" && found.pages == 604 && found.rating == .great)
    #expect(found.tags == ["desert", "classic"] && found.note == nil && !found.isRead)
    #expect(found.finished?.timeIntervalSince1970 == 1_700_000_000.123)
    #expect(try store.all(Book.self).map(\.id) == [book.id])
  }

  @Test func `every type of a property comes back, empty or not`() async throws {
    let list = ShoppingList()
    var item = Item()
    item.prices = ["market": 2.5, "shop": 3]
    item.link = URL(string: "https://example.org/apples")
    item.picture = Data([0, 255, 7])
    try await store.write { [item] in
      try $0.insert(list)
      try $0.insert(item, in: list)
    }
    let found = try #require(try store.find(Item.self, item.id))
    #expect(found.prices == item.prices && found.link == item.link)
    #expect(found.picture == item.picture && found.amount == 1)
    #expect(try store.all(Item.self, in: list).map(\.id) == [item.id])
    #expect(try store.all(Item.self, in: ShoppingList()).isEmpty)
  }

  @Test func `an update writes what it changes and nothing else`() async throws {
    try await store.write { try $0.insert(Book(id: "dune", title: "Dune", pages: 600)) }
    try await store.write { try $0.update(Book.self, "dune") { $0.rating = .good } }
    let batch = try #require(try store.history().first)
    #expect(batch.entries.compactMap(\.field).map(\.text) == ["rating"])
    let before = try store.history().count
    try await store.write { try $0.update(Book.self, "dune") { $0.scratch = "changed" } }
    #expect(try store.history().count == before)
  }

  @Test func `an optional can be unset again`() async throws {
    try await store.write { try $0.insert(Book(id: "dune", note: "lend")) }
    try await store.write { try $0.update(Book.self, "dune") { $0.note = nil } }
    #expect(try store.find(Book.self, "dune")?.note == nil)
  }

  @Test func `an update needs a record, and an insert needs a free id`() async throws {
    try await store.write { try $0.insert(Book(id: "dune")) }
    let twice = await #expect(throws: SyncError.self) {
      try await store.write { try $0.insert(Book(id: "dune")) }
    }
    #expect(twice?.code == .inputInvalid)
    let missing = await #expect(throws: SyncError.self) {
      try await store.write { try $0.update(Book.self, "emma") { $0.title = "Emma" } }
    }
    #expect(missing?.code == .notFound)
    try await store.write { try $0.delete(Book.self, "dune") }
    #expect(try store.find(Book.self, "dune") == nil)
    try await store.write { try $0.insert(Book(id: "dune", title: "Again")) }
    #expect(try store.find(Book.self, "dune")?.title == "Again")
  }

  @Test func `what this version does not understand stays as it is`() async throws {
    let key = RecordKey(collection: "book", id: "dune")
    try await store.write { try $0.insert(Book(id: "dune", rating: .good)) }
    try await store.write { try $0.edit(key, ["rating": 9]) }  // a newer app has more ratings
    #expect(try store.find(Book.self, "dune")?.rating == nil)
    try await store.write { try $0.update(Book.self, "dune") { $0.title = "Dune" } }
    #expect(try store.record(key)?["rating"] == 9)
  }

  @Test func `a domain of types keeps the contract of domains`() async throws {
    let drafts = [
      RecordDraft("book", id: "dune", fields: ["title": "Dune", "tags": .list(["a", "b"])])
    ]
    #expect(try await DomainContract(drafts: drafts).violations(of: shelf) == [])
  }
}

@Suite struct TypedRecordsOnTwoDevices {
  let pair: Pair
  init() throws { pair = try Pair() }

  @Test func `concurrent updates of one record both survive`() async throws {
    try await pair.desk.write { try $0.insert(Book(id: "dune", title: "Dune", tags: ["desert"])) }
    try await pair.sync()
    try await pair.desk.write {
      try $0.update(Book.self, "dune") {
        $0.rating = .great
        $0.tags.insert("classic")
      }
    }
    try await pair.sofa.write {
      try $0.update(Book.self, "dune") {
        $0.title = "Dune I"
        $0.tags = ["desert", "worms"]
        $0.pages = 604
      }
    }
    try await pair.sync()
    for store in [pair.desk, pair.sofa] {
      let book = try #require(try store.find(Book.self, "dune"))
      #expect(book.title == "Dune I" && book.rating == .great && book.pages == 604)
      #expect(book.tags == ["desert", "classic", "worms"])
    }
  }

  @Test func `a conflict has typed candidates and is decided by its property`() async throws {
    try await pair.desk.write { try $0.insert(Book(id: "dune")) }
    try await pair.sync()
    try await pair.desk.write { try $0.update(Book.self, "dune") { $0.note = "lend" } }
    try await pair.sofa.write { try $0.update(Book.self, "dune") { $0.note = "read" } }
    try await pair.sync()
    let conflict = try #require(try pair.desk.conflicts(of: Book.self).first)
    #expect(conflict.properties == [\Book.note] && conflict.needsDecision)
    #expect(Set(conflict.candidates.map(\.model.note)) == ["lend", "read"])
    #expect(conflict.candidates.filter(\.isMine).map(\.model.note) == ["lend"])
    try await pair.desk.write { try $0.resolve(Book.self, "dune", \.note, with: "lend, then read") }
    try await pair.sync()
    #expect(try pair.sofa.find(Book.self, "dune")?.note == "lend, then read")
    #expect(try pair.sofa.conflicts(of: Book.self).isEmpty)
  }

  @Test func `a conflict of a group shows all its properties and is decided as one`() async throws {
    try await pair.desk.write { try $0.insert(Book(id: "dune")) }
    try await pair.sync()
    let day = Date(timeIntervalSince1970: 1_700_000_000)
    try await pair.desk.write {
      try $0.update(Book.self, "dune") {
        $0.isRead = true
        $0.finished = day
      }
    }
    try await pair.sofa.write { try $0.update(Book.self, "dune") { $0.finished = .distantPast } }
    try await pair.sync()
    let conflict = try #require(try pair.sofa.conflicts(of: Book.self).first)
    #expect(Set(conflict.properties) == [\Book.isRead, \Book.finished])
    #expect(conflict.candidates.contains { $0.model.isRead && $0.model.finished == day })
    try await pair.sofa.write { try $0.resolve(Book.self, "dune", \.finished, with: day) }
    try await pair.sync()
    #expect(try pair.desk.find(Book.self, "dune")?.finished == day)
    #expect(try pair.desk.conflicts(of: Book.self).isEmpty)
  }

  @Test func `items go where their list goes`() async throws {
    let list = ShoppingList(name: "Saturday")
    try await pair.desk.write {
      try $0.insert(list)
      for name in ["apples", "bread"] { try $0.insert(Item(name: name), in: list) }
    }
    try await pair.sync()
    #expect(Set(try pair.sofa.all(Item.self, in: list).map(\.name)) == ["apples", "bread"])
  }
}
