import ArgumentParser
import CommandFoundation
import SyncKitFormats
import SyncKit
import SyncKitServer
import SyncWire

/// `cloudsync server invitations`.
struct ServerInvitationsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "invitations", abstract: "List and end open codes and invitations.",
    discussion: examples(
      "\(program) server invitations", "\(program) server invitations end 7f3kq2mzx4ab"),
    subcommands: [ServerInvitationList.self, ServerInvitationEnd.self],
    defaultSubcommand: ServerInvitationList.self)
}

/// `cloudsync server invitations list`.
struct ServerInvitationList: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List open codes and invitations; the server does not know the codes.",
    discussion: examples(
      "\(program) server invitations list", "\(program) server invitations list --json",
      after: """
        Kinds: account, a code of 'server invite'; pairing, a code of 'device pair'; share, an \
        invitation to a shared record. 'by' is the device that made it, or the host.
        """))

  @OptionGroup var folder: ServerFolderOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let open = try await folder.work(context) { try await $0.invitations() }
    context.print(
      Report(
        "cloudsync.server.invitations/1",
        ["invitations": .array(open.map { .object($0.document) })],
        records: "invitations",
        table: ReportTable(
          [
            ReportTable.Column("id"), ReportTable.Column("kind"),
            ReportTable.Column("account", flexible: true),
            ReportTable.Column("for", flexible: true), ReportTable.Column("by"),
            ReportTable.Column("expires"),
          ], rows: open.map(\.cells))))
  }
}

/// `cloudsync server invitations end ID`.
struct ServerInvitationEnd: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "end", abstract: "End an open code or invitation.",
    discussion: examples(
      "\(program) server invitations end 7f3kq2mzx4ab",
      "\(program) server invitations end 7f3kq2mzx4ab --json",
      after: "'\(program) server invitations' shows the ids. Ending one twice exits with 66."))

  @Argument(help: "The id of the code or invitation.") var id: String
  @OptionGroup var folder: ServerFolderOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let ended = try await folder.work(context) { try await $0.end(invitation: id) }
    context.print(
      Report(
        "cloudsync.server.invitation/1", ended.document,
        table: ReportTable([ReportTable.Column("id")], rows: [[ReportTable.Cell(ended.id)]]),
        text: ""))
    let what =
      switch ended.kind {
      case .account: "the code for '\(Sanitized.line(ended.account.name))'"
      case .pairing: "the pairing code of '\(Sanitized.line(ended.account.name))'"
      case .share:
        "the invitation of \(Sanitized.line(ended.guest?.name ?? "")) to "
          + "'\(Sanitized.line(ended.guest?.title ?? ""))'"
      }
    context.note("\(what) has ended")
  }
}

extension ServerAdministration.OpenInvitation {
  /// It in documents.
  var document: JSONObject {
    [
      "id": .string(id), "kind": .string(kind.rawValue), "account": account.json,
      "guest": guest.map { .string($0.name) } ?? .null,
      "title": guest.map { .string($0.title) } ?? .null,
      "by": by.map { .string($0) } ?? .null,
      "created": .string(Timestamp.format(milliseconds: created)),
      "expires": .string(Timestamp.format(milliseconds: expires)),
    ]
  }

  var cells: [ReportTable.Cell] {
    [
      ReportTable.Cell(id), ReportTable.Cell(kind.rawValue), ReportTable.Cell(account.name),
      ReportTable.Cell(guest.map { "\($0.name), '\($0.title)'" } ?? ""),
      ReportTable.Cell(by ?? "the host"),
      ReportTable.Cell(time: expires),
    ]
  }
}

/// `cloudsync server audit`.
struct ServerAudit: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "audit",
    abstract: "Show what the host did to accounts, including removed ones.",
    discussion: examples(
      "\(program) server audit", "\(program) server audit --limit 20 --json",
      after: """
        'from' is local for commands, and the address of the browser for the administration pages.
        """))

  @Option(help: ArgumentHelp("The most lines to show.", valueName: "number")) var limit = 100
  @OptionGroup var folder: ServerFolderOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func validate() throws {
    guard limit > 0 else { throw ValidationError("--limit must be 1 or more") }
  }

  func run(_ context: CommandContext) async throws {
    let notes = try await folder.work(context) { try await $0.notes(limit: limit) }
    context.print(
      Report(
        "cloudsync.server.audit/1",
        [
          "entries": .array(
            notes.map { note in
              [
                "at": .string(Timestamp.format(milliseconds: note.at)),
                "action": .string(note.action), "account": note.account?.json ?? .null,
                "detail": .string(note.detail), "address": .string(note.address),
              ]
            })
        ], records: "entries",
        table: ReportTable(
          [
            ReportTable.Column("at"), ReportTable.Column("action"),
            ReportTable.Column("account", flexible: true),
            ReportTable.Column("detail", flexible: true), ReportTable.Column("from"),
          ],
          rows: notes.map { note in
            [
              ReportTable.Cell(time: note.at), ReportTable.Cell(note.action),
              ReportTable.Cell(note.account?.name ?? ""), ReportTable.Cell(note.detail),
              ReportTable.Cell(note.address),
            ]
          })))
  }
}
