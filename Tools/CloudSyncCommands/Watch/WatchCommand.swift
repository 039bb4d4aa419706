import ArgumentParser
import Formats
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
        once, of recovery, of conflicts, and every hour that all is well. It ends with 143 on SIGTERM and \
        130 on SIGINT; nothing needs repair then.
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

  /// Tells how a run has ended.
  func tell(_ job: SyncRun.Job) {
    var keys: JSONObject = [
      "domain": .string(job.domain), "remote": .string(job.remote),
      "result": job.error == nil ? "ok" : "failed",
      "pushed": .int(Int64(job.report.pushed)), "pulled": .int(Int64(job.report.pulled)),
      "conflicts": .int(Int64(job.report.conflicts)),
      "seconds": .double((job.seconds * 1_000_000).rounded() / 1_000_000),
    ]
    if let error = job.error { keys["error"] = ErrorReport.part(of: error) }
    let moved = job.report.pushed + job.report.pulled + job.report.conflicts > 0
    var text: String?
    if let error = job.error {
      text = "\(job.domain) with \(job.remote): \(error.message)"
    } else if moved {
      text =
        "\(job.domain) with \(job.remote): sent \(job.report.pushed), got \(job.report.pulled)"
        + (job.report.conflicts > 0 ? ", \(Plural(job.report.conflicts, "conflict"))" : "")
    }
    tell("sync", keys, text: text)
    for note in job.report.notes { context.warn("\(job.remote): \(note)") }
  }
}
