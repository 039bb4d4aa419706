import SyncKitFormats
import SyncKit
import Testing

@testable import HealthRecords

/// Folders to which an export was unpacked.
struct HealthFolderTests {
  private func read(
    _ files: [String: String], _ options: HealthImportOptions = .new
  ) throws
    -> ImportedRecords?
  {
    try HealthDomain(importing: options).importFolder(files.keys.sorted()) { path in
      Array((files[path] ?? "").utf8)
    }
  }

  @Test func `the files of a bulk export belong together`() throws {
    let read = try read([
      "Condition.ndjson":
        #"{"resourceType":"Condition","id":"c1","code":{"text":"Asthma"},"subject":{"reference":"Patient/p1"}}"#,
      "Patient.ndjson":
        #"{"resourceType":"Patient","id":"p1","name":[{"family":"Muster","given":["Mia"]}]}"#,
      "manifest.json": #"{"transactionTime":"2026-02-01T08:00:00Z"}"#,
    ])
    #expect(read?.drafts(.illness).first?.parent?.id == .anna)
    #expect(read?.rows.count == 2)
  }

  @Test func `an unpacked export of Apple Health is read`() throws {
    let export = AppleHealthTests.export(
      """
      <Record type="HKQuantityTypeIdentifierBodyMass" unit="kg" value="72.5" startDate="2024-01-15 08:00:00 +0100"/>
      """)
    let read = try read(
      ["export.xml": export, "export_cda.xml": "<ClinicalDocument/>"], .anna)
    #expect(read?.drafts(.weight).count == 1)
  }

  @Test func `a broken file is named, and other folders are left alone`() throws {
    let error = #expect(throws: SyncError.self) {
      try read(["Patient.ndjson": "{\"resourceType\":\"Patient\"}\n{\"resourceType\""])
    }
    #expect(error?.message.contains("Patient.ndjson") == true)
    #expect(try read(["a.txt": "x", "b.json": "[1]"]) == nil)
  }
}
