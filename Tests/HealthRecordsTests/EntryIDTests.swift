import SegmentFormat
import SyncKit
import SyncKitTesting
import Testing

@testable import HealthRecords

struct EntryIDTests {
  @Test func `an id is the same on every device and at every import`() {
    let id = EntryID(subject: .anna).derived(.blood, date: "2024-01-15", name: "120/80", ordinal: 0)
    #expect(id.text.utf8.count == 36)
    #expect(
      id == EntryID(subject: .anna).derived(.blood, date: "2024-01-15", name: "120/80", ordinal: 0))
    #expect(id.text.split(separator: "-")[2].hasPrefix("8"))
  }

  @Test func `it depends on a random id and not on personal data alone`() {
    let one = EntryID(subject: .anna).derived(.illness, date: "2021", name: "X", ordinal: 0)
    let other = EntryID(subject: .rex).derived(.illness, date: "2021", name: "X", ordinal: 0)
    #expect(one != other)
  }

  @Test func `kind, date, name and ordinal all count, and none runs into the next`() {
    let ids = EntryID(subject: .anna)
    let all = [
      ids.derived(.blood, date: "2024", name: "a", ordinal: 0),
      ids.derived(.illness, date: "2024", name: "a", ordinal: 0),
      ids.derived(.blood, date: "2023", name: "a", ordinal: 0),
      ids.derived(.blood, date: "2024", name: "b", ordinal: 0),
      ids.derived(.blood, date: "2024", name: "a", ordinal: 1),
      ids.derived(.blood, date: "", name: "2024a", ordinal: 0),
      ids.derived(.blood, date: "2024a", name: "", ordinal: 0),
    ]
    #expect(Set(all).count == all.count)
  }

  @Test func `equal entries of a file stay distinct, and importing again adds none`() throws {
    let file = """
      {"exportVersion":1,"isPet":false,"personalinformation":{"personalGivenName":"Anna"},
       "risks":[{"risksDate":"","risksName":"Smoker","risksComment":""},
                {"risksDate":"","risksName":"Smoker","risksComment":""}]}
      """
    let home = try Household("home")
    try home.import(file)
    #expect(try home.tree().entries(.risk).count == 2)
    let again = try home.import(file)
    #expect(again.batch == nil)
    #expect(try home.tree().entries(.risk).count == 2)
  }

  @Test func `two devices that import one file make the same records`() async throws {
    let remote = InMemoryTransport()
    let phone = try Household("phone", meeting: remote)
    let tablet = try Household("tablet", meeting: remote)
    let file = try Golden.text("app-person.json")
    for device in [phone, tablet] {
      try device.import(file)
      try device.setScope(.synced)
    }
    let count = try phone.tree().entries.count
    try await sync(phone, tablet, phone)
    #expect(try phone.tree().entries.count == count)
    #expect(try tablet.tree().entries.count == count)
  }
}
