import ArgumentParser
import CommandFoundation
import SyncKitFormats
import SyncKit

/// `cloudsync watch`.
struct WatchCommand: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch", abstract: "Sync continuously for as long as it runs.",
    discussion: examples(
      "cloudsync watch", "cloudsync watch --domain airports --jsonl",
      after: """
        Edits on this device are sent once they have settled ('debounce'); changes that reach a \
        server, or a folder or file on this machine, are fetched at once, and every remote is \
        checked at each 'poll'. Domains sync in parallel. The watcher reconnects by itself and \
        never blocks other commands; you may also sync by a timer. It picks up a changed \
        configuration within a second, and without a terminal on SIGHUP as well. Hooks run once \
        for a lasting failure, for recovery, for conflicts, and hourly for success. Changed \
        records are listed with a reason: 'local' (this device's edits were sent), 'remote' \
        (another device), 'initialSync' (the first sync with a remote) or 'erased' (made local on \
        another device); a failed run has the reason 'account', 'quota', 'offline' or 'failure'. \
        On SIGTERM or SIGINT it sends the latest edits, for at most five seconds, and ends with \
        143 or 130; a second signal ends it at once. No repair is needed afterwards.
        """))

  @Flag(help: "Print each event as one JSON object per line.")
  var jsonl = false
  @Option(name: [.long], help: ArgumentHelp("Only this domain.", valueName: "domain"))
  var domain: [String] = []
  @Option(
    help: ArgumentHelp("Only this remote.", valueName: "remote"), completion: remoteCompletion)
  var remote: [String] = []
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let session = try Session(context)
    try await session.enter()
    // With a terminal SIGHUP means the end; for a service it means to read its configuration again.
    if !context.terminal.isErrorTerminal { Signals.keepHangups() }
    Signals.keepEnds()
    let isJSON = jsonl || context.format.isJSON
    try await Watch(
      session, WatchChoice(domains: domain, remotes: remote),
      WatchOutput(context, isJSON: isJSON)
    ).run()
  }
}

/// Reports the actions of a watcher, as `cloudsync.watch/1` or in words.
struct WatchOutput {
  private let context: CommandContext
  private let isJSON: Bool

  init(_ context: CommandContext, isJSON: Bool) {
    self.context = context
    self.isJSON = isJSON
  }

  /// Reports an event; `text` is nil for an event only for programs.
  func tell(_ event: String, _ keys: JSONObject, text: String?) {
    if isJSON {
      var line: JSONObject = [
        "schema": "cloudsync.watch/1", "event": .string(event),
        "at": .string(Timestamp.format(milliseconds: context.terminal.now())),
      ]
      for (key, value) in keys.members { line[key] = value }
      context.terminal.output.write(JSON.object(line).text() + "\n")
    } else if let text, !context.isQuiet {
      context.terminal.output.write(Sanitized.block(text) + "\n")
    }
    context.terminal.output.flush()
  }

  /// Reports the records that a run changed and why, and its result.
  func tell(_ job: SyncRun.Job) {
    for changes in job.report.changes {
      var keys: JSONObject = ["domain": .string(job.domain), "remote": .string(job.remote)]
      for (key, value) in changes.document(upTo: RecordChanges.most).members { keys[key] = value }
      let names = shortList(changes.names(upTo: RecordChanges.most), of: changes.count)
      tell(
        "changed", keys, text: "\(job.domain): \(ChangeReason(changes.reason).phrase): \(names)")
    }
    var keys: JSONObject = [
      "domain": .string(job.domain), "remote": .string(job.remote),
      "result": job.error == nil ? "ok" : "failed",
      "pushed": .int(Int64(job.report.pushed)), "pulled": .int(Int64(job.report.pulled)),
      "conflicts": .int(Int64(job.report.conflicts)),
      "yielded": .int(Int64(job.report.overridden)), "waiting": .int(Int64(job.report.waiting)),
      "seconds": .double((job.seconds * 1_000_000).rounded() / 1_000_000),
    ]
    if let error = job.error {
      keys["reason"] = .string(ChangeReason(error).rawValue)
      keys["error"] = ErrorReport.part(of: error)
    }
    let moved = job.report.pushed + job.report.pulled + job.report.conflicts > 0
    var text: String?
    if let error = job.error {
      text = "\(job.domain) with \(job.remote): \(ChangeReason(error).rawValue): \(error.message)"
    } else if moved {
      text =
        "\(job.domain) with \(job.remote): sent \(job.report.pushed), got \(job.report.pulled)"
        + (job.report.conflicts > 0 ? ", \(Plural(job.report.conflicts, "conflict"))" : "")
    }
    tell("sync", keys, text: text)
    if job.report.overridden > 0 { context.note(job.isOverridden()) }
    for note in job.report.notes { context.warn("\(job.remote): \(note)") }
  }
}
