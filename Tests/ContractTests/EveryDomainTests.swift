import CommandFoundation
import SyncKit
import SyncKitTesting
import Testing

@testable import CloudSyncCommands

/// Records of each registered domain, as people would write them; a new domain adds a row here.
let domainDrafts: [String: [RecordDraft]] = [
  "airports": [
    RecordDraft("mapping", id: "JFK", fields: ["icao": "KJFK"]),
    RecordDraft("mapping", id: "zrh", fields: ["icao": "lszh", "source": "learned"]),
    RecordDraft("mapping", id: " YUM ", fields: ["icao": "KNYL", "verifiedByCoordinates": true]),
    RecordDraft("mapping", id: "ABC", fields: ["icao": "KABC", "source": "guessed"]),
    RecordDraft("unknown", id: "XYZ", fields: ["firstSeen": .instant(1), "lastSeen": .instant(2)]),
  ],
  "health": [
    RecordDraft(
      "subject", id: "7d9f1c3e-2b64-4a8e-9f0d-5c1e8a2b3d4f",
      fields: ["personalGivenName": " Anna", "personalGender": "female", "isPet": false]),
    RecordDraft(
      "subject", id: "0b5c2f6a-91de-4c37-8f25-6d7e8f9a0b1c",
      fields: ["personalName": "Rex", "isPet": true, "personalBirthdate": "2019-04"]),
    RecordDraft(
      "blood", id: "b1", parent: .root("subject", "7d9f1c3e-2b64-4a8e-9f0d-5c1e8a2b3d4f"),
      fields: ["name": "120/80 mmHg", "date": "2024-01-15T10:30:00.000Z"]),
    RecordDraft(
      "weight", id: "w1", parent: .root("subject", "0b5c2f6a-91de-4c37-8f25-6d7e8f9a0b1c"),
      fields: ["weightKg": 11]),
  ],
  "media": [
    RecordDraft(
      "list", id: "weekend", fields: ["name": " Weekend ", "order": "a1", "icon": "film"]),
    RecordDraft(
      "item", parent: .root("list", "weekend"),
      fields: ["title": "The Matrix", "year": 1999, "tmdbId": 603, "rating": 9, "watched": true]),
    RecordDraft(
      "item", id: "breaking-bad", parent: .root("list", "weekend"),
      fields: [
        "title": "Breaking Bad", "mediaType": "TV", "genres": .list(["Drama"]),
        "tags": .list(["best"]),
      ]),
    RecordDraft(
      "episode", parent: mediaItem, fields: ["season": 1, "number": 2, "watched": true]),
    RecordDraft(
      "watch", parent: mediaItem,
      fields: ["date": "2026-11-21", "season": 1, "number": 2, "rewatch": false]),
    RecordDraft("note", id: "n1", parent: mediaItem, fields: ["text": "With Laura"]),
  ],
  "bike": [
    RecordDraft("bike", id: "b1", fields: ["name": " Trail bike ", "kind": "Full-Suspension"]),
    RecordDraft("bike", id: "b2", fields: ["gearIds": .list(["b9", "old-b2"])], weight: .touch),
    RecordDraft(
      "interval", fields: ["bikeId": "b1", "templateId": "chain", "lastServiceDate": .instant(5)]),
    RecordDraft(
      "interval", fields: ["bikeId": "b1", "templateId": "chain", "intervalTime": 7],
      weight: .touch),
    RecordDraft(
      "interval", id: "tyre",
      fields: ["bikeId": "not-here", "part": "Tyre", "intervalDistance": 3_000, "note": "rear"]),
  ],
  "settings": [
    RecordDraft("namespace", id: "com.example.app", fields: ["include": .list(["font.*"])]),
    RecordDraft("namespace", id: "editor", fields: ["localKeys": .list(["window.*"])]),
    RecordDraft(
      "setting", id: "font.size", parent: .root("namespace", "com.example.app"),
      fields: ["type": "double", "value": 14.0]),
  ],
]

private let mediaItem = RecordKey(
  zone: RecordKey.root("list", "weekend").zone, collection: "item", id: "breaking-bad")

@Test(arguments: DomainRegistry.names)
func `every registered domain keeps the contract`(name: String) async throws {
  let drafts = try #require(domainDrafts[name], "Add drafts of the domain \(name) to this test.")
  let domain = try DomainRegistry.domain(name)
  #expect(try await DomainContract(drafts: drafts).violations(of: domain) == [])
}

@Test func `a domain whose policy and names are wrong is caught`() async throws {
  let drafts = [RecordDraft("thing", id: "a", fields: ["size": 1])]
  let found = try await DomainContract(drafts: drafts).violations(of: CarelessDomain())
  #expect(found.contains { $0.contains("twice") })
  #expect(found.contains { $0.contains("order") })
  #expect(found.contains { $0.contains("again") })
}

/// A domain with a field that is there twice, a policy that depends on order, and a normal form
/// that never settles.
private struct CarelessDomain: SyncDomain {
  let schema = DomainSchema(
    "careless",
    [
      RecordType(
        "thing",
        fields: [Field("size", .int, policy: FirstComePolicy()), Field("size", .int)])
    ])

  func normalize(_ draft: inout RecordDraft) throws {
    guard let size = draft.fields["size"]?.int else { return }
    draft.fields["size"] = .int(size + 1)
  }
}

private struct FirstComePolicy: ConflictPolicy {
  let name = "firstCome"
  func shown(_ siblings: [Sibling]) -> Value { siblings.first?.value ?? .null }
}
