import SyncKit
import Testing

@testable import HealthRecords

/// Tables of weights and blood pressures.
struct MeasurementTableTests {
  @Test func `units stand in the header`() throws {
    let read = try imported(
      "Date,Weight (lb),Systolic kPa,Diastolic kPa,Notes\n2024-01-15,160,16,10.7,home\n",
      format: "csv", .anna)
    #expect(read.faults.isEmpty)
    #expect(read.drafts(.weight)[0].fields["weightKg"] == 72.575)
    #expect(read.drafts(.blood)[0].fields["systolic"] == 120.0)
    #expect(read.drafts(.blood)[0].fields["comment"] == "home")
  }

  @Test func `a weight without a unit in the header needs it in the cell`() throws {
    let read = try imported("date,weight\n2024-01-15,11 st 6 lb\n2024-01-16,72\n", .anna)
    #expect(read.drafts(.weight).count == 1)
    #expect(read.faults.map(\.row) == [3])
  }

  @Test func `columns can be given a meaning`() throws {
    var options = HealthImportOptions.anna
    options.columns = ["Datum": "date", "gewicht ": "weight kg", "Laune": ""]
    let read = try imported("Datum;Gewicht;Laune\n2024-01-15;72,5;gut\n", options)
    #expect(read.drafts(.weight)[0].fields["weightKg"] == 72.5)
  }

  @Test func `date and time may be two columns, and a pressure one cell`() throws {
    let read = try imported("date,time,bp\n2024-01-15,08:30,120/80\n", .anna)
    #expect(read.drafts(.blood)[0].fields["date"] == "2024-01-15T08:30:00Z")
    #expect(read.drafts(.blood)[0].fields["diastolic"] == 80.0)
  }

  @Test(arguments: [
    "", "\n", "date,mood\n2024,good\n", "date,weight\n\"", "date,weight kg,mass lb\n",
    "date,systolic\n2024,120\n", "date,weight furlong\n", "date\n2024\n",
  ])
  func `a table that is not understood is refused as a whole`(text: String) {
    #expect(!refusal(of: text, format: "csv", .anna).isEmpty)
  }

  @Test func `a bad cell is reported by row and column, never by its content`() throws {
    let read = try imported(
      "date,weight kg,sys,dia\nsecret,72,,\n2024,secret,,\n2024,,80,120\n2024,,120,\n2024,1,2\n",
      .anna)
    #expect(read.rows.isEmpty)
    #expect(read.faults.map(\.row) == [2, 3, 4, 5, 6])
    #expect(read.faults.allSatisfy { !$0.message.contains("secret") })
  }

  @Test func `a table does not say whose it is`() {
    #expect(refusal(of: "date,weight kg\n2024,72\n", format: "csv").contains("whose"))
  }

  @Test func `importing a longer table again adds only what is new`() throws {
    let home = try Household("home")
    try home.add(["personalGivenName": "Anna"])
    try home.import("date,weight kg\n2024-01-15,72.5\n", format: "csv", .anna)
    let again = try home.import(
      "date,weight kg\n2024-01-15,72.5\n2024-01-16,72.4\n", format: "csv", .anna)
    #expect(again.added == 1 && again.unchanged == 1)
  }
}

private func imported(_ text: String, _ options: HealthImportOptions) throws -> ImportedRecords {
  try HealthRecordsTests.imported(text, format: "csv", options)
}
