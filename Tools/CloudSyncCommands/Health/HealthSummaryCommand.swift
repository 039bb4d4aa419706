import LocalMachine
import ArgumentParser
import CommandFoundation
import SyncKitFormats
import HealthRecords
import SyncKit

/// The command `cloudsync health summary SUBJECT`.
struct HealthSummaryCommand: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "summary", abstract: "Summarise a person or pet for a doctor or an emergency.",
    discussion: examples(
      "cloudsync health summary Anna", "cloudsync health summary Anna --html anna.html",
      "cloudsync health summary Anna --fhir anna.json",
      after: """
        It lists the records and judges nothing. --html writes one file to print or to keep on a \
        phone, without scripts and with nothing loaded from the network. --fhir writes a document \
        in the form of the International Patient Summary. Only you can read these files.
        """))

  @Argument(help: ArgumentHelp("A name, an id, or the start of one.", valueName: "subject"))
  var subject: String
  @Option(
    help: ArgumentHelp("Write the summary as an HTML page.", valueName: "file"), completion: .file()
  )
  var html: String?
  @Option(
    help: ArgumentHelp("Write the summary as a FHIR document.", valueName: "file"),
    completion: .file())
  var fhir: String?
  @Flag(help: "Write the FHIR document in release R5 rather than R4B.")
  var r5 = false
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let session = try Session(context)
    let store = try session.store(HealthRegistration.domain.name)
    let summary = HealthSummary(
      try store.healthTree(store.healthSubject(subject)), made: context.terminal.now())
    if let html { try write(summary.page, to: html, context) }
    if let fhir {
      let document = summary.document(
        r5 ? .r5 : .r4b, id: UUIDText.random(from: session.environment))
      try write(document.serialized(pretty: true) + [0x0A], to: fhir, context)
    }
    if html == nil, fhir == nil { context.print(report(summary)) }
  }

  private func write(_ bytes: [UInt8], to file: String, _ context: CommandContext) throws {
    guard file != "-" else { return context.terminal.output.write(bytes: bytes) }
    do throws(SystemError) { try LocalFile.replace(file, with: bytes) } catch {
      throw SyncError(error)
    }
    context.note("wrote \(file)")
  }

  private func report(_ summary: HealthSummary) -> Report {
    var rows: [[ReportTable.Cell]] = summary.facts.map { name, value in
      ["", ReportTable.Cell(name), ReportTable.Cell(value), ""]
    }
    for section in summary.sections {
      if section.items.isEmpty {
        rows.append([ReportTable.Cell(section.title), "", "nothing is recorded", ""])
      }
      for item in section.items {
        rows.append([
          ReportTable.Cell(section.title), ReportTable.Cell(item.date),
          ReportTable.Cell(item.title),
          ReportTable.Cell(item.detail),
        ])
      }
    }
    return Report(
      "cloudsync.health.summary/1",
      [
        "subject": .string(summary.subject.record.key.id.text),
        "name": .string(summary.subject.displayName),
        "scope": .string(summary.subject.record.scope.rawValue),
        "facts": .object(JSONObject(summary.facts.map { ($0.name, JSON.string($0.value)) })),
        "sections": .array(
          summary.sections.map { section in
            [
              "title": .string(section.title), "state": .string(section.state.rawValue),
              "items": .array(
                section.items.map { item in
                  [
                    "date": .string(item.date), "title": .string(item.title),
                    "detail": .string(item.detail),
                    "entry": item.entry.map { .string("\($0.record.key)") } ?? .null,
                  ]
                }),
            ]
          }),
      ],
      table: ReportTable(
        [
          ReportTable.Column("section"), ReportTable.Column("date"),
          ReportTable.Column("what", flexible: true),
          ReportTable.Column("detail", flexible: true),
        ], rows: rows))
  }
}
