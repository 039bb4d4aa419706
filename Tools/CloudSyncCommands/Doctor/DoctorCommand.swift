import ArgumentParser
import CommandFoundation
import Formats
import SyncKit

/// `cloudsync doctor`.
struct DoctorCommand: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Look whether all is well here, and say what to do where it is not.",
    discussion: examples(
      "cloudsync doctor", "cloudsync doctor --no-network --json", "cloudsync doctor --fix",
      after: """
        It looks at the configuration, the modes of folders and files, the clock, the disk, every store, \
        how the last syncs went, tokens, every remote, and whether anything syncs by itself. A remote is \
        tried as a sync would meet it, with a file that is written and removed. With --fix it sets modes \
        right and removes what a crash has left; whatever could cost data it only advises. With --quiet only \
        what was found is printed.
        Exit status: 0 nothing is broken; 1 something is, such as what the next sync would fail on; see the \
        lines marked 'error'.
        """))

  @Flag(help: "Set right what can be set right without a risk.")
  var fix = false
  @Flag(help: "Do not ask any remote.")
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

  /// For people: what is well in few words, the rest with its advice.
  private func text(_ checks: [DoctorCheck], _ context: CommandContext) -> String {
    checks.map { check in
      let mark = context.paint(check.outcome.rawValue, check.style)
      var line = "\(mark)  \(check.subject): \(Sanitized.line(check.message))\n"
      if let advice = check.advice { line += "       \(Sanitized.line(advice))\n" }
      return line
    }.joined()
  }
}

/// Looks at all there is.
struct Doctor {
  let directories: Directories
  /// What is wrong with the configuration.
  let problems: [ConfigProblem]
  private let context: CommandContext

  init(_ context: CommandContext) throws {
    let loader = try ConfigLoader(context.directoryRequest)
    self.context = context
    directories = loader.directories
    problems = loader.read().problems
  }

  /// All checks in their order; with `isFixing` sets right what can be without a risk.
  func checks(isFixing: Bool, asksRemotes: Bool) async throws -> [DoctorCheck] {
    var checks = DoctorConfiguration.checks(problems, directories)
    checks += DoctorFiles(directories, isFixing: isFixing, now: context.terminal.now()).checks()
    // Without a configuration that loads nobody knows what else to look at.
    guard problems.isEmpty else { return checks }
    let session = try Session(context)
    do throws(SyncError) { try session.requireSetUp() } catch {
      checks.append(DoctorCheck("config", .error, error.message, advice: error.hint))
    }
    await session.noteSetup()
    let remotes = try await DoctorRemotes(session, asks: asksRemotes).checks()
    checks += DoctorStores(session, trials: remotes.trials).checks()
    checks += remotes.checks
    checks.append(DoctorSchedule.check(session))
    return checks
  }
}

/// Looks at the configuration.
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

/// Finds out whether anything syncs by itself.
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
        return DoctorCheck("schedule", .ok, "\(place)/\(unit) is there")
      }
    }
    return DoctorCheck(
      "schedule", .info, "nothing was found that syncs by itself; cron jobs are not looked at",
      advice: "see 'cloudsync timer install' or let 'cloudsync watch' run")
  }
}
