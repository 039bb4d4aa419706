import ArgumentParser
import CommandFoundation
import SyncKitFormats
import HealthRecords
import SyncKit

/// The command `cloudsync health due`.
struct HealthDue: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "due", abstract: "List vaccinations and refills that are due.",
    discussion: examples(
      "cloudsync health due", "cloudsync health due Rex --within 90d",
      "cloudsync health due --json",
      after: """
        Lists the days entered as nextDue of a vaccination and refillDue of a medicine. It knows \
        no schedules and gives no advice.
        """))

  @Argument(help: ArgumentHelp("A name, an id, or the start of one; by default all."))
  var subject: String?
  @Option(help: ArgumentHelp("How far to look ahead.", valueName: "duration"))
  var within = "30d"
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    guard let span = DurationText.parse(within), span >= 0 else {
      throw SyncError(
        .usage, "'\(Sanitized.line(within))' is not a duration", hint: "write 30d, for example")
    }
    let store = try Session(context).store(HealthRegistration.domain.name)
    let now = context.terminal.now()
    let until = now.addingReportingOverflow(span)
    let items = DueItem.all(
      in: try store.healthTrees(subject), until: until.overflow ? .max : until.partialValue,
      now: now)
    var listing = context.listing(
      "cloudsync.health.due/1", records: "due",
      columns: [
        ReportTable.Column("day"), ReportTable.Column("subject", flexible: true),
        ReportTable.Column("what"),
        ReportTable.Column("entry", flexible: true), ReportTable.Column("state"),
      ])
    for item in items {
      let isOverdue = item.isOverdue(at: now)
      listing.add(
        [
          "day": .string(item.day.text),
          "subject": .string(item.subject.record.key.id.text),
          "name": .string(item.subject.displayName), "what": .string(item.reason.rawValue),
          "entry": .string("\(item.entry.record.key)"), "title": .string(item.entry.title),
          "overdue": .bool(isOverdue),
        ],
        [
          ReportTable.Cell(item.day.text), ReportTable.Cell(item.subject.displayName),
          ReportTable.Cell(item.reason.rawValue), ReportTable.Cell(item.entry.title),
          ReportTable.Cell(isOverdue ? "overdue" : "due", style: isOverdue ? .warning : .plain),
        ])
    }
    listing.finish()
    if items.isEmpty { context.note("nothing is due within \(within)") }
  }
}
