import SyncKitFormats
import SyncKit
import SyncKitTesting
import Testing

@testable import HealthRecords

/// Files made to break a reader, or damaged by a disk.
struct HostileFileTests {
  private static let names = ["app-person.json", "foreign.fhir.json", "family-r4b.fhir.json"]

  private func read(_ bytes: [UInt8]) {
    for options in [HealthImportOptions.new, .anna] {
      let domain = HealthDomain(importing: options)
      for format in [nil, "csv", "json"] as [String?] {
        _ = try? domain.importRecords(bytes, format: format)
      }
      if var reader = try? domain.streamingImport(name: nil, format: nil, head: bytes) {
        try? reader.read(bytes[...])
        _ = try? reader.finish()
      }
    }
  }

  @Test(arguments: names, 0..<8)
  func `a damaged file is refused or read, and never stops the program`(
    name: String, seed: Int
  ) throws {
    var random = SeededRandom(seed: UInt64(seed))
    let good = Array(try Golden.text(name).utf8)
    for _ in 0..<6 {
      var bytes = good
      for _ in 0..<Int(random.next() % 6 + 1) {
        let place = Int(random.next() % UInt64(bytes.count))
        switch random.next() % 4 {
        case 0: bytes[place] = UInt8(truncatingIfNeeded: random.next())
        case 1: bytes.remove(at: place)
        case 2: bytes.insert(contentsOf: Array(#"{"a":[1e308,-0]}"#.utf8), at: place)
        default: bytes = Array(bytes.prefix(place + 1))
        }
      }
      read(bytes)
    }
  }

  @Test(arguments: [
    #"{"resourceType":"Bundle","entry":7}"#, #"{"resourceType":"Bundle","entry":[7,null,{}]}"#,
    #"{"resourceType":"Bundle","entry":[{"resource":{"resourceType":"Bundle","entry":[{}]}}]}"#,
    #"{"resourceType":"Patient","name":"x","identifier":{},"contact":[[]],"birthDate":7}"#,
    #"{"resourceType":"Observation","component":[1],"valueQuantity":{"value":1e308,"unit":"kg"}}"#,
    #"{"resourceType":"Observation","code":{"coding":{}},"effectiveDateTime":"9999-99-99"}"#,
    #"{"uuid":"","isPet":2,"createdAt":1e308,"updatedAt":-1e308,"personalBirthdate":1e300}"#,
    #"{"uuid":"x","isPet":0,"weightEntries":"[{\"weight\":1e308,\"unit\":\"lb\"}]"}"#,
    #"{"uuid":"x","isPet":0,"petYearlyCostEntries":"[{\"year\":1e30,\"amount\":-1e308}]"}"#,
    #"{"exportVersion":1,"weights":[{"weightKg":1e308}],"petinformation":[],"personalinformation":3}"#,
    "date,weight kg\n\u{0},\u{FFFF}\n", "date,weight kg\n2024,99999999999999999999999999\n",
    "<HealthData><Record type='HKQuantityTypeIdentifierBodyMass' unit='kg' value='1e999'/></HealthData>",
    "<HealthData><Correlation/></HealthData>", "<HealthData><Me/><Record/></HealthData>",
  ])
  func `odd values are faults or nothing`(text: String) {
    let bytes = Array(text.utf8)
    read(bytes)
    for format in [nil, "csv"] as [String?] {
      let domain = HealthDomain(importing: .anna)
      guard let found = try? domain.importRecords(bytes, format: format) else { continue }
      for row in found.rows {
        for value in row.draft.fields.values { #expect(value.number?.isFinite != false) }
      }
    }
  }

  @Test func `deep nesting is refused`() {
    let deep = String(repeating: "[", count: 100_000)
    read(Array(deep.utf8))
    read(Array((#"{"resourceType":"Bundle","entry":"# + deep).utf8))
  }
}
