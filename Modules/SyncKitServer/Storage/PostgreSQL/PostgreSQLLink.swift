import SyncKit
import SyncWire
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// How all connections of one server come to its database.
///
/// A database that is away for a moment, as while it is started again, is waited for. One that stays away is not:
/// whoever asks is told at once, and it is looked for four times a second.
final class PostgreSQLLink: Sendable {
  /// The lock that each writing transaction takes, of all servers on one database: `csrv`.
  static let lock = "SELECT pg_advisory_xact_lock(\(0x6373_7276))"
  private static let patience = Duration.seconds(3)
  private static let pause = Duration.milliseconds(250)

  private struct State {
    /// Whether there was a connection, so that a failure is one of the moment.
    var hasWorked = false
    var awaySince: ContinuousClock.Instant?
    var lastTry: ContinuousClock.Instant?
  }

  let address: PostgreSQLAddress
  /// By which a server knows its own notifications.
  let sender: String
  private let use: PostgreSQLSchema.Use
  private let state = Mutex(State())

  init(
    _ address: PostgreSQLAddress, sender: String, for use: PostgreSQLSchema.Use = .serving
  ) {
    (self.address, self.sender, self.use) = (address, sender, use)
  }

  /// Opens a connection to tables of this version.
  ///
  /// - Throws: ``SyncError`` `store.unavailable`, `store.newer` and the like.
  func open() throws -> PostgreSQLSession {
    while true {
      let mayWait = try admit()
      do {
        let session = try PostgreSQLSession(address)
        try PostgreSQLSchema.prepare(session, address, for: use)
        state.withLock { state in
          state.hasWorked = true
          state.awaySince = nil
        }
        return session
      } catch let error as SyncError where error.code == .storeUnavailable {
        state.withLock { $0.awaySince = $0.awaySince ?? .now }
        guard mayWait else { throw error }
        usleep(100_000)
      }
    }
  }

  /// The error of a connection that is not there any more.
  func lost() -> SyncError {
    PostgreSQLFailure(state: nil, cause: "the connection is lost", place: address.description).error
  }

  /// Whether a failure may be waited for.
  ///
  /// - Throws: ``SyncError`` `store.unavailable` when the database has been away for long, and was looked for just now.
  private func admit() throws -> Bool {
    let now = ContinuousClock.now
    return try state.withLock { state in
      guard let since = state.awaySince else { return state.hasWorked }
      if since.duration(to: now) < Self.patience { return state.hasWorked }
      if let last = state.lastTry, last.duration(to: now) < Self.pause { throw lost() }
      state.lastTry = now
      return false
    }
  }
}
