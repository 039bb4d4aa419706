import SyncKit
import SyncKitTesting
import Testing

@testable import HealthRecords

struct SchemaTests {
  @Test func `every person and pet is a root that stays local until published`() throws {
    let subject = try #require(DomainSchema.health["subject"])
    #expect(subject.placement == .root && subject.isOptIn)
  }

  @Test func `there are twelve kinds of entries, each in its subject's zone`() {
    #expect(EntryKind.allCases.count == 12)
    for kind in EntryKind.allCases {
      let type = DomainSchema.health[kind.collection]
      #expect(type?.placement == .parent && type?.parents == ["subject"])
      #expect(type?.field(kind.title) != nil && type?.field(kind.remark) != nil)
      #expect((type?.field("date") != nil) == kind.hasDate)
    }
  }

  @Test func `the app's data about its cloud is not a field of ours`() {
    for type in DomainSchema.health.collections {
      for name in CloudFormat.stateKeys { #expect(type.field(FieldName(name)) == nil) }
    }
  }

  @Test func `the domain keeps the contract`() async throws {
    let parent = RecordKey.root("subject", .anna)
    let drafts = [
      RecordDraft("subject", id: .anna, fields: ["personalGivenName": "Anna", "isPet": false]),
      RecordDraft("blood", id: "a", parent: parent, fields: ["name": "120/80 mmHg"]),
      RecordDraft("weight", id: "b", parent: parent, fields: ["weightKg": 72, "date": "2024"]),
    ]
    let violations = try await DomainContract(drafts: drafts).violations(of: HealthDomain())
    #expect(violations == [])
  }

  @Test(arguments: [
    ("weight", "weightKg", Value.double(0)), ("weight", "weightKg", .double(-.infinity)),
    ("weight", "weightKg", .double(99_999)), ("weight", "date", "soon-secret"),
    ("vaccination", "nextDue", "secret"), ("drug", "until", "2024-02-30"),
    ("petCost", "amount", .double(.nan)), ("subject", "personalBirthdate", "secret"),
  ])
  func `a refusal names the field and never its value`(
    collection: CollectionName, field: FieldName, value: Value
  ) throws {
    let home = try Household("home")
    try home.add([:])
    let parent = collection == "subject" ? nil : RecordKey.root("subject", .anna)
    let error = #expect(throws: SyncError.self) {
      try home.store.write {
        try $0.save(RecordDraft(collection, parent: parent, fields: [field: value]))
      }
    }
    #expect(error?.code == .inputInvalid)
    #expect(error?.message.contains("'\(field)'") == true)
    #expect(error?.message.contains("secret") == false)
  }

  @Test func `empty texts are not values, and control characters are dropped`() throws {
    let home = try Household("home")
    let key = try home.add(["personalGivenName": "An\u{0}na\u{B}", "personalNickName": "  \n"])
    let record = try #require(try home.store.record(key))
    #expect(record.fields["personalGivenName"] == "Anna")
    #expect(record.fields["personalNickName"] == nil)
  }

  @Test func `a cost belongs to the year of its date`() throws {
    let home = try Household("home")
    try home.add(["isPet": true])
    let key = try home.add(.petCost, ["date": "2025-03-01", "amount": 30, "category": "Food"])
    #expect(try home.store.record(key)?["year"] == 2025)
    let other = try home.add(.petCost, ["date": "2025-03-01", "year": 2024, "amount": 30])
    #expect(try home.store.record(other)?["year"] == 2024)
  }
}
