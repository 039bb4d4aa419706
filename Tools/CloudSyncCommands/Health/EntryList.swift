import ArgumentParser
import CommandFoundation
import HealthRecords
import SyncKit

/// The command `cloudsync health entry list SUBJECT`.
struct EntryList: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the entries of a person or pet, or of all, the oldest first.",
    discussion: examples(
      "cloudsync health entry list Anna", "cloudsync health entry list --kind allergy",
      "cloudsync health entry list Anna --kind blood --json",
      "cloudsync health entry list Rex --since 2025-01-01"))

  @Argument(help: ArgumentHelp("A name, an id, or the start of one; by default all."))
  var subject: String?
  @Option(help: ArgumentHelp("Only entries of this kind.", valueName: "kind"))
  var kind: [EntryKind] = []
  @Option(help: ArgumentHelp("Only entries of this time or later.", valueName: "time"))
  var since: TimeArgument?
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let store = try Session(context).store(HealthRegistration.domain.name)
    let trees = try store.healthTrees(subject)
    let start = since?.recorded(now: context.terminal.now())
    let kinds = kind.isEmpty ? EntryKind.allCases : kind
    var listing = context.listing(
      "cloudsync.health.entry.list/1", records: "records",
      columns: (subject == nil ? [ReportTable.Column("subject", flexible: true)] : []) + [
        ReportTable.Column("date"), ReportTable.Column("kind"),
        ReportTable.Column("entry", flexible: true),
        ReportTable.Column("detail", flexible: true), ReportTable.Column("scope"),
        ReportTable.Column("id"),
      ])
    for tree in trees {
      for entry in tree.entries where kinds.contains(entry.kind) {
        if let start, (entry.date?.start ?? .min) < start { continue }
        if listing.isAbandoned { break }
        let name = ReportTable.Cell(tree.subject.displayName)
        listing.add(
          HealthRegistration.json(entry.record), (subject == nil ? [name] : []) + cells(entry))
      }
    }
    listing.finish()
  }

  private func cells(_ entry: HealthEntry) -> [ReportTable.Cell] {
    let scope = entry.record.scope
    return [
      ReportTable.Cell(entry.date?.text ?? ""), ReportTable.Cell(entry.kind.rawValue),
      ReportTable.Cell(entry.title, style: entry.record.conflicts.isEmpty ? .plain : .warning),
      ReportTable.Cell(entry.detail),
      ReportTable.Cell(scope.rawValue, style: scope == .local ? .dim : .good),
      ReportTable.Cell(entry.record.key.id.text),
    ]
  }
}
