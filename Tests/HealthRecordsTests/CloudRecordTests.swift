import SyncKitFormats
import SyncKit
import Testing

@testable import HealthRecords

/// The wire form of the app's cloud records.
struct CloudRecordTests {
  private func record(_ fields: String) -> String {
    """
    {"uuid":"\(RecordID.anna)","isPet":0,"personalGivenName":"Anna","schemaVersion":1,\(fields)}
    """
  }

  private func entries(_ text: String, _ kind: EntryKind = .blood) -> String {
    let quoted = JSON.string(text).text()
    return record("\"\(CloudFormat.field(kind))\":\(quoted)")
  }

  @Test func `dates are seconds or ISO 8601, and value is another word for name`() throws {
    let home = try Household("home")
    try home.import(
      entries(
        """
        [{"date":1705314600,"name":"120/80 mmHg","comment":"a"},
         {"date":"2024-02-10T14:15:00Z","value":"118/78 mmHg"},
         {"date":1705314600.25,"name":"x"}]
        """))
    let blood = try home.tree().entries(.blood)
    #expect(
      blood.map { $0.date?.text } == [
        "2024-01-15T10:30:00Z", "2024-01-15T10:30:00.250Z", "2024-02-10T14:15:00Z",
      ])
    #expect(blood.last?.bloodPressure?.diastolic == 78)
  }

  @Test func `the other shapes that were published are read as well`() throws {
    let home = try Household("home")
    try home.import(entries(#"[{"weight":160,"unit":"lb"}]"#, .weight))
    #expect(try home.tree().entries(.weight)[0].kilograms == 72.575)
    try home.import(entries(#"[{"cost":30,"currency":"CHF","category":"Food"}]"#, .petCost))
    #expect(try home.tree().entries(.petCost)[0].title == "Food: 30 CHF")
    try home.import(entries(#"[{"name":"Ramipril","comment":"am"}]"#, .drug))
    #expect(try home.tree().entries(.drug)[0].title == "Ramipril")
  }

  @Test func `unknown keys of record and entry survive a round trip`() throws {
    let home = try Household("home")
    let extra = #""favouriteDoctor":"H","bloodEntries":"[{\"name\":\"x\",\"device\":{\"id\":4}}]""#
    try home.import(record(extra))
    let fields = try JSON(parsing: home.export(.cloud))["records"]?[0]?["fields"]
    #expect(fields?["favouriteDoctor"]?["value"] == "H")
    let back = try JSON(parsing: fields?["bloodEntries"]?["value"]?.string ?? "")
    #expect(back[0]?["device"] == ["id": 4])
  }

  @Test func `a birthday stays the day wherever the app stored its midnight`() throws {
    // 1980-02-29 at midnight in Zurich, New York, Tokyo and in UTC.
    for milliseconds in [320_626_800_000, 320_648_400_000, 320_598_000_000, 320_630_400_000] {
      let read = try imported(record("\"personalBirthdate\":\(milliseconds / 1000)"))
      #expect(read.rows[0].draft.fields["personalBirthdate"] == "1980-02-29")
    }
  }

  @Test func `values wrapped with their types, as web services have them, are read`() throws {
    let text = """
      {"records":[{"recordType":"MedicalRecord","recordName":"R-1","fields":{
       "isPet":{"value":1,"type":"INT64"},"personalName":{"value":"Rex","type":"STRING"},
       "updatedAt":{"value":1705314600000,"type":"TIMESTAMP"}}}]}
      """
    let draft = try imported(text).rows[0].draft
    #expect(draft.id == "R-1" && draft.fields["isPet"] == true)
    #expect(draft.at == 1_705_314_600_000)
  }

  @Test func `everything comes back with the same ids`() throws {
    let family = try Household.family()
    let text = try family.export(.cloud)
    let other = try Household("other")
    try other.import(text)
    try expectSameRecords(other, family)
    #expect(try JSON(parsing: other.export(.cloud)).isLike(JSON(parsing: text)))
  }

  @Test func `a record marked as deleted brings nothing`() throws {
    let read = try imported(record("\"isDeleted\":1,\"deletedAt\":1705314600"))
    #expect(read.rows.isEmpty && read.faults.isEmpty && read.remarks.count == 1)
  }

  @Test func `a field of the wrong type is a fault with its name`() throws {
    let faults = try imported(record("\"vetPhone\":7,\"personalBirthdate\":\"secret\"")).faults
    #expect(
      faults.map(\.column).sorted { ($0 ?? "") < ($1 ?? "") } == ["personalBirthdate", "vetPhone"])
    #expect(faults.allSatisfy { !$0.message.contains("secret") })
  }
}

extension JSON {
  /// Whether two exports differ in nothing but the times at which the records were written.
  func isLike(_ other: JSON) -> Bool {
    func stripped(_ json: JSON) -> String {
      json.text().replacing(/(createdAt|updatedAt)[\\":{a-z]*[0-9.]+/, with: "time")
    }
    return stripped(self) == stripped(other)
  }
}

/// Checks that two devices show the same records with the same fields.
func expectSameRecords(
  _ left: Household, _ right: Household, sourceLocation: SourceLocation = #_sourceLocation
) throws {
  func shown(_ home: Household) throws -> [String] {
    try home.records().map { record in
      let fields = record.fields.filter { $0.key != "createdAt" }
        .sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
      return "\(record.key) of \(record.parent.map { "\($0)" } ?? "-"): \(fields)"
    }.sorted()
  }
  let (one, other) = try (Set(shown(left)), Set(shown(right)))
  #expect(one.subtracting(other).sorted() == [], sourceLocation: sourceLocation)
  #expect(other.subtracting(one).sorted() == [], sourceLocation: sourceLocation)
}
