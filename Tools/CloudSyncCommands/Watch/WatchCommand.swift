import ArgumentParser
import CommandFoundation
import SyncKitFormats
import SyncKit

/// `cloudsync watch`.
struct WatchCommand: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch", abstract: "Keep this device in step for as long as it runs.",
    discussion: examples(
      "cloudsync watch", "cloudsync watch --domain airports --jsonl",
      after: """
        Edits on this device are brought to the remotes once they have settled ('debounce'); what comes \
        to a server, a folder or a file of this machine is fetched at once, and every remote is looked at \
        every 'poll'. Domains run side by side. It reconnects by itself and never holds up other \
        commands: a sync by a timer beside it is welcome. A changed configuration is taken within a \
        second, and on SIGHUP where it has no terminal. Hooks are told of a failure that lasts, and only \
        once, of recovery, of conflicts, and every hour that all is well. Which records changed is told \
        with the reason: 'local' (this device's edits were sent), 'remote' (another device), \
        'initialSync' (the first sync with a remote) or 'erased' (made local on another device); a run \
        that failed has the reason 'account', 'quota', 'offline' or 'failure'. On SIGTERM and SIGINT it \
        brings what was just written, takes at most five seconds for that, and ends with 143 and 130; \
        a second signal ends it at once. Nothing needs repair then.
        """))

  @Flag(help: "Print each thing that happens as an object on a line of its own.")
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
    // Whoever closes the terminal means the end; a service is told to read its configuration anew.
    if !context.terminal.isErrorTerminal { Signals.keepHangups() }
    Signals.keepEnds()
    let isJSON = jsonl || context.format.isJSON
    try await Watch(
      session, WatchChoice(domains: domain, remotes: remote),
      WatchOutput(context, isJSON: isJSON)
    ).run()
  }
}

/// Tells what a watcher does, as `cloudsync.watch/1` or in words.
struct WatchOutput {
  private let context: CommandContext
  private let isJSON: Bool

  init(_ context: CommandContext, isJSON: Bool) {
    self.context = context
    self.isJSON = isJSON
  }

  /// Tells of something; `text` is nil when only programs want to know.
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

  /// Tells which records a run has changed and why, and how it has ended.
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
