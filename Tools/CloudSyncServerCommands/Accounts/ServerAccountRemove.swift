import ArgumentParser
import CommandFoundation
import SyncKitFormats
import SyncKit
import SyncKitServer
import SyncWire

/// `cloudsync server account remove NAME`.
struct ServerAccountRemove: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Remove an account and all its data from this server.",
    discussion: examples(
      "\(program) server account remove anna --export /backup/anna",
      "\(program) server account remove anna --no-export --yes",
      after: """
        The account is exported into the folder, as by 'server account export', and only then removed. \
        Its devices keep their data and are signed out. People with whom the account shared records \
        keep their copies, read-only.
        """))

  @Argument(help: "The account.") var account: String
  @Option(
    help: ArgumentHelp("Export the account into this folder first.", valueName: "dir"),
    completion: .directory)
  var export: String?
  @Flag(help: "Keep no copy.") var noExport = false
  @OptionGroup var folder: ServerFolderOption
  @OptionGroup var change: DryRunOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func validate() throws {
    guard (export == nil) == noExport else {
      throw ValidationError("give --export DIR for a copy, or --no-export for none")
    }
  }

  func run(_ context: CommandContext) async throws {
    let path = try export.map { try context.directoryRequest.absolute($0) }
    let (standing, copy) = try await folder.work(context) { administration in
      let known = try await administration.known(account)
      let standing = try await administration.standing(of: known)
      let name = Sanitized.line(known.name)
      if change.dryRun { return (standing, nil as AccountExport?) }
      guard
        try context.confirm(
          "Remove '\(name)', its \(Plural(Int(standing.devices), "device")) and its "
            + "\(Plural(Int(clamping: standing.usedBytes), "byte"))?")
      else { throw SyncError(.usage, "the account '\(name)' stays") }
      var copy: AccountExport?
      if let path { copy = try await AccountExport.run(of: known, to: path, administration) }
      if let copy, copy.damaged > 0,
        try !context.confirm(
          "\(Plural(copy.damaged, "segment")) cannot be read. Remove the account?")
      {
        throw SyncError(.usage, "the account '\(name)' stays")
      }
      try await administration.removeAccount(known.id)
      return (standing, copy)
    }
    context.print(
      standing,
      [
        "removed": .bool(!change.dryRun), "dryRun": .bool(change.dryRun),
        "export": copy.map { copy in
          path.map { .object(copy.document(of: standing.account, in: $0)) } ?? .null
        } ?? .null,
      ])
    if let copy, let path { context.note(copy.sentence(path)) }
    let name = Sanitized.line(standing.account.name)
    context.note("\(change.dryRun ? "would remove" : "removed") the account '\(name)'")
  }
}
