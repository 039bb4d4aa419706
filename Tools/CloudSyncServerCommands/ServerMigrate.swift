import ArgumentParser
import CommandFoundation
import SyncKitFormats
import SyncKit
import SyncKitServer
import SyncWire

/// `cloudsync server migrate PLACE`.
struct ServerMigrate: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "migrate",
    abstract: "Move all of a server's data from a folder to PostgreSQL, or back.",
    discussion: examples(
      "\(program) server migrate postgres://db.example.org/cloudsync",
      "\(program) server migrate service=cloudsync --data /var/lib/cloudsync/server",
      "\(program) server migrate /var/lib/cloudsync/new --store service=cloudsync",
      "\(program) server migrate --cancel",
      after: """
        No server may be running on either side (75); devices try again until the new one answers. \
        Accounts, devices, tokens and cursors stay the same, so no device has to join or read anything again. \
        Everything is read back and compared before it counts. The old place keeps its data and is closed: \
        servers refuse to start on it. --cancel opens it again, as it was when it was left.
        A migration that is cut off is run again. The target must be empty: a new database, or a folder without \
        a server's store.
        """))

  @Argument(
    help: "Where the data go: a folder, or the address of a PostgreSQL database.",
    completion: .directory) var place: String?
  @Flag(help: "Open the place again that was left by a migration.") var cancel = false
  @OptionGroup var folder: ServerFolderOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func validate() throws {
    guard (place == nil) == cancel else {
      throw ValidationError("give either the place where the data go or --cancel")
    }
  }

  func run(_ context: CommandContext) async throws {
    let source = try source(context)
    if let place {
      try await move(from: source, to: try target(place, context), context)
    } else {
      try await cancel(source, context)
    }
  }

  @MainActor private func move(
    from source: (place: ServerMigration.Place, name: String),
    to target: (place: ServerMigration.Place, name: String), _ context: CommandContext
  ) async throws {
    guard try context.confirm("Move all of the server's data to \(target.name)?") else {
      throw SyncError(.usage, "the server's data were not moved")
    }
    let line = ProgressLine(context)
    let migration = ServerMigration(
      from: source.place, to: target.place, environment: context.serverEnvironment)
    let outcome: ServerMigration.Outcome
    do {
      outcome = try await migration.run { progress in
        line.show(
          progress.step == .copying ? "copying" : "comparing", done: progress.done,
          of: progress.total, .count("segments"))
      }
    } catch {
      line.clear()
      throw error
    }
    line.clear()
    print(source.name, target.name, outcome, false, context)
    context.note(
      "moved \(Plural(outcome.accounts, "account")) and \(Plural(outcome.segments, "segment")) to \(target.name); "
        + Self.advice(target.place))
  }

  @MainActor private func cancel(
    _ source: (place: ServerMigration.Place, name: String), _ context: CommandContext
  ) async throws {
    let question = "Open \(source.name) again, without what servers have stored elsewhere since?"
    guard try context.confirm(question) else { throw SyncError(.usage, "nothing was changed") }
    let opened = try await ServerMigration.cancel(source.place)
    print(
      source.name, opened?.place, ServerMigration.Outcome(), opened != nil, context)
    guard let opened else { return context.note("\(source.name) was not closed") }
    context.note(
      "opened \(source.name) again; do not serve \(Sanitized.line(opened.place)) beside it")
    if opened.hasBodiesInBucket {
      context.warn(
        "bodies that were removed from the bucket since are gone; '\(program) server check --remove-damaged' lets "
          + "devices store what they have of them again")
    }
  }

  private static func advice(_ place: ServerMigration.Place) -> String {
    switch place {
    case .folder: "serve it with --data, or set server.data and remove server.store"
    case .database: "serve it with --store, or set server.store and remove server.data"
    }
  }

  @MainActor private func print(
    _ from: String, _ to: String?, _ outcome: ServerMigration.Outcome, _ cancelled: Bool,
    _ context: CommandContext
  ) {
    context.print(
      Report(
        "cloudsync.server.migrate/1",
        [
          "from": .string(from), "to": to.map { .string($0) } ?? .null,
          "accounts": .int(Int64(outcome.accounts)), "segments": .int(Int64(outcome.segments)),
          "bytes": .int(outcome.bytes), "rows": .int(Int64(outcome.rows)),
          "cancelled": .bool(cancelled),
        ],
        table: ReportTable(
          [
            ReportTable.Column("to"), ReportTable.Column("accounts", numeric: true),
            ReportTable.Column("segments", numeric: true),
            ReportTable.Column("bytes", numeric: true),
          ],
          rows: [
            [
              ReportTable.Cell(to ?? ""), ReportTable.Cell(outcome.accounts),
              ReportTable.Cell(outcome.segments), ReportTable.Cell(outcome.bytes),
            ]
          ]), text: ""))
  }

  @MainActor private func source(
    _ context: CommandContext
  ) throws -> (place: ServerMigration.Place, name: String) {
    if let address = try folder.database(context) { return Self.named(address) }
    return Self.named(folder: try folder.path(context))
  }

  @MainActor private func target(
    _ text: String, _ context: CommandContext
  ) throws -> (place: ServerMigration.Place, name: String) {
    guard PostgreSQLAddress.isMeant(text) else {
      return Self.named(folder: try context.directoryRequest.absolute(text))
    }
    return Self.named(try ServerFolderOption.typed(text, as: "the address", context))
  }

  private static func named(
    _ address: PostgreSQLAddress
  ) -> (place: ServerMigration.Place, name: String) {
    (.database(address), "the database (\(Sanitized.line(address.description)))")
  }

  private static func named(folder: String) -> (place: ServerMigration.Place, name: String) {
    (.folder(folder), "the folder \(Sanitized.line(folder))")
  }
}
