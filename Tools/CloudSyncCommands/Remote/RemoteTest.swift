import ArgumentParser
import CommandFoundation
import SyncKitFormats
import SyncKitHTTP
import SQLiteTransport
import SegmentFormat
import SyncKit

/// `cloudsync remote test NAME`.
struct RemoteTest: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "test", abstract: "Check whether a sync with a remote would work.",
    discussion: examples(
      "cloudsync remote test folder", "cloudsync remote test folder --json",
      after: """
        It does what a sync would do without moving data: it checks that the remote is there and is yours, \
        reads what is on it, and stores a trial file as large as what waits here, which it removes.
        The exit status is that of a sync.
        """))

  @Argument(help: "The remote.", completion: remoteCompletion) var name: String
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let session = try Session(context)
    guard let configured = session.configuration[remote: name] else {
      throw SyncError.unknownName("remote", name, among: session.configuration.remotes.map(\.name))
    }
    let domains = session.enabledDomains.filter { session.remoteNames(of: $0).contains(name) }
    // A remote without domains is tried with the first one.
    let trial = await RemoteTrial(
      session, configured, domains.isEmpty ? Array(session.enabledDomains.prefix(1)) : domains)
    context.print(report(trial, context))
    for note in trial.notes + trial.survey.warnings(name) { context.warn(note) }
    if domains.isEmpty {
      let shown = configured.location.shown(context.directoryRequest)
      context.warn(
        "no enabled domain uses '\(name)'; choose some with "
          + "'cloudsync remote add \(name) \(shown) --domains NAMES'")
    }
    if let error = trial.error { throw error }
    if trial.waiting > 0 {
      context.warn(
        "\(Plural(trial.waiting, "change")) on '\(name)' \(trial.waiting == 1 ? "has" : "have") not arrived yet"
      )
    }
    if let obstacle = trial.obstacle {
      context.warn("'\(name)' can be read but not written: \(obstacle.sentence)")
    }
  }

  /// Why nothing can be stored on a remote that can be read, in one word.
  private static func word(_ obstacle: SyncError) -> String {
    switch obstacle.code {
    case .remoteDiskFull, .remoteQuota: "full"
    case .remoteBusy, .remoteRateLimited: "busy"
    default: "read-only"
    }
  }

  private func report(_ trial: RemoteTrial, _ context: CommandContext) -> Report {
    let remote = trial.remote
    let (error, obstacle) = (trial.error, trial.obstacle)
    var keys: JSONObject = [
      "name": .string(remote.name), "url": .string(remote.location.url),
      "reachable": .bool(error == nil), "writable": .bool(error == nil && obstacle == nil),
      "segments": .int(Int64(trial.segments)), "waiting": .int(Int64(trial.waiting)),
      "notes": .array((trial.notes + trial.survey.warnings(remote.name)).map { .string($0) }),
      "clockAhead": trial.survey.clock.map { .int($0.lead / 1_000) } ?? .null,
      "room": trial.survey.room.map { .int($0) } ?? .null,
    ]
    if let error = error ?? obstacle { keys["error"] = ErrorReport.part(of: error) }
    let result = error != nil ? "failed" : obstacle.map(Self.word) ?? "ok"
    return Report(
      "cloudsync.remote-test/1", keys,
      table: ReportTable(
        [
          ReportTable.Column("name"), ReportTable.Column("url"), ReportTable.Column("result"),
          ReportTable.Column("segments", numeric: true),
          ReportTable.Column("waiting", numeric: true),
        ],
        rows: [
          [
            ReportTable.Cell(remote.name), remote.location.cell(context),
            ReportTable.Cell(
              result, style: error != nil ? .bad : obstacle != nil ? .warning : .good),
            ReportTable.Cell(trial.segments), ReportTable.Cell(trial.waiting),
          ]
        ]))
  }
}
