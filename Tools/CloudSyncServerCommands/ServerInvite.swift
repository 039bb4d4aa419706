import ArgumentParser
import CommandFoundation
import SyncKitFormats
import SyncKit
import SyncKitServer
import SyncWire

/// `cloudsync server invite NAME`.
struct ServerInvite: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "invite",
    abstract: "Invite a person: create an account and a code for its first device.",
    discussion: examples(
      "\(program) server invite anna",
      "\(program) server invite anna --url https://sync.example.org --json",
      after: """
        The code is valid for one device and seven days; the first device lets in further ones. \
        If the server's certificate is self-signed, the link contains its fingerprint. \
        An existing account gets a new code, for a person who has lost all devices.
        """))

  @Argument(help: "The name of the account.") var name: String
  @Option(
    help: ArgumentHelp("The address at which the person reaches the server.", valueName: "url"))
  var url: String?
  @OptionGroup var folder: ServerFolderOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let url = try context.serverURL(url)
    let (account, isNew, code) = try await folder.work(context, making: true) { administration in
      let (account, isNew) = try await administration.accountOrNew(name)
      let code = try await administration.invite(to: account.id)
      try await context.warnIfLocked(account, administration)
      return (account, isNew, code)
    }
    // The code stands behind the # so that no server and no log on the way gets it.
    let trust = try OwnCertificate.mark(context)
    let link = url.map { "\($0)/join#\(code.code)\($0.hasPrefix("https:") ? trust : "")" }
    let end = Timestamp.format(milliseconds: code.expires)
    context.print(
      Report(
        "cloudsync.server.invite/1",
        [
          "account": ["id": .string(account.id), "name": .string(account.name)],
          "code": .string(code.code), "link": link.map { .string($0) } ?? .null,
          "expires": .string(end), "created": .bool(isNew),
        ],
        table: ReportTable(
          [ReportTable.Column("code"), ReportTable.Column("link"), ReportTable.Column("expires")],
          rows: [
            [
              ReportTable.Cell(code.code), ReportTable.Cell(link ?? ""),
              ReportTable.Cell(time: code.expires),
            ]
          ]),
        text: link.map { "\(code.code)\n\(Sanitized.line($0))\n" } ?? "\(code.code)\n"))
    if isNew { context.noteNew(account) }
    context.note("the code is valid for one device, until \(LocalTime.text(code.expires))")
    if link == nil {
      let listen = try context.configuration().values.server.listen
      context.note(
        """
        on that device, run: cloudsync init --join \(code.code) --remote home=URL, where URL is this \
        server's address, such as http://\(listen) on this machine; to print a link that has it, give --url \
        or set server.url in the configuration
        """)
    }
  }
}
