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
    var origin: String?
  }

  let address: PostgreSQLAddress
  /// By which a server knows its own notifications.
  let sender: String
  private let use: PostgreSQLSchema.Use
  /// The link to PostgreSQL itself, for one that goes through a pooler; nil for one that does not.
  private let direct: PostgreSQLLink?
  private let state = Mutex(State())

  init(
    _ address: PostgreSQLAddress, sender: String, for use: PostgreSQLSchema.Use = .serving
  ) {
    (self.address, self.sender, self.use, direct) = (address, sender, use, nil)
  }

  /// A link through the pooler of an address, beside the one that does without.
  private init(throughPoolerBeside direct: PostgreSQLLink) {
    (address, sender, use) = (direct.address, direct.sender, direct.use)
    self.direct = direct
  }

  /// The link for transactions: through the pooler, or itself if there is none.
  ///
  /// - Throws: ``SyncError`` of ``open(_:)`` when there is a pooler and PostgreSQL itself is not there.
  func forTransactions() throws -> PostgreSQLLink {
    guard address.pooled != nil else { return self }
    // It makes the tables, and says which start of which database this is.
    _ = try open()
    return PostgreSQLLink(throughPoolerBeside: self)
  }

  /// Which start of which database the last connection to PostgreSQL itself led to; nil before the first.
  var origin: String? { direct.map { $0.origin } ?? state.withLock { $0.origin } }

  /// Whether its connections are a pooler's, which keeps nothing from one transaction to the next.
  var isPooled: Bool { direct != nil }

  /// Opens a connection to tables of this version, and does the first with it.
  ///
  /// - Throws: ``SyncError`` `store.unavailable`, `store.newer` and the like.
  func open(_ first: (PostgreSQLSession) throws -> Void = { _ in }) throws -> PostgreSQLSession {
    while true {
      let mayWait = try admit()
      do {
        let session = try connect()
        try first(session)
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

  private func connect() throws -> PostgreSQLSession {
    let isFirst = state.withLock { !$0.hasWorked }
    if let pooled = address.pooled, isPooled {
      let session = try PostgreSQLSession(pooled, isPooled: true)
      if isFirst, try PostgreSQLSchema.readOrigin(session) != origin {
        throw SyncError(
          .configInvalid,
          "The pooler (\(pooled.description)) leads to another database than (\(address)).",
          hint: "Let both lead to the same PostgreSQL, database and user.")
      }
      return session
    }
    let session = try PostgreSQLSession(address.direct)
    if isFirst { try PostgreSQLPooler.requireSession(session, address, for: use) }
    try PostgreSQLSchema.prepare(session, address, for: use)
    let origin = try PostgreSQLSchema.readOrigin(session)
    state.withLock { $0.origin = origin }
    return session
  }

  /// The error of a connection that is not there any more.
  func lost(_ cause: String = "the connection is lost") -> SyncError {
    let place = isPooled ? address.pooled?.description : nil
    return PostgreSQLFailure(state: nil, cause: cause, place: place ?? address.description).error
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
