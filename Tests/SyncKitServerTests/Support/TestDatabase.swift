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
  /// Whether all tests that know no difference run over PostgreSQL instead of SQLite: with
  /// `CLOUDSYNC_TEST_STORE=postgresql`.
  static let isChosen = getenv("CLOUDSYNC_TEST_STORE").map { String(cString: $0) } == "postgresql"

  /// Leaves out a test that looks at the files of a folder, or at what comes from its seed, when there is none.
  static let onlyInFolder = ConditionTrait.disabled(if: isChosen, "it is about a data folder")

  /// A new database of the server that all tests share.
  static func address() throws -> PostgreSQLAddress {
    try PostgreSQLAddress(try PostgreSQLServer.shared().database())
  }
}
