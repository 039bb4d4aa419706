import CSyncKitPostgreSQL
import SyncKit
import SyncWire

/// What a failure of PostgreSQL means for a server.
///
/// Source: [PostgreSQL, error codes](https://www.postgresql.org/docs/current/errcodes-appendix.html).
struct PostgreSQLFailure {
  /// The SQLSTATE; nil when the connection is lost.
  let state: String?
  /// PostgreSQL's own sentence.
  let cause: String
  /// What the database is called.
  let place: String

  /// Whether the connection is of no use any more, even if it has not noticed yet.
  var endsConnection: Bool {
    guard let state else { return true }
    // A standby, or a primary that has become one.
    return state.hasPrefix("08") || state.hasPrefix("57P") || state == "25006" || state == "25P03"
  }

  var error: SyncError {
    let code = code
    return SyncError(
      code, sentence(code), hint: hint(code),
      cause: state.map { "\(cause) (SQLSTATE \($0))" } ?? cause)
  }

  private var code: SyncError.Code {
    guard let state, !endsConnection else { return .storeUnavailable }
    switch state {
    // Serialization failure, deadlock.
    case "40001", "40P01": return .storeConflict
    case "55P03": return .storeBusy
    case "53100": return .storeDiskFull
    case "42501": return .storeReadOnly
    case "XX001", "XX002": return .storeDamaged
    // Undefined table, column, function: the tables are not ours.
    case "42P01", "42703", "42883": return .storeDamaged
    default: return state.hasPrefix("53") ? .storeUnavailable : .storeIO
    }
  }

  private func sentence(_ code: SyncError.Code) -> String {
    switch code {
    case .storeUnavailable: "The server's database (\(place)) cannot be reached."
    case .storeConflict: "Another transaction of the server's database (\(place)) came in between."
    case .storeBusy: "Another server holds the lock of the database (\(place)) for too long."
    case .storeDiskFull: "The disk of the server's database (\(place)) is full."
    case .storeReadOnly: "The server's database (\(place)) does not let this user write."
    case .storeDamaged: "The tables of the server's database (\(place)) are not as they must be."
    default: "Reading or writing the server's database (\(place)) failed."
    }
  }

  private func hint(_ code: SyncError.Code) -> String? {
    switch code {
    case .storeUnavailable:
      "Check that PostgreSQL runs and that 'psql' connects with the same address."
    case .storeReadOnly:
      "Make the user the owner of the database: ALTER DATABASE name OWNER TO user."
    case .storeDiskFull: "Free some space; nothing saved before is lost."
    case .storeDamaged:
      "Give the server a database of its own, or restore this one from a copy by pg_dump."
    default: nil
    }
  }
}
