import SyncKit
import SyncWire

/// A connection to the database of several servers, which is opened when it is first used and when it was lost.
///
/// - **One order of all writes.** Each transaction that writes first takes one lock of the database, of whichever
///   server it is. Each of its statements then sees all that was committed before.
/// - **One state of each read.** A transaction that reads sees what was committed when it began.
final class PostgreSQLConnection: ServerConnection {
  private let link: PostgreSQLLink
  private var session: PostgreSQLSession?
  /// Whether the mark before the next one is still to be given up.
  private var isMarked = false
  /// Told of each commit before anyone is answered.
  private let didCommit: @Sendable () -> Void

  init(_ link: PostgreSQLLink, didCommit: @escaping @Sendable () -> Void = {}) {
    self.link = link
    self.didCommit = didCommit
  }

  /// Opens it now.
  func open() throws { session = try link.open() }

  var isInTransaction: Bool { session?.isInTransaction == true && session?.isAlive == true }

  func begin(_ purpose: TransactionPurpose, for trace: String?) throws {
    isMarked = false
    if let session {
      do {
        return try begin(purpose, trace, session)
      } catch  where mayRepeat(after: error) {
        self.session = nil
      }
    }
    session = try link.open { try begin(purpose, trace, $0) }
  }

  private func begin(
    _ purpose: TransactionPurpose, _ trace: String?, _ session: PostgreSQLSession
  ) throws {
    // What PostgreSQL logs of the transaction then bears the trace, until its end.
    let name = trace.map { "; SET LOCAL application_name='cloudsync-server \($0)'" } ?? ""
    do {
      if link.isPooled {
        // Found out before: an epoch that begins meanwhile is not in the state that the transaction reads.
        let origin = link.origin
        let place = try session.row(PostgreSQLPooler.begin(purpose, naming: name))
        return try PostgreSQLPooler.check(place, session, link, at: origin)
      }
      switch purpose {
      case .reading: try session.run("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY\(name)")
      case .writing:
        // A state that was fixed before the lock is there would miss what its holder commits.
        try session.run("BEGIN ISOLATION LEVEL READ COMMITTED\(name); \(PostgreSQLLink.lock)")
      }
    } catch {
      if session.isInTransaction { _ = try? session.run("ROLLBACK") }
      throw error
    }
  }

  func commit(telling news: StorageNews) throws {
    let session = try living()
    for text in PostgreSQLWord.texts(news, from: link.sender) {
      try session.rows("SELECT pg_notify(?, ?)", [.text(PostgreSQLWord.channel), .text(text)]) {
        _ in true
      }
    }
    let done: String
    do {
      done = try session.run("COMMIT")
    } catch var error as SyncError {
      // With the connection the answer is lost; whether the commit is, too, only a later look can tell.
      if error.code == .storeUnavailable { error.isSafe = false }
      throw error
    }
    guard done == "COMMIT" else {
      throw SyncError(.storeIO, "The server's database took a transaction back.")
    }
    didCommit()
  }

  func rollback() {
    guard let session else { return }
    if (try? session.run("ROLLBACK")) == nil { self.session = nil }
  }

  func mark() throws {
    // The mark before is given up on the same way.
    try living().run(isMarked ? "RELEASE SAVEPOINT job; SAVEPOINT job" : "SAVEPOINT job")
    isMarked = true
  }

  func keep() {}
  func takeBack() throws { try living().run("ROLLBACK TO SAVEPOINT job") }

  func mayRepeat(after error: any Error) -> Bool {
    guard let error = error as? SyncError, error.isSafe else { return false }
    return [.storeUnavailable, .storeConflict].contains(error.code)
  }

  func rows(
    _ sql: String, _ values: [SQLValue], large: [UInt8]?, _ next: (SQLRow) throws -> Bool
  ) throws { try living().rows(sql, values, large: large, next) }

  /// PostgreSQL does that by itself.
  func giveBack() -> Bool { false }
  func close() { session = nil }

  private func living() throws -> PostgreSQLSession {
    guard let session else { throw link.lost() }
    return session
  }
}
