import ArgumentParser
import CommandFoundation
import SyncKitFormats
import SyncKit
import SyncKitServer
import SyncWire

/// `cloudsync token create NAME`.
struct TokenCreate: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "create", abstract: "Create a token for a program and print it once.",
    discussion: examples(
      "\(program) token create backup --scope read --expires 90d",
      "\(program) token create bot --scope sync --expires never --account anna",
      after: """
        Only the token is printed, so that TOKEN=$(\(program) token create …) works; it cannot be \
        shown again. Scopes: read; sync, which reads and writes; manage, which also sees devices, \
        tokens and shares. An account that does not exist is created.
        """))

  @Argument(help: "The purpose of the token.") var name: String
  @Option(help: ArgumentHelp("The scope: read, sync or manage.", valueName: "scope"))
  var scope: TokenScope
  @Option(
    help: ArgumentHelp("When it expires: a duration such as 90d, or never.", valueName: "dur"))
  var expires = "365d"
  @Option(help: ArgumentHelp("The account it belongs to.", valueName: "name"))
  var account = "me"
  @OptionGroup var folder: ServerFolderOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let end = try end(context.terminal.now())
    let (owner, isNew, token) = try await folder.work(context, making: true) { administration in
      let (owner, isNew) = try await administration.accountOrNew(account)
      let token = try await administration.makeToken(
        for: owner.id, name: name, scope: scope, expires: end)
      try await context.warnIfLocked(owner, administration)
      return (owner, isNew, token)
    }
    let secret = token.secret ?? ""
    var document = token.document(of: owner)
    document["token"] = .string(secret)
    context.print(
      Report(
        "cloudsync.token/1", document,
        table: ReportTable([ReportTable.Column("token")], rows: [[ReportTable.Cell(secret)]]),
        text: "\(secret)\n"))
    if isNew { context.noteNew(owner) }
    context.note("the token '\(token.id)' cannot be shown again")
  }

  /// When it ends, in milliseconds since 1970; nil for never.
  private func end(_ now: Int64) throws -> Int64? {
    if expires == "never" { return nil }
    guard let span = ConfigText.duration(expires), span > .zero else {
      throw SyncError(
        .usage, "'\(Sanitized.line(expires))' is not a lifetime",
        hint: "write a duration such as 90d or 12h, or never")
    }
    return now + Int64(span / .milliseconds(1))
  }
}

extension TokenScope: ExpressibleByArgument {}
