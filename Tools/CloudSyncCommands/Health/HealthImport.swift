import ArgumentParser
import CommandFoundation
import HealthRecords
import SyncKit
import SyncKitFormats

/// The command `cloudsync health import FILE|-`.
struct HealthImport: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Read health records from a file, all or nothing.",
    discussion: examples(
      "cloudsync health import export.zip --subject Anna",
      "cloudsync health import bundle.json --format fhir",
      "cloudsync health import weights.csv --subject Anna --column 'Gewicht=weight kg'",
      "cloudsync health import omron.csv --subject Anna --date-format d/m/y --dry-run",
      after: """
        Reads the app's export and its cloud records, FHIR of DSTU2 to R5, Apple \
        Health's export.xml or export.zip, tables of measurements of devices and apps, and what 'list \
        --json' prints. A file that does not say whose it is needs --subject. A warning counts \
        what has no equivalent here. Imported records stay on this device unless their subject is \
        published.
        """))

  @Argument(help: "The file; - is standard input.", completion: .file()) var file: String
  @Option(
    help: ArgumentHelp(
      "The format: app, cloud, fhir, json, csv; by default detected from the content.",
      valueName: "format"))
  var format: String?
  @Option(help: ArgumentHelp("The person or pet: a name, an id, or the start of one."))
  var subject: String?
  @Option(
    help: ArgumentHelp(
      "The meaning of a table's column; HEADER= skips the column.",
      valueName: "header=meaning"))
  var column: [String] = []
  @Flag(help: "Skip the columns of a table that are not understood.")
  var ignoreOtherColumns = false
  @Option(
    help: ArgumentHelp(
      "The order of a table's dates, such as d/m/y; by default found from the column.",
      valueName: "order"))
  var dateFormat: String?
  @OptionGroup var encoding: EncodingOption
  @OptionGroup var zone: TimeZoneOption
  @Flag(help: "Keep each reading of a dense series, rather than a summary of each day.")
  var everyReading = false
  @Flag(help: "Leave bad rows out and write the others.")
  var skipBad = false
  @OptionGroup var change: DryRunOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    try context.write("cloudsync.health.import/1", isRehearsal: change.dryRun) {
      let file = try ImportedFile(file, format: format, encoding: encoding.named(), context)
      let session = try Session(context)
      let store = try session.store(HealthRegistration.domain.name)
      var options = HealthImportOptions(
        subject: try subject.map { try store.healthSubject($0).record.key.id },
        known: try store.healthSubjects().map(\.record),
        newID: { [environment = session.environment] in
          RecordID(UUIDText.random(from: environment))
        },
        columns: try columns, keepsEveryReading: everyReading,
        zone: LocalZone(offset: try zone.offset()))
      options.zoneNamed = { NamedZone.offset($0).map { LocalZone(offset: $0) } }
      options.ignoresOtherColumns = ignoreOtherColumns
      options.dateOrder = try dateOrder
      var run = ImportRun<HealthRegistration>(
        file: file, skipBad: skipBad, isRehearsal: change.dryRun, context: context)
      // Apple Health alone gives an average of a day or its readings.
      if ["xml", "zip"].contains(file.format) {
        run.afterwards = Self.removeReplacedDays
        options.daysOfReadings = try Self.daysOfReadings(store)
      }
      return try run.result(session, reading: HealthDomain(importing: options))
    }
  }

  /// The days whose heart rates are stored one by one, after an import with every reading.
  private static func daysOfReadings(_ store: SyncStore) throws -> Set<RecordID> {
    let readings = try store.records(EntryKind.blood.collection).map { record in
      RecordDraft(record.key.collection, parent: record.parent, fields: record.fields)
    }
    return Set(HealthDomain.days(replacedBy: readings).keys)
  }

  /// Deletes the averages of days of which the readings themselves are there now.
  private static func removeReplacedDays(
    _ drafts: [RecordDraft], _ writer: RecordWriter<HealthRegistration>, _ result: inout WriteResult
  ) throws {
    let days = try HealthDomain.days(replacedBy: drafts).compactMap { id, values -> RecordKey? in
      guard let record = try writer.store.record(EntryKind.blood.collection, id),
        !record.isDeleted, HealthDomain.isReplaced(record, by: values)
      else { return nil }
      return record.key
    }.sorted()
    guard !days.isEmpty else { return }
    let removed = try writer.delete(days)
    result.deleted += removed.deleted
    result.plan = result.plan.map { $0 + (removed.plan ?? []) }
    result.warnings.append(
      "removed \(Plural(days.count, "average", "averages")) of a day whose readings are there now")
  }

  private var dateOrder: DateColumn.Order? {
    get throws {
      guard let dateFormat else { return nil }
      guard let order = DateColumn.Order(pattern: dateFormat) else {
        throw SyncError(
          .usage, "'\(Sanitized.line(dateFormat))' does not order day, month and year",
          hint: "write d/m/y, m/d/y or y-m-d")
      }
      return order
    }
  }

  private var columns: [String: String] {
    get throws {
      var columns: [String: String] = [:]
      for word in column {
        guard let assignment = FieldAssignment(word) else {
          throw SyncError(.usage, "--column takes HEADER=MEANING")
        }
        columns[assignment.name] = assignment.text
      }
      return columns
    }
  }
}
