import SyncKit
import SyncKitTesting
import Testing

@testable import MediaLibrary

@Test func `a list is a root with a zone of its own, and all but private notes hang on it`() {
  let schema = DomainSchema.media
  #expect(schema["list"]?.placement == .root)
  for name: CollectionName in ["item", "watch", "episode", "note"] {
    #expect(schema[name]?.placement == .parent, "\(name)")
  }
  #expect(schema["privateNote"]?.placement == .local)
}

@Test func `the domain keeps its contract`() async throws {
  let list = RecordKey.root("list", "weekend")
  let item = RecordKey(zone: list.zone, collection: "item", id: "matrix")
  let drafts = [
    RecordDraft("list", id: "weekend", fields: ["name": "Weekend", "colour": "#FF0000"]),
    RecordDraft(
      "item", id: "matrix", parent: list, fields: ["title": "The Matrix", "tmdbId": 603]),
    RecordDraft(
      "item", parent: list,
      fields: ["title": "Breaking Bad", "mediaType": "tv", "tmdbId": 1396, "rating": 9]),
    RecordDraft("watch", parent: item, fields: ["date": "2026-11-21", "rewatch": true]),
    RecordDraft("episode", parent: item, fields: ["season": 1, "number": 2, "watched": true]),
    RecordDraft("note", id: "n", parent: item, fields: ["text": "Seen with Laura"]),
  ]
  #expect(try await DomainContract(drafts: drafts).violations(of: MediaLibraryDomain()) == [])
}
