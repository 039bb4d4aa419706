import ArgumentParser
import CommandFoundation
import HealthRecords
import SyncKit
import SyncKitFormats

/// The health domain on the command line.
enum HealthRegistration: DomainRegistration {
  /// A time without a zone, typed or read, is local time.
  static let domain: any SyncDomain = HealthDomain(
    importing: HealthImportOptions(zone: LocalZone { LocalTime.offset(wall: $0) }))
  static let abstract = "Health records: people and pets, each local until published."
  static let commands = DomainCommands(verbs: [
    HealthImport.self, HealthExportCommand.self, SubjectCommand.self, EntryCommand.self,
    HealthDue.self, HealthSummaryCommand.self, HealthChartCommand.self,
  ])

  static let records = DomainRecords(
    display: RecordDisplay(
      example: DomainExample(
        id: "7d9f1c3e-2b64-4a8e-9f0d-5c1e8a2b3d4f", fields: "personalGivenName=Anna"),
      columns: { columns(of: $0) }, steadyFields: ["subject": ["isPet"]],
      countedFields: ["isPet"]),
    input: RecordInput(
      named: { try record(named: $0, in: $1, of: $2) }, recognize: { recognize($0) }),
    sharing: RecordSharing(noun: "subject", example: "Anna") { root in
      HealthSubject(root)?.displayName ?? root.key.id.text
    })

  /// Exports of Apple Health, FHIR and the app.
  static func recognize(_ sample: FileSample) -> RecognizedFile? {
    let isApple = sample.paths.contains { $0.hasPrefix("apple_health_export/") }
    if isApple || sample.text.contains("<healthdata") {
      return RecognizedFile("an export of Apple Health")
    }
    if sample.outline.keys.contains("resourceType") { return RecognizedFile("a FHIR document") }
    if sample.text.contains("http://hl7.org/fhir") {
      return RecognizedFile("a FHIR document in XML")
    }
    if sample.text.contains("<clinicaldocument") { return RecognizedFile("a clinical document") }
    let keys: Set = ["personalinformation", "exportVersion", "bloodEntries"]
    if !keys.isDisjoint(with: sample.outline.keys) {
      return RecognizedFile("an export of the health app")
    }
    return sample.header.contains { $0.contains("systolic") }
      ? RecognizedFile("a table of blood pressures") : nil
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
    named text: String, in collection: CollectionName, of store: SyncStore
  ) throws -> Record? {
    guard collection == "subject" else { return nil }
    do { return try store.healthSubject(text).record } catch let error as SyncError
      where error.code == .notFound
    { return nil }
  }

  static var tables: PlugInTables {
    PlugInTables(
      documents: [
        ("cloudsync.health.subject.list/1", "subjects: id, name, kind, born, entries, scope"),
        ("cloudsync.health.entry.list/1", "records"),
        ("cloudsync.health.due/1", "due: day, subject, name, what, entry, title, overdue"),
        (
          "cloudsync.health.summary/1",
          "subject, name, scope, facts, sections: title, state, items: date, title, detail, entry"
        ),
        ("cloudsync.health.chart/1", "subject, title, unit, count, text"),
      ],
      files: [
        ("app", "The app's own export"),
        ("cloud", "The app's cloud records"),
        ("fhir", "A bundle of FHIR R4B; DSTU2, STU3, R4 and R5 are read as well"),
        ("xml, zip", "Apple Health's export; import only"),
      ])
  }
}
