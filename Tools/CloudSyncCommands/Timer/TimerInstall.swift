import LocalMachine
import ArgumentParser
import CommandFoundation
import SyncKitFormats
import SyncKit

/// `cloudsync timer install`.
struct TimerInstall: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "install", abstract: "Install timers that sync at regular intervals.",
    discussion: examples(
      "cloudsync timer install", "cloudsync timer install --every 5m",
      "cloudsync timer install --print", "sudo cloudsync timer install --scope system",
      after: """
        Each job of the configuration with an 'every' gets a timer; without such jobs, or with \
        --every, a single timer syncs everything, by default every 15 minutes. On Linux these are \
        systemd units, on a Mac launchd files. --print writes them to standard output and changes \
        nothing; it adds an equivalent crontab line. A new install replaces what an earlier one \
        has written for this profile.
        A user's timers run while the user is logged in, or always after 'loginctl enable-linger'.
        """))

  @Option(
    help: ArgumentHelp("How often to sync everything.", valueName: "duration"),
    transform: everyArgument)
  var every: Duration?
  @Option(help: ArgumentHelp("Whose timers: user or system.", valueName: "scope"))
  var scope: TimerScope = .user
  @Flag(help: "Print the files and change nothing.")
  var print = false
  @OptionGroup var change: DryRunOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let session = try Session(context)
    let owner = try TimerOwner(context)
    let plan = TimerPlan(session.configuration, profile: owner.profile, every: every)
    let place = try TimerSystem(scope, context)
    var timers: [TimerReport.Timer] = []
    var files: [(name: String, text: String)] = []
    for entry in plan.entries {
      let words = entry.words(
        ProgramPath.current, config: owner.config, profile: owner.profile)
      let own = self.files(of: entry, words, session)
      files += own
      timers.append(
        TimerReport.Timer(
          name: entry.name, every: entry.everyText, command: words,
          cron: CronLine.text(words, every: entry.every),
          files: own.map { LocalFolder.path(place.folder, $0.name) }))
    }
    if print {
      printed(files, timers, place, context)
      return
    }
    var missing: String?
    var failure: SyncError?
    if !change.dryRun {
      try place.write(files, of: owner)
      // There may be older ones. They are removed once these exist, so that there always are some.
      let old = place.files(of: owner).filter { name in !files.contains { $0.name == name } }
      do throws(SyncError) { try place.remove(old) } catch { failure = error }
      missing = place.start(files.map(\.name))
    }
    TimerReport(timers: timers, scope: scope, isActive: missing == nil && !change.dryRun)
      .print(context, text: "")
    let names = plan.entries.map { "\($0.name), every \($0.everyText)" }.joined(separator: "; ")
    context.note("\(change.dryRun ? "would install" : "installed") \(names)")
    if let missing {
      context.warn("could not start the timer here; start it with: \(missing)")
    }
    if !session.isSetUp, scope == .user {
      context.warn(
        "this device is not set up: timers fail with status 78 until you run 'cloudsync init'")
    }
    if let failure { throw failure }
  }

  private func files(
    of entry: TimerPlan.Entry, _ words: [String], _ session: Session
  ) -> [(name: String, text: String)] {
    if TimerSystem.isLaunchd {
      let file = LaunchdFile(entry: entry, words: words)
      return [(file.name, file.text)]
    }
    let places = session.configuration.remotes.compactMap(\.location.folder)
    return SystemdUnits(entry: entry, words: words, scope: scope, places: places).files
  }

  private func printed(
    _ files: [(name: String, text: String)], _ timers: [TimerReport.Timer], _ place: TimerSystem,
    _ context: CommandContext
  ) {
    var text = ""
    for file in files {
      text += "# \(LocalFolder.path(place.folder, file.name))\n\(file.text)\n"
    }
    text += "# The same in a crontab:\n"
    for timer in timers { text += "# \(timer.cron)\n" }
    TimerReport(timers: timers, scope: scope, isActive: false, texts: files.map(\.text))
      .print(context, text: text)
  }
}

@Sendable private func everyArgument(_ text: String) throws -> Duration {
  guard let milliseconds = DurationText.parse(text), milliseconds >= 60_000 else {
    throw ValidationError("'\(text)' is not a valid interval; write 5m, 1h or 1d, at least 1m")
  }
  return .milliseconds(milliseconds)
}

/// Timers as `cloudsync.timer/1`.
struct TimerReport {
  struct Timer {
    var name: String
    var every: String
    var command: [String]
    var cron: String
    var files: [String]
  }

  var timers: [Timer]
  var scope: TimerScope
  var isActive: Bool
  var texts: [String] = []

  /// Prints them; people see `text` instead of a table.
  func print(_ context: CommandContext, text: String?) {
    var keys: JSONObject = [
      "scope": .string(scope.rawValue), "active": .bool(isActive),
      "timers": .array(
        timers.map { timer in
          [
            "name": .string(timer.name), "every": .string(timer.every),
            "command": .array(timer.command.map { .string($0) }), "cron": .string(timer.cron),
            "files": .array(timer.files.map { .string($0) }),
          ]
        }),
    ]
    if !texts.isEmpty { keys["contents"] = .array(texts.map { .string($0) }) }
    context.print(
      Report(
        "cloudsync.timer/1", keys, records: "timers",
        table: ReportTable(
          [
            ReportTable.Column("name"), ReportTable.Column("every"),
            ReportTable.Column("command", flexible: true),
            ReportTable.Column("files", flexible: true),
          ],
          rows: timers.map { timer in
            [
              ReportTable.Cell(timer.name), ReportTable.Cell(timer.every),
              ReportTable.Cell(timer.command.joined(separator: " ")),
              ReportTable.Cell(timer.files.joined(separator: ", ")),
            ]
          }), text: text))
  }
}
