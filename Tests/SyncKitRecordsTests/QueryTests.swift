import Foundation
import Observation
import SyncKitApp
import SyncKitTesting
import Testing

@Suite struct Queries {
  let store: SyncStore

  init() async throws {
    store = try SyncStore.inMemory(shelf)
    try await store.write { transaction in
      for (number, title) in ["Dune", "Emma", "Ulysses", "Dracula", "Middlemarch"].enumerated() {
        try transaction.insert(
          Book(
            id: RecordID("b\(number)"), title: title, pages: 100 * number,
            tags: number.isMultiple(of: 2) ? ["even"] : [], isRead: number > 2))
      }
      try transaction.insert(Book(id: "gone", title: "Deleted"))
    }
    try await store.write { try $0.delete(Book.self, "gone") }
  }

  private func titles(_ query: RecordQuery<Book>) throws -> [String] {
    try store.fetch(query).map(\.title)
  }

  @Test func `conditions compare properties`() throws {
    let books = RecordQuery(Book.self).order(by: \.title)
    #expect(try titles(books.where(\.isRead == true)) == ["Dracula", "Middlemarch"])
    #expect(try titles(books.where(\.pages >= 200 && \.pages < 400)) == ["Dracula", "Ulysses"])
    #expect(
      try titles(books.where(.property(\.title, hasPrefix: "D") || \.pages > 300)) == [
        "Dracula", "Dune", "Middlemarch",
      ])
    #expect(
      try titles(books.where(.property(\.tags, contains: "even")).where(!(\.pages == 0))) == [
        "Middlemarch", "Ulysses",
      ])
    #expect(try titles(books.where(.property(\.pages, isOneOf: [0, 100]))) == ["Dune", "Emma"])
    #expect(try titles(books.where(\.note == nil)).count == 5)
    #expect(try titles(books.where(\.rating != .good)).count == 5)
  }

  @Test func `unset is neither less nor greater`() throws {
    let never = RecordQuery(Book.self)
    #expect(try store.count(never.where(\.opened < Date(timeIntervalSince1970: 0))) == 0)
    #expect(try store.count(never.where(\.opened > .distantPast)) == 0)
  }

  @Test func `order, limit and count`() throws {
    let books = RecordQuery(Book.self)
    #expect(
      try titles(books.order(by: \.pages, descending: true).limit(2)) == ["Middlemarch", "Dracula"])
    #expect(
      try titles(books.order(by: \.isRead).order(by: \.title, descending: true)).first == "Ulysses")
    #expect(try store.count(books) == 5 && store.count(books.limit(2)) == 2)
    #expect(try titles(books.limit(0)).isEmpty)
    #expect(try store.fetch(books).map(\.id.text) == ["b0", "b1", "b2", "b3", "b4"])
  }

  @Test func `a property that is no field is refused by name of its type`() throws {
    for query in [
      RecordQuery(Book.self).where(\.scratch == "x"), RecordQuery(Book.self).order(by: \.scratch),
    ] {
      let error = #expect(throws: SyncError.self) { try store.fetch(query) }
      #expect(error?.code == .inputInvalid && error?.message.contains("book") == true)
    }
  }

  @Test func `a limited query of many finds what sorting all finds`() async throws {
    var random = SeededRandom(seed: 7)
    let numbers = (0..<2_000).map { _ in Int(random.next() % 10_000) }
    try await store.write { transaction in
      for number in numbers { try transaction.insert(Book(title: "many", pages: number)) }
    }
    let query = RecordQuery(Book.self).where(\.title == "many").order(by: \.pages).limit(50)
    #expect(try store.fetch(query).map(\.pages) == Array(numbers.sorted().prefix(50)))
  }
}

/// A version of an app in which a type has more properties than before.
private struct Note: SyncedRecord {
  enum Color: String, FieldValue { case red, blue }

  var id = RecordID.random
  var text = ""
  var color = Color.red
  var stars = 3
  var written = Date()

  static let schema = RecordSchema<Note>("note") {
    SyncedField("text", \.text, policy: KeepBothPolicy())
    SyncedField("color", \.color)
    SyncedField("stars", \.stars)
    SyncedField("written", \.written)
    SyncedIndex(\.stars, \.text)
    SyncedIndex(\.color)
    SyncedIndex(\.written)
  }
}

@Suite struct QueriesOfOlderRecords {
  private let store: SyncStore
  private let notes = RecordQuery(Note.self)

  init() async throws {
    store = try SyncStore.inMemory(RecordDomain("notes", Note.self))
    try await store.write { transaction in
      try transaction.save(RecordDraft("note", id: "old", fields: ["text": "from an older app"]))
      try transaction.save(
        RecordDraft("note", id: "odd", fields: ["color": "from a newer app", "stars": 5]))
      try transaction.insert(Note(id: "new", text: "new", color: .red, stars: 3))
    }
  }

  private func ids(_ query: RecordQuery<Note>) throws -> [String] {
    try store.fetch(query).map(\.id.text)
  }

  @Test func `what is unset counts as what the type gives`() throws {
    #expect(try ids(notes.where(\.stars == 3)) == ["new", "old"])
    #expect(try ids(notes.where(\.stars > 3 || \.stars < 3)) == ["odd"])
    #expect(try ids(notes.order(by: \.stars).limit(2)) == ["new", "old"])
  }

  @Test func `a date that the type draws counts as unset`() throws {
    #expect(try ids(notes.where(\.written > .distantPast)) == ["new"])
    #expect(try ids(notes.order(by: \.written).limit(3)) == ["odd", "old", "new"])
  }

  @Test func `what is not understood equals nothing that can be named`() throws {
    #expect(try store.find(Note.self, "odd")?.color == .red)
    #expect(try ids(notes.where(\.color == .red)) == ["new", "old"])
    #expect(try ids(notes.where(\.color != .red)) == ["odd"])
  }

  @Test func `texts that are kept both are read and found as one`() async throws {
    let other = try SyncStore.inMemory(RecordDomain("notes", Note.self))
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    let sessions = [store, other].map { $0.sync(with: .folder(folder)) }
    for session in sessions { try await session.syncNow() }
    try await store.write { try $0.update(Note.self, "new") { $0.text = "one" } }
    try await other.write { try $0.update(Note.self, "new") { $0.text = "two" } }
    for session in sessions + [sessions[0]] { try await session.syncNow() }
    let text = try #require(try store.find(Note.self, "new")?.text)
    #expect(text.split(separator: "\n\n").map(String.init).sorted() == ["one", "two"])
    #expect(try ids(notes.where(\.text == text)) == ["new"])
    #expect(
      try ids(notes.where(\.stars == 3 && .property(\.text, hasPrefix: String(text.prefix(3)))))
        == ["new"])
    #expect(try store.verify().flatMap(\.problems) == [])
  }
}

@Suite struct ObservedQueries {
  @Test func `an observer gets the records now and after each change of them`() async throws {
    let store = try SyncStore.inMemory(shelf)
    let query = RecordQuery(Book.self).where(\.isRead == false).order(by: \.title)
    var seen: [[String]] = []
    for try await books in store.observe(query, pause: .milliseconds(1)) {
      seen.append(books.map(\.title))
      switch seen.count {
      case 1: try await store.write { try $0.insert(Book(id: "dune", title: "Dune")) }
      case 2:
        // Neither another type nor what the query does not show is news.
        try await store.write { try $0.insert(ShoppingList(name: "Saturday")) }
        try await store.write { try $0.insert(Book(id: "read", isRead: true)) }
        try await store.write { try $0.insert(Book(id: "emma", title: "Emma")) }
      default: break
      }
      if seen.count == 3 { break }
    }
    #expect(seen == [[], ["Dune"], ["Dune", "Emma"]])
  }

  @Test func `what another device has written arrives with a sync`() async throws {
    let pair = try Pair()
    let stream = pair.sofa.observe(RecordQuery(Book.self))
    try await pair.desk.write { try $0.insert(Book(id: "dune", title: "Dune")) }
    try await pair.sync()
    for try await books in stream where !books.isEmpty {
      #expect(books.map(\.title) == ["Dune"])
      break
    }
  }

  @Test func `a slow observer gets the newest records only`() async throws {
    let store = try SyncStore.inMemory(shelf)
    let stream = store.observe(RecordQuery(Book.self), pause: .zero)
    for number in 0..<300 {
      try await store.write { try $0.insert(Book(id: RecordID("\(number)"))) }
    }
    var seen: [Int] = []
    for try await books in stream {
      seen.append(books.count)
      if books.count == 300 { break }
    }
    #expect(seen == seen.sorted() && seen.count < 300)
  }

  @Test @MainActor func `a live query changes the view that reads it`() async throws {
    let store = try SyncStore.inMemory(shelf)
    let books = LiveQuery(RecordQuery(Book.self), in: store, pause: .zero)
    while !books.isLoaded { await Task.yield() }
    #expect(books.results.isEmpty)
    await withCheckedContinuation { continuation in
      withObservationTracking {
        _ = books.results
      } onChange: {
        continuation.resume()
      }
      Task { try await store.write { try $0.insert(Book(id: "dune", title: "Dune")) } }
    }
    while books.results.isEmpty { await Task.yield() }
    #expect(books.results.map(\.title) == ["Dune"] && books.error == nil)
  }

  @Test @MainActor func `a live query that is released reads no more`() async throws {
    let store = try SyncStore.inMemory(shelf)
    var books: LiveQuery<Book>? = LiveQuery(RecordQuery(Book.self), in: store, pause: .zero)
    while books?.isLoaded == false { await Task.yield() }
    weak let released = books
    books = nil
    while released != nil { await Task.yield() }
    #expect(released == nil)
  }
}
