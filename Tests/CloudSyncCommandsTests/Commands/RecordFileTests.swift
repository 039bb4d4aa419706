import CommandFoundation
import SyncKitFormats
import SyncKit
import Testing

@testable import CloudSyncCommands

/// Files of records in the general form, which every domain gets from its schema.
struct RecordFileTests {
  /// A domain with a field of every type, and records with parents.
  private struct Notes: SyncDomain {
    let schema = DomainSchema(
      "notes",
      [
        RecordType(
          "book", placement: .root, fields: [Field("title", .string), Field("pages", .int)]),
        RecordType(
          "note", placement: .parent, parents: ["book"],
          fields: [
            Field("text", .string), Field("weight", .double), Field("done", .bool),
            Field("due", .instant), Field("scan", .bytes), Field("tags", .set),
            Field("links", .list), Field("facts", .map), Field("rest", .any),
          ]),
      ])
  }

  private enum NotesRegistration: DomainRegistration {
    static let domain: any SyncDomain = Notes()
    static let abstract = "Notes."
  }

  private static let records = [
    Record(
      key: RecordKey(zone: "z", collection: "book", id: "b/1"),
      fields: ["title": "A, \"B\"\nC", "pages": -7]),
    Record(
      key: RecordKey(zone: "z", collection: "note", id: "n"),
      fields: [
        "text": "é", "weight": 0.5, "done": false, "due": .instant(1_767_225_600_000),
        "scan": .bytes([0, 255]), "tags": .list(["x", "y"]), "links": .list([1, .null]),
        "facts": .map(ValueMap([("a", true)])), "rest": .list([]),
      ], parent: RecordKey(zone: "z", collection: "book", id: "b/1")),
  ]

  private func read(_ bytes: [UInt8], _ format: String?) throws -> ImportedRecords {
    try RecordFileReader(Notes()).read(bytes, format: format)
  }

  @Test func `a written document is read back unchanged`() throws {
    let writer = RecordFileWriter<NotesRegistration>(
      records: Self.records, collections: Notes().schema.collections)
    let imported = try read(writer.bytes("json"), nil)
    #expect(imported.faults.isEmpty)
    let drafts = imported.rows.map(\.draft)
    #expect(drafts.map(\.collection) == ["book", "note"])
    #expect(drafts.map(\.id) == ["b/1", "n"])
    #expect(drafts.map(\.fields) == Self.records.map(\.fields))
    #expect(drafts[1].parent?.description == "book/b/1")
  }

  @Test(arguments: [0, 1])
  func `a table has one collection and is read back`(index: Int) throws {
    let collection = Notes().schema.collections[index]
    let writer = RecordFileWriter<NotesRegistration>(
      records: Self.records, collections: [collection])
    let imported = try read(writer.bytes("csv"), "csv")
    #expect(imported.faults.isEmpty)
    #expect(imported.rows.map(\.draft.fields) == [Self.records[index].fields])
    #expect(imported.rows.map(\.draft.collection) == [collection.name])
  }

  @Test func `an object names records of the first collection`() throws {
    let imported = try read(Array(#"{"b": {"title": "T"}, "c": {"pages": 3}}"#.utf8), nil)
    #expect(imported.rows.map(\.draft.id) == ["b", "c"])
    #expect(try read(Array("{}".utf8), "json").rows.isEmpty)
  }

  @Test func `every fault has its row and column`() throws {
    let csv = "id,title,pages,size\nb,T,3,1\nc,T,x,\nd,T\ne,T,4,\n"
    let imported = try read(Array(csv.utf8), "csv")
    #expect(imported.faults.map(\.row) == [2, 3, 4])
    #expect(imported.faults.map(\.column) == ["size", "pages", nil])
    #expect(imported.rows.map(\.draft.id) == ["e"])
    let json = #"[{"fields":{"pages":"3"}}, 7, {"collection":"x","fields":{}}, {"fields":{}}]"#
    let second = try read(Array(json.utf8), "json")
    #expect(second.faults.map(\.row) == [1, 2, 3])
    #expect(second.faults.map(\.column) == ["pages", "fields", "collection"])
    #expect(second.rows.count == 1)
  }

  @Test(arguments: ["[", "7", "\"x\"", "title\nT\n", "id,id\n1,2\n"])
  func `an unreadable file is refused`(text: String) {
    #expect(throws: SyncError.self) { try read(Array(text.utf8), nil) }
  }

  @Test func `values are typed as people type them`() {
    #expect(Value(typed: "7", as: .int) == 7)
    #expect(Value(typed: "7.5", as: .int) == nil)
    #expect(Value(typed: "7", as: .double) == .double(7))
    #expect(Value(typed: "true", as: .bool) == true)
    #expect(Value(typed: "yes", as: .bool) == nil)
    #expect(Value(typed: "2026-01-01", as: .instant) == .instant(1_767_225_600_000))
    #expect(Value(typed: "AP8=", as: .bytes) == .bytes([0, 255]))
    #expect(Value(typed: "%", as: .bytes) == nil)
    #expect(Value(typed: "a, b", as: .set) == .list(["a", "b"]))
    #expect(Value(typed: "[1,2]", as: .list) == .list([1, 2]))
    #expect(Value(typed: "{\"a\":1}", as: .map) == .map(ValueMap([("a", 1)])))
    #expect(Value(typed: "a", as: .map) == nil)
    #expect(Value(typed: "null", as: .any) == .null)
    #expect(Value(typed: "word", as: .any) == "word")
  }
}
