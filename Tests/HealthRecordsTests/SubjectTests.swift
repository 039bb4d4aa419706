import SyncKit
import Testing

@testable import HealthRecords

struct SubjectTests {
  private func subject(_ id: RecordID, _ fields: [FieldName: Value]) throws -> HealthSubject {
    try #require(HealthSubject(Record(key: .root("subject", id), fields: fields)))
  }

  @Test func `names are shown as the app shows them`() throws {
    #expect(try subject("a", [:]).displayName == "Person")
    #expect(try subject("a", ["isPet": true]).displayName == "Pet")
    #expect(try subject("a", ["isPet": true, "personalName": "Rex"]).displayName == "Rex")
    let anna = try subject("a", ["personalFamilyName": "Schmidt", "personalGivenName": "Anna"])
    #expect(anna.displayName == "Schmidt - Anna" && anna.spokenName == "Anna Schmidt")
    #expect(anna.sortKey == "0-schmidt - anna")
  }

  @Test(arguments: ["7d9f1c3e-aaaa", "7D9F", "Anna Schmidt", "schmidt - anna", "anna", "Schmidt"])
  func `a person is found by id, by the start of the id, or by name`(text: String) throws {
    let all = [
      try subject("7d9f1c3e-aaaa", ["personalFamilyName": "Schmidt", "personalGivenName": "Anna"]),
      try subject("1234567", ["isPet": true, "personalName": "Rex"]),
    ]
    #expect(try HealthSubject.find(text, among: all).record.key.id == "7d9f1c3e-aaaa")
  }

  @Test func `a name of several people asks for an id and repeats no name`() throws {
    let all = [
      try subject("aaaa1", ["personalGivenName": "Anna"]),
      try subject("aaaa2", ["personalGivenName": "Anna"]),
    ]
    for text in ["Anna", "aaaa"] {
      let error = #expect(throws: SyncError.self) { try HealthSubject.find(text, among: all) }
      #expect(error?.code == .usage)
      #expect(error?.hint?.contains("aaaa1, aaaa2") == true)
      #expect(error?.message.contains("Anna") == false)
    }
    let none = #expect(throws: SyncError.self) { try HealthSubject.find("Bob", among: all) }
    #expect(none?.code == .notFound && none?.message.contains("Bob") == false)
    #expect(throws: SyncError.self) { try HealthSubject.find("", among: all) }
  }
}
