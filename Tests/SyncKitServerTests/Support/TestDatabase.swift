import RealPlaces
import Testing

@testable import SyncKitServer

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#endif

/// Databases of PostgreSQL for tests.
enum TestDatabase {
  /// What all tests that know no difference run over instead of SQLite: `CLOUDSYNC_TEST_STORE=postgresql`, or `pgbouncer`
  /// for a PostgreSQL behind one.
  private static let chosen = getenv("CLOUDSYNC_TEST_STORE").map { String(cString: $0) }
  static let isChosen = ["postgresql", "pgbouncer"].contains(chosen)

  /// Leaves out a test that looks at the files of a folder, or at what comes from its seed, when there is none.
  static let onlyInFolder = ConditionTrait.disabled(if: isChosen, "it is about a data folder")

  /// A new database of the server that all tests share, behind a pooler if that was chosen.
  static func address() throws -> PostgreSQLAddress {
    if chosen == "pgbouncer" { return try pooled() }
    return try PostgreSQLAddress(try PostgreSQLServer.shared().database())
  }

  /// A new database, with all transactions of servers through PgBouncer in transaction mode.
  static func pooled() throws -> PostgreSQLAddress {
    let database = try PostgreSQLServer.shared().database()
    return try pooled(database, by: .shared())
  }

  static func pooled(_ database: String, by pooler: PgBouncer) throws -> PostgreSQLAddress {
    try PostgreSQLAddress(database).through(PostgreSQLAddress(pooler.address(of: database)))
  }
}
