import ArgumentParser
import CommandFoundation
import LocalMachine
import SyncKit
import SyncKitFormats

/// `cloudsync web`.
struct WebCommand: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: SeparateProgram.webCommand.name, abstract: SeparateProgram.webCommand.abstract,
    discussion: examples(
      "cloudsync web", "cloudsync web --port 8642", "cloudsync web --profile work",
      after: """
        The first line of standard output is a link that works once, for a browser on this machine. \
        What is done on the pages is done by the commands of cloudsync, with the same rules, warnings and \
        undo. Everything stays on this machine; nothing is loaded from elsewhere.
        It stops on Ctrl-C, or after an hour without use. Set web.port and web.idle in the configuration \
        to always use another port or time.
        Exit status: 0 ended; 69 cloudsync is missing; 75 another program uses the port.
        """))

  @Option(
    help: ArgumentHelp(
      "Listen on this port of 127.0.0.1; 0 picks a free one. (default: web.port, else 0)",
      valueName: "port"))
  var port: UInt16?
  @Option(
    help: ArgumentHelp(
      "Stop after this long without use, such as 30m. (default: web.idle, else 1h)",
      valueName: "duration"))
  var idle: String?
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let configured = try context.configuration().values.web
    let idle = try idle.map { text throws(SyncError) in
      guard let milliseconds = DurationText.parse(text), milliseconds > 0 else {
        throw SyncError(
          .usage, "'\(Sanitized.line(text))' is not a duration", hint: "write 30m, 1h or 8h")
      }
      return Duration.milliseconds(milliseconds)
    }
    var options: [String] = []
    if let config = global.config { options += ["--config", config] }
    if let profile = global.profile { options += ["--profile", profile] }
    let program = try CloudSyncProgram(context.terminal, options: options)
    let session = WebSession(now: context.terminal.now)
    let uploads = UploadedFiles(context.terminal.environment)
    defer { uploads.removeAll() }
    let site = try WebSite(program, session, uploads)
    try await site.prepare()
    let server = WebServer(
      site: site, port: Int(port ?? configured.port), idle: idle ?? configured.idle)
    try await server.run { port in
      let url = session.invitation(port: port)
      context.print(
        Report(
          "cloudsync.web/1", ["url": .string(url)],
          table: ReportTable([ReportTable.Column("url")], rows: [[ReportTable.Cell(url)]]),
          text: "\(url)\n"))
      context.terminal.output.flush()
      context.note(
        "open this link in a browser on this machine; it works once. Ctrl-C ends the page")
    }
  }
}
