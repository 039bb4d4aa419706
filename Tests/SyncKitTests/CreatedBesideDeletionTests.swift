import SyncKit
import SyncKitTesting
import Testing

// A record is deleted with all that hangs on it, and a device that has never seen it creates it: it lives on, and
// what its deleter threw away does not come back.

private struct Shelves: SyncDomain {
  let schema = DomainSchema(
    "shelves",
    [
      RecordType("shelf", fields: [Field("name", .string)]),
      RecordType(
        "book", placement: .parent, parents: ["shelf"], fields: [Field("title", .string)]),
    ])
}

private struct Library {
  let remote = InMemoryTransport()
  let owner: TestDevice
  let other: TestDevice
  let third: TestDevice

  init() throws {
    let clock = VirtualClock()
    owner = try TestDevice("owner", remote, of: Shelves(), clock: clock)
    other = try TestDevice("other", remote, of: Shelves(), clock: clock)
    third = try TestDevice("third", remote, of: Shelves(), clock: clock)
  }

  func shelve(_ titles: [RecordID], on device: TestDevice) throws {
    try device.store.write { transaction in
      let shelf = RecordDraft("shelf", id: "s", fields: ["name": .string("of \(titles[0])")])
      try transaction.save(shelf)
      for title in titles {
        try transaction.save(
          RecordDraft(
            "book", id: title, parent: RecordKey(collection: "shelf", id: "s"),
            fields: ["title": .string(title.text)]))
      }
    }
  }

  func clear(_ device: TestDevice) throws {
    try device.store.write { try $0.delete(RecordKey(collection: "shelf", id: "s")) }
  }

  func settle() async throws {
    for _ in 0..<2 {
      for device in [owner, other, third] { try await device.engine.syncNow() }
    }
  }

  func expect(_ titles: [RecordID], sourceLocation: SourceLocation = #_sourceLocation) throws {
    for device in [owner, other, third] {
      let books = try device.store.records("book").map(\.key.id).sorted()
      #expect(books == titles.sorted(), sourceLocation: sourceLocation)
      #expect(try device.digests == owner.digests, sourceLocation: sourceLocation)
    }
  }
}

@Test(arguments: [false, true])
func `what hung on a deleted record does not come back with one of its id`(
  _ isPublished: Bool
)
  async throws
{
  let library = try Library()
  try library.shelve(["a", "b"], on: library.owner)
  try await library.owner.engine.syncNow()
  try library.clear(library.owner)
  try await library.owner.engine.syncNow()
  try library.shelve(["mine"], on: library.other)
  if isPublished {
    var options = SyncOptions()
    options.direction = .pushOnly
    try await library.other.engine.syncNow(options)
  }
  try await library.settle()
  try library.expect(["mine"])
  #expect(try library.third.store.record("shelf", "s")?["name"] == "of mine")
}

@Test func `two that create beside a deletion keep what each of them has written`() async throws {
  let library = try Library()
  try library.shelve(["a", "b"], on: library.owner)
  try await library.owner.engine.syncNow()
  try library.clear(library.owner)
  try await library.owner.engine.syncNow()
  try library.shelve(["mine"], on: library.other)
  try library.shelve(["theirs"], on: library.third)
  try await library.settle()
  try library.expect(["mine", "theirs"])
}

@Test func `an edit elsewhere has seen what hangs on a deleted record, and keeps it`() async throws
{
  let library = try Library()
  try library.shelve(["a", "b"], on: library.owner)
  for device in [library.owner, library.third] { try await device.engine.syncNow() }
  try library.clear(library.owner)
  try await library.owner.engine.syncNow()
  try library.third.store.write {
    let shelf = RecordKey(collection: "shelf", id: "s")
    try $0.save(RecordDraft("book", id: "a", parent: shelf, fields: ["title": "edited"]))
  }
  try await library.third.engine.syncNow()
  try library.shelve(["mine"], on: library.other)
  try await library.settle()
  try library.expect(["a", "b", "mine"])
}
