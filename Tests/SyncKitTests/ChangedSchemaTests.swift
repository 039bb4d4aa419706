import SegmentFormat
import SyncKitTesting
import Testing

@testable import SyncKitEngine
@testable import SyncKitModel
@testable import SyncKitStore

/// A domain as one version of an app has it.
private struct Shelf: SyncDomain {
  let schema: DomainSchema

  init(_ types: RecordType...) { schema = DomainSchema("shelf", types) }
}

private let first = Shelf(
  RecordType(
    "book",
    fields: [
      Field("rating", .int), Field("tags", .set), Field("diary", .string, isLocal: true),
      .group("code", [Field("isbn", .string), Field("source", .string)]),
    ]))

private func book(_ fields: Field...) -> Shelf { Shelf(RecordType("book", fields: fields)) }

/// Opens a store in which the first version has written a record.
private func refusal(by domain: Shelf) throws -> SyncError? {
  let storage = InMemoryStorage()
  let old = try TestDevice("a", of: first, storage: storage)
  try old.save("1", ["rating": 5, "isbn": "978"])
  let before = try storage.read { try $0.entries(.meta) }.map(\.value)
  do {
    _ = try TestDevice("a", of: domain, storage: storage)
    return nil
  } catch let error as SyncError {
    #expect(error.code == .storeSchema && error.code.exit == 78)
    #expect(error.hint?.contains("a new name") == true)
    #expect(try storage.read { try $0.entries(.meta) }.map(\.value) == before)
    // The app as it was goes on.
    #expect(try TestDevice("a", of: first, storage: storage).book("1")?["rating"] == 5)
    return error
  }
}

@Test func `a field of another type is refused by name, whatever version the app claims`() throws {
  let error = try refusal(
    by: Shelf(RecordType("book", version: 3, fields: [Field("rating", .string)])))
  #expect(error?.message.contains("'rating' of 'book' was int and would be string") == true)
  #expect(try refusal(by: book(Field("rating", .double))) != nil)
  #expect(try refusal(by: book(Field("rating", .any))) != nil)
}

@Test func `a set and a field that is none are not the same`() throws {
  #expect(try refusal(by: book(Field("tags", .list)))?.message.contains("'tags'") == true)
  #expect(try refusal(by: book(Field("rating", .set)))?.message.contains("'rating'") == true)
}

@Test func `a field that enters, leaves or changes its group is refused`() throws {
  let cases = [
    book(Field("isbn", .string)),
    book(.group("code", [Field("rating", .int)])),
    book(.group("number", [Field("isbn", .string), Field("source", .string)])),
    book(Field("code", .map)),
    book(.group("rating", [Field("stars", .int)])),
  ]
  let words = ["'isbn'", "'rating'", "'isbn'", "'code'", "'rating'"]
  for (domain, word) in zip(cases, words) {
    #expect(try refusal(by: domain)?.message.contains(word) == true, "\(word)")
  }
}

@Test func `what stayed on a device does not begin to leave it, nor the other way round`() throws {
  let leaving = try refusal(by: book(Field("diary", .string)))
  #expect(leaving?.message.contains("'diary' of 'book' stayed on this device") == true)
  #expect(try refusal(by: book(Field("rating", .int, isLocal: true))) != nil)
}

@Test func `a collection that moves, or is renamed over its records, is refused`()
  throws
{
  let moved = try refusal(by: Shelf(RecordType("book", placement: .root, fields: [])))
  #expect(moved?.message.contains("Records of 'book' lived in the home zone") == true)
  let renamed = try refusal(
    by: Shelf(RecordType("title", fields: first.schema.collections[0].fields)))
  #expect(renamed?.message.contains("'book' would be called 'title'") == true)
}

@Test func `fields and collections are added and left out freely`() throws {
  #expect(
    try refusal(
      by: Shelf(
        RecordType("book", fields: first.schema.collections[0].fields + [Field("stars", .string)]),
        RecordType("loan", fields: [Field("to", .string)]))) == nil)
  #expect(try refusal(by: book(Field("rating", .int))) == nil)
  #expect(
    try refusal(by: book(.group("code", [Field("isbn", .string), Field("new", .int)]))) == nil)
  #expect(try refusal(by: Shelf(RecordType("loan", fields: [Field("to", .string)]))) == nil)
}

@Test func `a field that was left out for a while still means what it meant`() throws {
  let storage = InMemoryStorage()
  _ = try TestDevice("a", of: first, storage: storage)
  _ = try TestDevice("a", of: book(Field("stars", .int)), storage: storage)
  #expect(throws: SyncError.self) {
    try TestDevice("a", of: book(Field("rating", .string)), storage: storage)
  }
  // An older version of the app may open it, too.
  _ = try TestDevice("a", of: first, storage: storage)
  #expect(throws: SyncError.self) {
    try TestDevice("a", of: book(Field("stars", .bool)), storage: storage)
  }
}

@Test func `a store from before schemas were remembered learns its schema when it is opened`()
  throws
{
  let storage = InMemoryStorage()
  try TestDevice("a", of: first, storage: storage).save("1", ["rating": 5])
  try storage.write { try $0.delete(.meta, Keys.schema) }
  _ = try TestDevice("a", of: first, storage: storage)
  #expect(throws: SyncError.self) {
    try TestDevice("a", of: book(Field("rating", .string)), storage: storage)
  }
}

@Test func `a repair takes nothing over from another schema`() throws {
  let storage = InMemoryStorage()
  try TestDevice("a", of: first, storage: storage).save("1", ["rating": 5])
  let changed = try TestDevice("new", of: book(Field("rating", .string)))
  let error = #expect(throws: SyncError.self) { try changed.store.salvage(from: storage) }
  #expect(error?.code == .storeSchema)
}

@Test func `opening a store again writes nothing`() throws {
  let storage = InMemoryStorage()
  let whole = first.schema.collections[0].fields
  for fields in [whole, Array(whole.reversed()), Array(whole.dropFirst())] {
    _ = try TestDevice("a", of: Shelf(RecordType("book", fields: fields)), storage: storage)
    let row = try storage.read { try $0.get(.meta, Keys.schema) }
    #expect(row == RememberedSchema(first.schema).encoded)
  }
}
