import ArgumentParser
import CommandFoundation
import SyncKitFormats
import SyncKit
import SyncKitServer
import SyncWire

/// `cloudsync server restore FILE`.
struct ServerRestore: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore", abstract: "Replace all of a server's data with a backup.",
    discussion: examples(
      "\(program) server restore /backup/server.sqlite --yes",
      "\(program) server restore /backup/server.sqlite --data /srv/new --yes",
      "\(program) server restore /backup/server.sqlite --dry-run",
      after: """
        The server must not be running (75). The backup is checked first (65 if it is damaged), and the \
        old data are kept beside the new. Devices notice that the server has gone back in time, read \
        everything again, and bring back what it has lost.
        A backup does not know what was revoked after it. Its devices and tokens get in again; the \
        command lists them, those revoked since the backup first. It also lists accounts that were locked \
        or removed since, and people whose part in a share has ended. Open codes and invitations are \
        ended. With --sign-out-all, each person needs a new code from 'server invite NAME'.
        """))

  @Argument(help: "A file from '\(program) server backup'.", completion: .file())
  var file: String
  @Flag(help: "End every token: each device joins again with a code from 'server invite'.")
  var signOutAll = false
  @Flag(help: "Keep the backup's open codes and invitations open.")
  var keepCodes = false
  @OptionGroup var folder: ServerFolderOption
  @OptionGroup var change: DryRunOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(_ context: CommandContext) async throws {
    let path = try context.directoryRequest.absolute(file)
    if let address = try folder.database(context) {
      throw SyncError(
        .usage,
        "Cannot restore the database (\(address)): PostgreSQL has its own program for that.",
        hint: "stop the servers, then: pg_restore --clean --if-exists --dbname DATABASE FILE")
    }
    let restore = try ServerRestoration(
      of: path, in: DataFolder(folder.path(context)), environment: context.serverEnvironment)
    if restore.replacesSomething, !change.dryRun {
      guard try context.confirm("Replace all of the server's data with the backup?") else {
        throw SyncError(.usage, "the server's data were not changed")
      }
    }
    var options = ServerRestoration.Options()
    options.isRehearsal = change.dryRun
    options.signsOutAll = signOutAll
    options.endsInvitations = !keepCodes
    let outcome = try await restore.run(options)
    context.print(
      Report(
        "cloudsync.server.restore/1",
        [
          "file": .string(path), "segments": .int(Int64(outcome.segments)),
          "bytes": .int(outcome.bytes), "kept": outcome.kept.map { .string($0) } ?? .null,
          "dryRun": .bool(change.dryRun), "signedOut": .bool(signOutAll),
          "devices": .array(outcome.access.devices.map { Self.document($0, outcome) }),
          "tokens": .array(outcome.access.tokens.map { Self.document($0, outcome) }),
          "invitations": .array(outcome.access.invitations.map { .object($0.document) }),
          "invitationsEnded": .bool(!keepCodes), "undone": Self.document(outcome.undone),
        ],
        table: ReportTable(
          [
            ReportTable.Column("file"), ReportTable.Column("segments", numeric: true),
            ReportTable.Column("kept"),
          ],
          rows: [
            [
              ReportTable.Cell(path), ReportTable.Cell(outcome.segments),
              ReportTable.Cell(outcome.kept ?? ""),
            ]
          ]), text: ""))
    if let undone = outcome.undone { tell(undone, context) }
    tell(outcome, context)
    context.note(
      change.dryRun
        ? "would restore \(Plural(outcome.segments, "segment"))"
        : "restored \(Plural(outcome.segments, "segment")); start the server again")
  }

  private static func document(
    _ known: ServerAdministration.KnownDevice, _ outcome: ServerRestoration.Outcome
  ) -> JSON {
    [
      "account": known.account.json, "id": .string(known.device.id),
      "name": .string(known.device.name),
      "lastSeen": known.lastSeen.map { .string(Timestamp.format(milliseconds: $0)) } ?? .null,
      "endedSince": outcome.wasEnded(known).map { .bool($0) } ?? .null,
    ]
  }

  private static func document(
    _ known: ServerAdministration.KnownToken, _ outcome: ServerRestoration.Outcome
  ) -> JSON {
    var document = known.token.document(of: known.account)
    document["endedSince"] = outcome.wasEnded(known).map { .bool($0) } ?? .null
    return .object(document)
  }

  private static func document(_ undone: ServerAdministration.Access.Undone?) -> JSON {
    guard let undone else { return .null }
    return [
      "locked": .array(undone.locked.map(\.json)), "removed": .array(undone.removed.map(\.json)),
      "guests": .array(
        undone.guests.map {
          [
            "account": $0.account.json, "share": $0.share.json,
            "participant": $0.participant.json,
          ]
        }),
    ]
  }

  /// Warns of what was taken from a person since, and is given back.
  private func tell(
    _ undone: ServerAdministration.Access.Undone, _ context: CommandContext
  ) {
    for account in undone.locked {
      let name = Sanitized.line(account.name)
      context.warn(
        "'\(name)' is unlocked again, though it was locked after the backup; to lock it: "
          + "\(program) server account lock \(account.id)")
    }
    for account in undone.removed {
      let name = Sanitized.line(account.name)
      context.warn(
        "'\(name)' exists again, though it was removed after the backup; to remove it: "
          + "\(program) server account remove \(account.id)")
    }
    for guest in undone.guests where !undone.removed.contains(guest.account) {
      let name = Sanitized.line(guest.participant.name)
      context.warn(
        "\(name) takes part in '\(Sanitized.line(guest.share.name))' of "
          + "\(Sanitized.line(guest.account.name)) again, though that ended after the backup; "
          + "its owner ends it with 'cloudsync share remove'")
    }
  }

  /// Lists devices and tokens that get in again; warns of revoked ones.
  private func tell(_ outcome: ServerRestoration.Outcome, _ context: CommandContext) {
    let verb = signOutAll ? "is signed out" : "gets in again"
    var lines = outcome.access.devices.map { known in
      (
        "'\(Sanitized.line(known.device.name))' of \(Sanitized.line(known.account.name)) \(verb)",
        outcome.wasEnded(known), "\(program) token revoke \(known.token)"
      )
    }
    lines += outcome.access.tokens.map { known in
      (
        "the token '\(Sanitized.line(known.token.name))' of \(Sanitized.line(known.account.name)) \(verb)",
        outcome.wasEnded(known), "\(program) token revoke \(known.token.id)"
      )
    }
    for (line, wasEnded, advice) in lines where wasEnded == true && !signOutAll {
      context.warn("\(line), though it was revoked after the backup; to revoke it: \(advice)")
    }
    for (line, wasEnded, _) in lines where wasEnded != true || signOutAll { context.note(line) }
    let open = outcome.access.invitations
    guard !open.isEmpty else { return }
    let number =
      open.count == 1 ? "1 open code or invitation" : "\(open.count) open codes and invitations"
    if keepCodes {
      context.warn("\(number) in the backup can be used again, even if used since")
    } else {
      context.note("ended \(number) from the backup")
    }
  }
}
