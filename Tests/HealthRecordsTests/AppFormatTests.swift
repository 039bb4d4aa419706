import SyncKitFormats
import SyncKit
import Testing

@testable import HealthRecords

/// The app's own export, version 1.
struct AppFormatTests {
  @Test func `the app's export comes in and goes out the same`() throws {
    let home = try Household("home")
    let file = try Golden.text("app-person.json")
    try home.import(file)
    let tree = try home.tree()
    #expect(tree.subject.displayName == "Schmidt - Anna")
    #expect(tree.entries.count == 10)
    #expect(tree.entries(.blood)[0].bloodPressure?.systolic == 120)
    #expect(try home.export(.app) == file)
  }

  @Test func `what no version of the app knew is kept and given back`() throws {
    let home = try Household("home")
    let file = """
      {"exportVersion":1,"isPet":true,"future":[1,2.5,null,"x"],
       "petinformation":{"personalName":"Rex","microchipVendor":"ANIS"},
       "allergy":[{"allergyDate":"","allergyName":"Chicken","severity":{"level":3}}]}
      """
    try home.import(file)
    let document = try JSON(parsing: home.export(.app))
    #expect(document["future"] == [1, 2.5, nil, "x"])
    #expect(document["petinformation"]?["microchipVendor"] == "ANIS")
    #expect(document["allergy"]?[0]?["severity"] == ["level": 3])
  }

  @Test func `a file about a known person finds them by name and birthday`() throws {
    let home = try Household("home")
    try home.add([
      "personalFamilyName": "SCHMIDT", "personalGivenName": "Anna",
      "personalBirthdate": "1980-02-29",
    ])
    let known = try home.records()
    var options = HealthImportOptions(known: known, newID: { .rex })
    let file = try Golden.text("app-person.json")
    #expect(try imported(file, options).rows.first?.draft.id == .anna)
    options.known = []
    #expect(try imported(file, options).rows.first?.draft.id == .rex)
    options.newID = nil
    #expect(refusal(of: file, options).contains("whose"))
  }

  @Test func `the single contact of early versions is exported where there is no other`() throws {
    let home = try Household("home")
    try home.add(["personalGivenName": "Anna", "emergencyName": "Ben", "emergencyNumber": "1"])
    let contact = try JSON(parsing: home.export(.app))["emergencyContacts"]?[0]
    #expect(contact?["name"] == "Ben" && contact?["phone"] == "1")
  }

  @Test(arguments: [
    #"{"exportVersion":2,"isPet":false,"personalinformation":{}}"#,
    #"{"exportVersion":1"#, #"{"exportVersion":1,"exportVersion":1}"#,
  ])
  func `another version and broken JSON are refused as a whole`(text: String) {
    #expect(!refusal(of: text).isEmpty)
  }

  @Test func `a bad entry is a separate fault, reported by its key`() throws {
    let file = """
      {"exportVersion":1,"isPet":false,"blood":[{"bloodDate":"secret","bloodName":"x"},7,
       {"bloodName":9}],"drugs":{}}
      """
    let faults = try imported(file).faults
    #expect(faults.count == 4)
    #expect(faults.allSatisfy { !$0.message.contains("secret") })
  }

  @Test func `two people do not fit one file of the app`() throws {
    let home = try Household.family()
    #expect(throws: SyncError.self) { try home.export(.app) }
  }
}

private func imported(
  _ text: String, _ options: HealthImportOptions
) throws -> ImportedRecords {
  try HealthRecordsTests.imported(text, format: nil, options)
}

private func refusal(of text: String, _ options: HealthImportOptions) -> String {
  HealthRecordsTests.refusal(of: text, format: nil, options)
}
