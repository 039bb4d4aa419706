import LocalMachine
import ArgumentParser
import CommandFoundation
import SyncKitFormats
import SyncKit

/// `cloudsync timer show`.
struct TimerShow: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "List the installed timers and their files.",
    discussion: examples("cloudsync timer show", "cloudsync timer show --scope system --json"))

  @Option(help: ArgumentHelp("Whose timers: user or system.", valueName: "scope"))
  var scope: TimerScope = .user
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let place = try TimerSystem(scope, context)
    let timers = place.timers().filter(\.isComplete).map { timer in
      TimerReport.Timer(
        name: timer.name, every: DurationText.format(milliseconds: timer.seconds * 1_000),
        command: timer.words, cron: CronLine.text(timer.words, every: .seconds(timer.seconds)),
        files: timer.files.map { LocalFolder.path(place.folder, $0) })
    }
    TimerReport(timers: timers, scope: scope, isActive: !timers.isEmpty).print(
      context,
      text: timers.isEmpty && !context.isQuiet
        ? "no timer is installed; see 'cloudsync timer install'\n" : nil)
  }
}

/// `cloudsync timer remove`.
struct TimerRemove: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Remove the timers that 'timer install' has made.",
    discussion: examples(
      "cloudsync timer remove", "cloudsync timer remove --scope system",
      after: "Only those of this profile and this configuration; others have their own."))

  @Option(help: ArgumentHelp("Whose timers: user or system.", valueName: "scope"))
  var scope: TimerScope = .user
  @OptionGroup var change: DryRunOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let place = try TimerSystem(scope, context)
    let owner = try TimerOwner(context)
    let names = place.files(of: owner)
    var failure: SyncError?
    if !change.dryRun {
      do throws(SyncError) { try place.remove(names) } catch { failure = error }
    }
    let left = failure == nil ? [] : place.files(of: owner)
    let removed = names.filter { !left.contains($0) }
    context.print(
      Report(
        "cloudsync.timer/1",
        [
          "scope": .string(scope.rawValue), "active": false, "timers": [],
          "removed": .array(removed.map { .string(LocalFolder.path(place.folder, $0)) }),
          "dryRun": .bool(change.dryRun),
        ], records: "removed",
        table: ReportTable(
          [ReportTable.Column("file")],
          rows: removed.map { [ReportTable.Cell(LocalFolder.path(place.folder, $0))] }), text: ""))
    if let failure { throw failure }
    context.note(
      names.isEmpty
        ? "nothing to do: no timer is installed"
        : "\(change.dryRun ? "would remove" : "removed") \(names.joined(separator: ", "))")
  }
}
