import SegmentFormat
import SyncKit
import SyncKitTesting
import Testing

@testable import HealthRecords

/// A text such as `120/80 mmHg` and the pair it stands for.
struct ReadingTests {
  private func home() throws -> Household {
    let home = try Household("home")
    try home.add(["personalGivenName": "Anna"])
    return home
  }

  private func entry(_ home: Household, _ key: RecordKey) throws -> HealthEntry {
    try #require(try home.store.record(key).flatMap { HealthEntry($0) })
  }

  @Test func `a text becomes a structured pair`() throws {
    let home = try home()
    let key = try home.add(.blood, ["name": "RR 120/80"])
    let entry = try entry(home, key)
    #expect(entry.bloodPressure == BloodPressure(systolic: 120, diastolic: 80))
    #expect(entry.record["unit"] == "mm[Hg]")
    #expect(entry.record["name"] == "RR 120/80")
  }

  @Test func `a pair becomes its text`() throws {
    let home = try home()
    let key = try home.add(.blood, ["systolic": 118, "diastolic": 78])
    #expect(try entry(home, key).record["name"] == "118/78 mmHg")
    try home.store.write { try $0.edit(key, ["systolic": 125]) }
    #expect(try entry(home, key).title == "125/78 mmHg")
  }

  @Test func `a text that is no longer a pressure removes the pair`() throws {
    let home = try home()
    let key = try home.add(.blood, ["name": "120/80 mmHg"])
    try home.store.write { try $0.edit(key, ["name": "not measured"]) }
    let entry = try entry(home, key)
    #expect(entry.bloodPressure == nil && entry.record["systolic"] == .null)
    #expect(entry.title == "not measured")
  }

  @Test func `renaming a value leaves the value alone`() throws {
    let home = try home()
    let key = try home.add(.blood, ["name": "Puls", "value": 72, "unit": "/min"])
    try home.store.write { try $0.edit(key, ["name": "Heart rate"]) }
    #expect(try entry(home, key).title == "Heart rate: 72 /min")
  }

  @Test(
    arguments: [
      ["systolic": 80, "diastolic": 120], ["systolic": 120], ["value": 5.4],
      ["systolic": .double(.nan), "diastolic": 80],
    ] as [[FieldName: Value]])
  func `half a pair, a wrong one, and a value without its unit are refused`(
    fields: [FieldName: Value]
  ) throws {
    let home = try home()
    let error = #expect(throws: SyncError.self) { try home.add(.blood, fields) }
    #expect(error?.code == .inputInvalid)
  }

  @Test func `two devices that correct one reading never mix text and numbers`() async throws {
    let remote = InMemoryTransport()
    let phone = try Household("phone", meeting: remote)
    let tablet = try Household("tablet", meeting: remote)
    try phone.add(["personalGivenName": "Anna"])
    try phone.add(.blood, ["name": "120/80 mmHg"], id: "r")
    try phone.setScope(.synced)
    try await sync(phone, tablet)
    for (device, text) in [(phone, "121/81 mmHg"), (tablet, "122/82 mmHg")] {
      let key = try #require(try device.store.record("blood", "r")).key
      try device.store.write { try $0.edit(key, ["name": .string(text)]) }
    }
    try await sync(phone, tablet, phone)
    for device in [phone, tablet] {
      let record = try #require(try device.store.record("blood", "r"))
      let entry = try #require(HealthEntry(record))
      #expect(record["name"].string == entry.bloodPressure?.text)
    }
  }
}
