import BookShelfPlugIns
import Foundation
import SegmentFormat
import SyncKit
import SyncKitTesting
import Testing

@Test func `the domain keeps its contract`() async throws {
  let drafts = [
    RecordDraft("book", id: "dune", fields: ["title": "Dune", "author": "Frank Herbert"])
  ]
  #expect(try await DomainContract(drafts: drafts).violations(of: BooksDomain()) == [])
}

@Test func `what is exported is imported again`() throws {
  let text = "dune: Dune / Frank Herbert\nemma: Emma\n"
  let imported = try #require(try BooksDomain().importRecords(Array(text.utf8), format: "shelf"))
  #expect(imported.faults.isEmpty)
  let records = imported.rows.map { row in
    Record(
      key: RecordKey(zone: "z", collection: "book", id: row.draft.id ?? ""),
      fields: row.draft.fields)
  }
  let exported = try BooksDomain().exportRecords(records, format: "shelf")
  #expect(exported == Array(text.utf8))
}

@Test(arguments: TransportContract.checks)
func `the transport keeps its contract`(_ check: ContractCheck<TransportContract>) async throws {
  let folder = FileManager.default.temporaryDirectory.path + "/hashed-\(UUID().uuidString)"
  defer { try? FileManager.default.removeItem(atPath: folder) }
  let files: @Sendable () throws -> [String] = {
    try FileManager.default.contentsOfDirectory(atPath: folder).map { "\(folder)/\($0)" }
  }
  try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  try await check(
    TransportContract {
      TestRemote {
        BlobTransport(HashedFolder(path: folder))
      } empty: {
        for file in try files() { try FileManager.default.removeItem(atPath: file) }
      } cut: {
        for file in try files() {
          let bytes = try Data(contentsOf: URL(fileURLWithPath: file))
          let head = bytes.prefix { $0 != 0x0A }
          guard head.suffix(4).elementsEqual(".seg".utf8) else { continue }
          try bytes.prefix(head.count + 1 + (bytes.count - head.count) / 2)
            .write(to: URL(fileURLWithPath: file))
        }
      }
    })
}
