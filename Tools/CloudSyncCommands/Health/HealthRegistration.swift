import ArgumentParser
import CommandFoundation
import HealthRecords
import SyncKit

/// The health domain on the command line.
enum HealthRegistration: DomainRegistration {
  static let domain: any SyncDomain = HealthDomain()
  static let abstract = "Health records: people and pets, each local until published."
  static let verbs: [any ParsableCommand.Type] = [
    HealthImport.self, HealthExportCommand.self, SubjectCommand.self, EntryCommand.self,
    HealthDue.self, HealthSummaryCommand.self, HealthChartCommand.self,
  ]

  static let example = DomainExample(
    id: "7d9f1c3e-2b64-4a8e-9f0d-5c1e8a2b3d4f", fields: "personalGivenName=Anna")
  static let countedFields: [Name] = ["isPet"]
  static let sharedNoun: String? = "subject"
  static let shareExample = "Anna"

  static func shareTitle(of root: Record) -> String {
    HealthSubject(root)?.displayName ?? root.key.id.text
  }

  static func columns(of collection: RecordType) -> [RecordColumn]? {
    guard let kind = EntryKind(collection.name) else {
      return [
        .id(),
        RecordColumn("name", flexible: true) {
          ReportTable.Cell(HealthSubject($0)?.displayName ?? "")
        },
        RecordColumn("kind") {
          ReportTable.Cell(HealthSubject($0)?.isPet == true ? "pet" : "person")
        },
        .scope,
      ]
    }
    return [
      .id(), RecordColumn("subject") { ReportTable.Cell($0.parent?.id.text ?? "") },
      RecordColumn("date") { ReportTable.Cell(HealthEntry($0)?.date?.text ?? "") },
      RecordColumn(kind.rawValue, flexible: true) {
        ReportTable.Cell(HealthEntry($0)?.title ?? "")
      },
      RecordColumn("detail", flexible: true) { ReportTable.Cell(HealthEntry($0)?.detail ?? "") },
      .scope,
    ]
  }

  static func record(
    named text: String, in collection: Name, of store: SyncStore
  ) throws -> Record? {
    guard collection == "subject" else { return nil }
    do { return try store.healthSubject(text).record } catch let error as SyncError
      where error.code == .notFound
    { return nil }
  }

  static func steadyFields(of collection: Name) -> [Name] {
    collection == "subject" ? ["isPet"] : []
  }
}
