import ArgumentParser
import CommandFoundation
import SyncKitFormats
import SyncKit

/// `cloudsync pause [DOMAIN]`.
struct PauseCommand: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "pause", abstract: "Stop syncing for a while; local work goes on.",
    discussion: examples(
      "cloudsync pause", "cloudsync pause health", "cloudsync pause --dry-run --json",
      after: """
        'sync', 'watch' and timers skip a paused domain until 'cloudsync resume'; edits are kept and sent \
        then. To stop a domain for good on this device, set 'domains.NAME.enabled' to false.
        """))

  @Argument(
    help: ArgumentHelp("Only this domain.", valueName: "domain"),
    completion: .list(DomainRegistry.names))
  var domain: String?
  @OptionGroup var change: DryRunOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    try Session(context).requireSetUp()
    try await PauseChange(domain, isPaused: true, isDryRun: change.dryRun).perform(context)
  }
}

/// `cloudsync resume [DOMAIN]`.
struct ResumeCommand: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "resume", abstract: "Sync again after a pause.",
    discussion: examples("cloudsync resume", "cloudsync resume health"))

  @Argument(
    help: ArgumentHelp("Only this domain.", valueName: "domain"),
    completion: .list(DomainRegistry.names))
  var domain: String?
  @OptionGroup var change: DryRunOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    try await PauseChange(domain, isPaused: false, isDryRun: change.dryRun).perform(context)
  }
}

/// Pauses or resumes domains.
private struct PauseChange {
  private let names: [String]
  private let isPaused: Bool
  private let isDryRun: Bool

  init(_ domain: String?, isPaused: Bool, isDryRun: Bool) throws {
    names = try domain.map { [try DomainRegistry.domain($0).name] } ?? DomainRegistry.names
    self.isPaused = isPaused
    self.isDryRun = isDryRun
  }

  func perform(_ context: CommandContext) async throws {
    let (before, pauses) = try await change(in: context.directories().data)
    let changed = names.filter { before.covers($0) != isPaused }
    context.print(
      Report(
        "cloudsync.pause/1",
        [
          "paused": .array(pauses.domains.map { .string($0) }),
          "changed": .array(changed.map { .string($0) }), "dryRun": .bool(isDryRun),
        ],
        table: ReportTable(
          [ReportTable.Column("domain"), ReportTable.Column("paused")],
          rows: DomainRegistry.names.map {
            [ReportTable.Cell($0), ReportTable.Cell(pauses.covers($0) ? "yes" : "no")]
          }), text: ""))
    let verb =
      isPaused ? (isDryRun ? "would pause" : "paused") : isDryRun ? "would resume" : "resumed"
    context.note(
      changed.isEmpty
        ? "nothing to do: \(isPaused ? "already paused" : "not paused")"
        : "\(verb) \(changed.joined(separator: ", "))"
          + (isPaused ? "; continue with 'cloudsync resume'" : ""))
  }

  private func change(in data: String) async throws -> (before: Pauses, after: Pauses) {
    guard isDryRun else { return try await Pauses.change(names, isPaused: isPaused, in: data) }
    let before = try Pauses(in: data)
    var after = before
    after.set(names, isPaused: isPaused)
    return (before, after)
  }
}
