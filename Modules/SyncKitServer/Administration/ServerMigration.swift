import NIOPosix
import SyncCrypto
public import SyncKit
import SyncWire

/// Moves everything that a server has from a folder to a database of PostgreSQL, or back.
///
/// No server runs meanwhile; devices wait and try again. Accounts, tokens and cursors stay what they are, so devices go on
/// where they were. All is read back from the new place and compared before it counts, and the old place keeps its
/// data, closed to servers. A move that is cut off is run again, or taken back by ``cancel(_:)``.
public struct ServerMigration: Sendable {
  /// Where a server's data are.
  public enum Place: Sendable {
    /// A data folder.
    case folder(String)
    /// A database of PostgreSQL.
    case database(PostgreSQLAddress)
  }

  /// What was moved.
  public struct Outcome: Sendable, Equatable {
    /// How many accounts.
    public var accounts = 0
    /// How many segments.
    public var segments = 0
    /// How many bytes they have.
    public var bytes: Int64 = 0
    /// How many rows of all tables.
    public var rows = 0

    /// Nothing.
    public init() {}
  }

  /// How far it has come.
  public struct Progress: Sendable, Equatable {
    /// What it does.
    public enum Step: Sendable {
      /// Rows go over.
      case copying
      /// Both places are compared.
      case comparing
    }

    /// What it does.
    public var step: Step
    /// How many segments are done.
    public var done: Int
    /// How many there are.
    public var total: Int
  }

  private let source: Place
  private let target: Place
  private let environment: SyncEnvironment

  /// Prepares a move.
  public init(from source: Place, to target: Place, environment: SyncEnvironment) {
    (self.source, self.target, self.environment) = (source, target, environment)
  }

  /// Moves everything.
  ///
  /// - Parameter progress: Hears how far it has come, from another thread.
  /// - Returns: What was moved.
  /// - Throws: ``SyncError`` `store.busy` while a server uses one of the places, `input.missing` when there is nothing to
  ///   move, `input.invalid` when the target has data of its own, `server.moved` when the data have gone elsewhere before,
  ///   and whatever the places throw. Then the old place is open as before, unless the message says otherwise.
  public func run(
    _ progress: @escaping @Sendable (Progress) -> Void = { _ in }
  ) async throws -> Outcome {
    try await NIOThreadPool.singleton.runIfActive { try move(progress) }
  }

  /// A place that was opened again.
  public struct Reopening: Sendable, Equatable {
    /// Where its data have gone.
    public var place: String
    /// Whether it has bodies in a bucket, some of which servers of the other place may have removed.
    public var hasBodiesInBucket: Bool
  }

  /// Opens a place again that was left, or whose move was cut off.
  ///
  /// - Returns: What was opened; nil when it was not closed.
  /// - Throws: ``SyncError`` `store.busy` and whatever the place throws.
  public static func cancel(_ place: Place) async throws -> Reopening? {
    try await NIOThreadPool.singleton.runIfActive {
      let end = try MoveEnd(place)
      defer { end.close() }
      guard let move = try ServerMove.last(.source, end.tables) else { return nil }
      try end.write { try move.forget($0) }
      return Reopening(
        place: move.place,
        hasBodiesInBucket: try end.tables.exists("SELECT 1 FROM objects LIMIT 1"))
    }
  }

  // MARK: The way of a move

  private func move(_ progress: (Progress) -> Void) throws -> Outcome {
    let source = try MoveEnd(self.source)
    defer { source.close() }
    let target = try MoveEnd(newIn: self.target)
    defer { target.close() }
    let move = try begin(source, target)
    if try ServerMove.last(.target, target.tables)?.id == move.id {
      // It was cut off after the last word of the target.
      let outcome = try Self.outcome(target.tables)
      try finish(move, source)
      return outcome
    }
    let outcome: Outcome
    do {
      try target.requireEmpty()
      outcome = try copy(move, source, target, progress)
    } catch var error as SyncError {
      source.tables.connection.rollback()
      if error.isSafe {
        do {
          try source.write { try move.forget($0) }
        } catch {
          // Its own database may be away, and then it stays closed until the next run.
        }
      } else {
        // Whether the target has it is unknown, so the source stays closed.
        error.hint = "Run 'server migrate' again: it finds out whether everything has arrived."
      }
      throw error
    }
    try finish(move, source)
    return outcome
  }

  /// Closes the source, or finds the move that was cut off.
  private func begin(_ source: MoveEnd, _ target: MoveEnd) throws -> ServerMove {
    if let last = try ServerMove.last(.source, source.tables) {
      guard last.finished == nil, last.place == target.description else { throw last.refusal }
      return last
    }
    guard try source.hasData() else {
      throw SyncError(.inputMissing, "There is nothing to move in \(source.description).")
    }
    let move = ServerMove(
      id: "\(String(environment.random(), radix: 36))", place: target.description,
      begun: environment.now())
    try source.write { try move.note(.source, $0) }
    return move
  }

  private func copy(
    _ move: ServerMove, _ source: MoveEnd, _ target: MoveEnd, _ progress: (Progress) -> Void
  ) throws -> Outcome {
    // Commands that work on a folder beside its server wait, and are refused afterwards.
    try source.tables.connection.begin(.writing)
    try target.tables.connection.begin(.writing)
    let total = Int(try source.tables.count("SELECT count(*) FROM segments"))
    for table in ["epochs", "counters"] { try target.tables.run("DELETE FROM \(table)") }
    var digests: [[UInt8]] = []
    var rows = 0
    for table in ServerTableRows.moved {
      let reading = ServerTableRows(table: table, columns: try source.columns(of: table.name))
      guard Set(reading.columns) == Set(try target.columns(of: table.name)) else {
        throw SyncError(.bug, "The columns of '\(table.name)' differ between the engines.")
      }
      var digest = RowDigest()
      var done = 0
      try reading.each(source.tables) { values in
        digest.add(values)
        try reading.insert(values, target.tables, extra: target.extra(of: table.name))
        done += 1
        if table.name == "contents" {
          progress(Progress(step: .copying, done: done, total: total))
        }
      }
      digests.append(digest.value)
      rows += done
    }
    try target.settle()
    for (table, expected) in zip(ServerTableRows.moved, digests) {
      let reading = ServerTableRows(table: table, columns: try source.columns(of: table.name))
      var digest = RowDigest()
      var done = 0
      try reading.each(target.tables) { values in
        digest.add(values)
        done += 1
        if table.name == "contents" {
          progress(Progress(step: .comparing, done: done, total: total))
        }
      }
      guard digest.value == expected else {
        throw SyncError(
          .storeDamaged, "Table '\(table.name)' differs after the copy; nothing was moved.",
          hint: "Check the old place with 'server check', and try again.")
      }
    }
    // What was being sent to a bucket ends with the old place, and is collected in the new one.
    try target.tables.run("UPDATE objects SET used=1 WHERE cursor IS NULL")
    var outcome = try Self.outcome(target.tables)
    outcome.rows = rows
    try ServerMove(
      id: move.id, place: source.description, begun: move.begun, finished: environment.now()
    ).note(.target, target.tables)
    try target.tables.connection.commit(telling: StorageNews())
    try target.publish(move)
    source.tables.connection.rollback()
    return outcome
  }

  private func finish(_ move: ServerMove, _ source: MoveEnd) throws {
    try source.write { try move.finish(at: environment.now(), $0) }
  }

  private static func outcome(_ tables: ServerTables) throws -> Outcome {
    var outcome = Outcome()
    outcome.accounts = Int(try tables.count("SELECT count(*) FROM accounts"))
    outcome.segments = Int(try tables.count("SELECT count(*) FROM segments"))
    outcome.bytes = try tables.count("SELECT CAST(coalesce(sum(size), 0) AS bigint) FROM segments")
    return outcome
  }
}

/// A digest of rows in their order.
private struct RowDigest {
  private var hash = SHA256()
  var value: [UInt8] { hash.digest() }

  mutating func add(_ values: [SQLValue]) {
    for value in values { value.canonical.withUnsafeBytes { hash.update($0) } }
  }
}
