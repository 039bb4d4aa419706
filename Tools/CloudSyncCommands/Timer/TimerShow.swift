import ArgumentParser
import Formats
import SyncKit

/// `cloudsync timer show`.
struct TimerShow: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show the timers that are installed, and where.",
    discussion: examples("cloudsync timer show", "cloudsync timer show --scope system --json"))

  @Option(help: ArgumentHelp("Whose timers: user or system.", valueName: "scope"))
  var scope: TimerScope = .user
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let place = try TimerPlace(scope, context)
    let names = place.names()
    let heads = names.filter { $0.hasSuffix(".timer") || $0.hasSuffix(".plist") }
    let timers = heads.map { head -> TimerReport.Timer in
      let stem = String(head[..<(head.lastIndex(of: ".") ?? head.endIndex)])
      let own = names.filter { $0.hasPrefix("\(stem).") }
      let texts = own.map { Self.text(LocalFolder.path(place.folder, $0)) }
      let seconds = texts.compactMap(Self.seconds).first ?? 0
      let words = texts.compactMap(Self.command).first ?? []
      return TimerReport.Timer(
        name: stem, every: DurationText.format(milliseconds: seconds * 1_000), command: words,
        cron: CronLine.text(words, every: .seconds(seconds)),
        files: own.map { LocalFolder.path(place.folder, $0) })
    }
    TimerReport(timers: timers, scope: scope, isActive: !timers.isEmpty).print(
      context,
      text: timers.isEmpty && !context.isQuiet
        ? "no timer is installed; see 'cloudsync timer install'\n" : nil)
  }

  private static func text(_ path: String) -> String {
    String(decoding: (try? LocalFile.read(path, limit: 1 << 16)) ?? [], as: UTF8.self)
  }

  /// The value of a key of a unit, or what follows a key of launchd.
  private static func value(_ keys: [String], in text: String) -> Substring? {
    let lines = text.split(separator: "\n")
    for (index, line) in lines.enumerated() {
      for key in keys {
        if line.hasPrefix("\(key)=") { return line.dropFirst(key.utf8.count + 1) }
        if line.contains("<key>\(key)</key>"), index + 1 < lines.count { return lines[index + 1] }
      }
    }
    return nil
  }

  private static func seconds(_ text: String) -> Int64? {
    value(["OnUnitActiveSec", "StartInterval"], in: text).flatMap { value in
      Int64(String(value.filter { $0.isNumber }))
    }
  }

  private static func command(_ text: String) -> [String]? {
    if let line = value(["ExecStart"], in: text) { return SystemdUnits.words(line) }
    return LaunchdFile.words(text)
  }
}

/// `cloudsync timer remove`.
struct TimerRemove: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Take the timers away that 'timer install' has made.",
    discussion: examples("cloudsync timer remove", "cloudsync timer remove --scope system"))

  @Option(help: ArgumentHelp("Whose timers: user or system.", valueName: "scope"))
  var scope: TimerScope = .user
  @OptionGroup var change: DryRunOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let place = try TimerPlace(scope, context)
    let names = place.names()
    if !change.dryRun { place.remove(names) }
    context.print(
      Report(
        "cloudsync.timer/1",
        [
          "scope": .string(scope.rawValue), "active": false, "timers": [],
          "removed": .array(names.map { .string(LocalFolder.path(place.folder, $0)) }),
          "dryRun": .bool(change.dryRun),
        ], records: "removed",
        table: Table(
          [Table.Column("file")],
          rows: names.map { [Table.Cell(LocalFolder.path(place.folder, $0))] }), text: ""))
    context.note(
      names.isEmpty
        ? "nothing to do: no timer is installed"
        : "\(change.dryRun ? "would remove" : "removed") \(names.joined(separator: ", "))")
  }
}
