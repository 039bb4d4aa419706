import LocalMachine
import ArgumentParser
import CommandFoundation
import SyncKitFormats
import SyncKit

/// `cloudsync doctor`.
struct DoctorCommand: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Check this device for problems, and suggest how to fix them.",
    discussion: examples(
      "cloudsync doctor", "cloudsync doctor --no-network --json", "cloudsync doctor --fix",
      after: """
        It checks the configuration, the permissions of folders and files, the clock, the disk, \
        every store, the results of recent syncs, tokens, every remote, and whether anything syncs \
        automatically. It tries each remote as a sync would, with a file that it writes and \
        removes. --fix corrects permissions and removes what a crash has left behind; where data \
        could be at risk, it only advises. With --quiet it prints only problems.
        Exit status: 0 nothing is broken; 1 something is, such as a problem that would make the \
        next sync fail; see the lines marked 'error'.
        """))

  @Flag(help: "Fix what can be fixed without risk.")
  var fix = false
  @Flag(help: "Do not contact any remote.")
  var noNetwork = false
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let checks = try await Doctor(context).checks(isFixing: fix, asksRemotes: !noNetwork)
    print(checks, context)
    let errors = checks.filter { $0.outcome == .error }
    guard !errors.isEmpty else { return }
    throw SyncError(
      .failure, "\(errors.count) of \(Plural(checks.count, "check")) found something broken",
      hint: errors.compactMap(\.advice).first)
  }

  private func print(_ checks: [DoctorCheck], _ context: CommandContext) {
    let shown = context.isQuiet ? checks.filter(\.isFinding) : checks
    context.print(
      Report(
        "cloudsync.doctor/1",
        [
          "healthy": .bool(!checks.contains { $0.outcome == .error }),
          "checks": .array(checks.map { .object($0.document) }),
        ], records: "checks",
        table: ReportTable(
          [
            ReportTable.Column("check"), ReportTable.Column("outcome"),
            ReportTable.Column("what", flexible: true),
            ReportTable.Column("advice", flexible: true),
          ],
          rows: shown.map { check in
            [
              ReportTable.Cell(check.subject),
              ReportTable.Cell(check.outcome.rawValue, style: check.style),
              ReportTable.Cell(check.message), ReportTable.Cell(check.advice ?? ""),
            ]
          }), text: text(shown, context)))
  }

  /// Prints for people: good results briefly, the others with their advice.
  private func text(_ checks: [DoctorCheck], _ context: CommandContext) -> String {
    checks.map { check in
      let mark = context.paint(check.outcome.rawValue, check.style)
      var line = "\(mark)  \(check.subject): \(Sanitized.line(check.message))\n"
      if let advice = check.advice { line += "       \(Sanitized.line(advice))\n" }
      return line
    }.joined()
  }
}

/// Runs all checks.
struct Doctor {
  let directories: Directories
  /// The problem of the configuration.
  let problems: [ConfigProblem]
  private let context: CommandContext

  init(_ context: CommandContext) throws {
    let loader = try ConfigLoader(context.directoryRequest)
    self.context = context
    directories = loader.directories
    problems = loader.read().problems
  }

  /// All checks in their order; `isFixing` fixes what can be fixed without risk.
  func checks(isFixing: Bool, asksRemotes: Bool) async throws -> [DoctorCheck] {
    var checks = DoctorConfiguration.checks(problems, directories)
    checks += DoctorFiles(directories, isFixing: isFixing, now: context.terminal.now()).checks()
    // Without a valid configuration there is nothing else to check.
    guard problems.isEmpty else { return checks }
    let session = try Session(context)
    do throws(SyncError) { try session.requireSetUp() } catch {
      checks.append(DoctorCheck("config", .error, error.message, advice: error.hint))
    }
    await session.noteSetup()
    let remotes = try await DoctorRemotes(session, asks: asksRemotes).checks()
    checks += DoctorStores(session, trials: remotes.trials).checks()
    checks += DoctorKeys.checks(session)
    checks += remotes.checks
    checks.append(DoctorSchedule.check(session))
    return checks
  }
}

/// Checks the configuration.
enum DoctorConfiguration {
  static func checks(_ problems: [ConfigProblem], _ directories: Directories) -> [DoctorCheck] {
    guard problems.isEmpty else {
      return problems.map {
        DoctorCheck(
          "config", .error, "\($0)",
          advice: $0.hint ?? "correct it, or see 'cloudsync help config'")
      }
    }
    guard FileSignature(directories.configFile) != nil else {
      return [DoctorCheck("config", .info, "there is no \(directories.configFile)")]
    }
    return [DoctorCheck("config", .ok, "\(directories.configFile) loads")]
  }
}

/// Checks whether anything syncs automatically.
enum DoctorSchedule {
  static func check(_ session: Session) -> DoctorCheck {
    let home = session.context.terminal.environment["HOME"] ?? "/"
    let places = [
      "\(home)/.config/systemd/user", "/etc/systemd/system", "\(home)/Library/LaunchAgents",
    ]
    for place in places {
      let names = (try? LocalFolder.names(in: place, ending: "")) ?? []
      if let unit = names.first(where: { name in
        name.hasPrefix(Program.current.name)
          && (name.hasSuffix(".timer") || name.hasSuffix(".plist"))
          || name == "\(Program.current.name)-watch.service"
      }) {
        return DoctorCheck("schedule", .ok, "\(place)/\(unit) is installed")
      }
    }
    return DoctorCheck(
      "schedule", .info, "found nothing that syncs automatically; cron jobs are not checked",
      advice: "see 'cloudsync timer install', or keep 'cloudsync watch' running")
  }
}
