import CSyncKitSQLite
import SyncKit

extension Connection {
  /// A file may be hostile: nothing in it may run, and every page is looked at.
  package func harden() throws {
    try configure(SQLITE_DBCONFIG_DEFENSIVE, true)
    try run("PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON; PRAGMA mmap_size=0")
  }

  /// Writes through a log that is synchronised at each commit: what was committed survives power loss.
  package func useDurableLog() throws {
    try expect("journal_mode", "WAL", "wal")
    try expect("synchronous", "FULL", "2")
    #if canImport(Darwin)
    // There, fsync alone leaves the data in the disk's own memory.
    try expect("fullfsync", "ON", "1")
    try expect("checkpoint_fullfsync", "ON", "1")
    #endif
  }

  /// Sets a pragma and believes only what is read back.
  package func expect(_ pragma: String, _ value: String, _ answer: String) throws {
    _ = try texts("PRAGMA \(pragma)=\(value)")
    let found = try texts("PRAGMA \(pragma)").first
    guard found == answer else {
      throw SyncError(
        .storeIO, "The store '\(path)' cannot be opened durably.",
        cause: "\(pragma) is \(found ?? "unknown") instead of \(answer)")
    }
  }
}
