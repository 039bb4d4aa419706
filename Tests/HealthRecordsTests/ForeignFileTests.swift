import SyncKitFormats
import SyncKit
import Testing

@testable import HealthRecords

/// Files that are not what someone took them for.
struct ForeignFileTests {
  private func refused(_ bytes: [UInt8], format: String?) -> String {
    let domain = HealthDomain(importing: .anna)
    let error = #expect(throws: SyncError.self) {
      try domain.importRecords(bytes, format: format)
    }
    #expect(error?.code == .inputInvalid && error?.hint != nil)
    return error?.message ?? ""
  }

  @Test func `an archive without Apple's export says that`() {
    let zip: [UInt8] = [0x50, 0x4B, 0x03, 0x04] + Array(repeating: 0, count: 600)
    #expect(refused(zip, format: "zip").contains("no export.xml"))
  }

  @Test(arguments: [
    (#"<?xml version="1.0"?><ClinicalDocument xmlns="urn:hl7-org:v3"/>"#, "CDA"),
    (#"<Bundle xmlns="http://hl7.org/fhir"><type value="collection"/></Bundle>"#, "FHIR in XML"),
    ("<!doctype html><html></html>", "XML or HTML"),
  ])
  func `markup that is not Apple's is named`(text: String, name: String) {
    #expect(refused(Array(text.utf8), format: "xml").contains(name))
    #expect(refused(Array(text.utf8), format: nil).contains(name))
  }

  @Test func `a picture or a document is named`() {
    #expect(refused(Array("%PDF-1.7\n".utf8), format: "pdf").contains("pdf"))
  }

  @Test func `Apple's export in UTF-16 is read`() throws {
    let text = AppleHealthTests.export(
      """
      <Record type="HKQuantityTypeIdentifierBodyMass" unit="kg" value="72.5" startDate="2024-01-15 08:00:00 +0100"/>
      """
    ).replacing(#" encoding="UTF-8""#, with: "")
    let units = Array(text.utf16).flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    let read = try HealthDomain(importing: .anna).importRecords(
      [0xFF, 0xFE] + units, format: "xml")
    #expect(read?.drafts(.weight).count == 1)
  }

  @Test func `a table of weights with a column id is a table of measurements`() throws {
    let read = try imported("id,date,weight kg\n1,2026-02-01,72\n", format: "csv", ignoring)
    #expect(read.drafts(.weight).count == 1)
    let general = "collection,id,parent,date,weightKg\nweight,a,subject/x,2026-02-01,72\n"
    let whole = try HealthDomain(importing: .anna).importRecords(Array(general.utf8), format: "csv")
    #expect(whole?.rows.count == nil)
  }

  private var ignoring: HealthImportOptions {
    var options = HealthImportOptions.anna
    options.ignoresOtherColumns = true
    return options
  }
}
