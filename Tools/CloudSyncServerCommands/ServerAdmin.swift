import ArgumentParser
import CommandFoundation
import SyncKitFormats
import SyncKit
import SyncKitServer
import SyncWire

/// `cloudsync server admin`.
struct ServerAdmin: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "admin", abstract: "Open the server's administration pages in a browser.",
    discussion: examples(
      "\(program) server admin",
      "\(program) server admin --url https://sync.example.org --data /var/lib/cloudsync/server",
      "\(program) server admin --revoke --json",
      after: """
        The link works once and for ten minutes, and ends the one before it. The browser that opens it is \
        signed in until 30 minutes pass without use, for eight hours at most. A browser without \
        script asks for the code, which is the part behind the #. The server must be running; without \
        --url and server.url the link leads to the address at which it listens.
        """))

  @Option(
    help: ArgumentHelp("The address at which you reach the server.", valueName: "url"))
  var url: String?
  @Flag(help: "End the open link and sign out every browser.") var revoke = false
  @OptionGroup var folder: ServerFolderOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func validate() throws {
    guard !revoke || url == nil else {
      throw ValidationError("give --url for a new link, or --revoke to end all, not both")
    }
  }

  func run(_ context: CommandContext) async throws {
    if revoke {
      let count = try await folder.work(context) { try await $0.endAdminSessions() }
      print(nil, nil, ended: count, context)
      context.note("signed out \(Plural(count, "browser")); no link is open any more")
      return
    }
    let address = try context.serverURL(url) ?? ownAddress(context)
    let code = try await folder.work(context) { try await $0.makeAdminCode() }
    // The code stands behind the # so that no server and no log on the way gets it.
    let link = address.map { "\($0)/admin/open#\(code.code)" }
    print(code, link, ended: nil, context)
    context.note(
      "the link works once, until \(LocalTime.text(code.expires)); a browser without script asks for \(code.code)"
    )
    if link == nil {
      context.note(
        """
        the server listens at a socket; open /admin/open at the address at which you reach it and type the \
        code, or give --url
        """)
    }
  }

  /// Where the server listens on this machine; nil for a socket in the file system.
  private func ownAddress(_ context: CommandContext) throws -> String? {
    let server = try context.configuration().values.server
    guard case .host(let host, let port)? = ServerAddress(server.listen) else { return nil }
    let scheme = server.certificate == nil ? "http" : "https"
    // A server that listens at all addresses also does at this one.
    let name = ["0.0.0.0", "::"].contains(host) ? "localhost" : host
    return "\(scheme)://\(ServerAddress.host(name, port: port))"
  }

  private func print(
    _ code: PairingCode?, _ link: String?, ended: Int?, _ context: CommandContext
  ) {
    let shown = link ?? code?.code ?? ""
    context.print(
      Report(
        "cloudsync.server.admin/1",
        [
          "link": link.map { .string($0) } ?? .null,
          "code": code.map { .string($0.code) } ?? .null,
          "expires": code.map { .string(Timestamp.format(milliseconds: $0.expires)) } ?? .null,
          "ended": ended.map { .int(Int64($0)) } ?? .null,
        ],
        table: ReportTable(
          [ReportTable.Column("link"), ReportTable.Column("code"), ReportTable.Column("expires")],
          rows: code.map { code in
            [
              [
                ReportTable.Cell(link ?? ""), ReportTable.Cell(code.code),
                ReportTable.Cell(time: code.expires),
              ]
            ]
          } ?? []),
        text: shown.isEmpty ? "" : "\(Sanitized.line(shown))\n"))
  }
}

extension CommandContext {
  /// Where people reach the server, by an option or the configuration; nil when neither says.
  func serverURL(_ option: String?) throws -> String? {
    let configured = try configuration().values.server.url
    guard var text = option ?? configured else { return nil }
    guard ConfigText.isURL(text), !ConfigText.hasCredentials(text) else {
      throw SyncError(
        .usage, "'\(Sanitized.line(text))' is not a server's address",
        hint: "write it as https://sync.example.org")
    }
    while text.hasSuffix("/") { text.removeLast() }
    return text
  }
}
