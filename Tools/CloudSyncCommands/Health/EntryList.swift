import ArgumentParser
import CommandFoundation
import HealthRecords
import SyncKit

/// The command `cloudsync health entry list SUBJECT`.
struct EntryList: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the entries of a person or pet, the oldest first.",
    discussion: examples(
      "cloudsync health entry list Anna", "cloudsync health entry list Anna --kind blood --json",
      "cloudsync health entry list Rex --since 2025-01-01"))

  @Argument(help: ArgumentHelp("A name, an id, or the start of one.", valueName: "subject"))
  var subject: String
  @Option(help: ArgumentHelp("Only entries of this kind.", valueName: "kind"))
  var kind: [EntryKind] = []
  @Option(help: ArgumentHelp("Only entries of this time or later.", valueName: "time"))
  var since: TimeArgument?
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let store = try Session(context).store(HealthRegistration.domain.name)
    let tree = try store.healthTree(store.healthSubject(subject))
    let start = since?.recorded(now: context.terminal.now())
    let kinds = kind.isEmpty ? EntryKind.allCases : kind
    var listing = context.listing(
      "cloudsync.health.entry.list/1", records: "records",
      columns: [
        ReportTable.Column("date"), ReportTable.Column("kind"),
        ReportTable.Column("entry", flexible: true),
        ReportTable.Column("detail", flexible: true), ReportTable.Column("scope"),
        ReportTable.Column("id"),
      ])
    for entry in tree.entries where kinds.contains(entry.kind) {
      if let start, (entry.date?.start ?? .min) < start { continue }
      if listing.isAbandoned { break }
      let scope = entry.record.scope
      listing.add(
        HealthRegistration.json(entry.record),
        [
          ReportTable.Cell(entry.date?.text ?? ""), ReportTable.Cell(entry.kind.rawValue),
          ReportTable.Cell(
            entry.title, style: entry.record.conflicts.isEmpty ? .plain : .warning),
          ReportTable.Cell(entry.detail),
          ReportTable.Cell(scope.rawValue, style: scope == .local ? .dim : .good),
          ReportTable.Cell(entry.record.key.id.text),
        ])
    }
    listing.finish()
  }
}
