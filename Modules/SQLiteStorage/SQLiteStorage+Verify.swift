import SQLiteFile
import SyncKit

extension SQLiteStorage {
  /// Looks at every byte that is in use: SQLite's own structure, then every row.
  ///
  /// A scan of one table finds damaged rows; only this finds rows that a damaged page has lost.
  ///
  /// - Returns: What is wrong, each as a sentence; empty for a sound store.
  /// - Throws: ``SyncError`` `store.busy`, `store.io`.
  public func problems() throws -> [String] {
    var found: [String] = []
    do {
      let lines = try withConnection { connection in
        let lines = try connection.texts("PRAGMA integrity_check(20)")
        try connection.checkIsRead()
        return lines
      }
      if lines != ["ok"] { found += lines.map { "SQLite: \($0)" } }
    } catch let error as SyncError where error.code == .storeDamaged {
      found.append(error.description)
    }
    for table in Table.allCases {
      do {
        try read { try $0.scan(table, prefix: [], after: nil) { _, _ in true } }
      } catch let error as SyncError where error.code == .storeDamaged {
        found.append(error.description)
      }
    }
    return found
  }

  /// Writes a copy of one moment of the store into a new file of mode 0600.
  ///
  /// The copy is whole in one file, compact, and durable when this returns. Opened in another place
  /// it has another ``fingerprint``.
  ///
  /// - Throws: ``SyncError`` `store.io` when something bears the name already; `store.disk-full`,
  ///   `store.read-only`, `store.damaged`. No part of a copy is left behind then.
  public func backUp(to copy: String) throws {
    guard !copy.isEmpty, !copy.utf8.contains(0) else {
      throw SyncError(.storeIO, "A copy needs a path.")
    }
    try POSIX.makePrivateFile(copy)
    do {
      try withConnection { connection in
        let quoted = copy.split(separator: "'", omittingEmptySubsequences: false)
        try connection.run("VACUUM INTO '\(quoted.joined(separator: "''"))'")
      }
      try POSIX.synchronize(copy)
      try POSIX.synchronize(POSIX.folder(of: copy))
    } catch {
      POSIX.remove(copy)
      throw error
    }
  }
}
