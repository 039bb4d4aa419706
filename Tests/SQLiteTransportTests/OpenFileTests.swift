import SQLiteFile
import SyncKit
import Testing

@testable import SQLiteTransport

@Test func `a shared file is open so that what is committed survives a loss of power`() async throws
{
  let place = try SharedPlace()
  try await place.attach()
  let file = try OpenFile.open(place.path)
  #expect(try file.connection.texts("PRAGMA journal_mode") == ["wal"])
  #expect(try file.connection.texts("PRAGMA synchronous") == ["2"])
}

@Test func `a shared file cannot make its reader run what it holds`() async throws {
  let place = try SharedPlace()
  try await place.attach()
  let file = try OpenFile.open(place.path)
  #expect(try file.connection.texts("PRAGMA trusted_schema") == ["0"])
  #expect(try file.connection.texts("PRAGMA cell_size_check") == ["1"])
  // The tables of SQLite's own are closed to writers of SQL.
  #expect(throws: (any Error).self) {
    try file.connection.run("PRAGMA writable_schema=ON; DELETE FROM sqlite_schema")
  }
}
