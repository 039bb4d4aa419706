import SQLiteFile
import SyncKit

/// The vaults whose data lie in a file.
struct VaultTable {
  /// A file with more is not honest.
  private static let limit = 10_000

  private let connection: Connection

  init(_ connection: Connection) { self.connection = connection }

  /// All of them; what is not a vault's id is ignored.
  func all() throws -> Set<String> {
    try connection.with("SELECT id FROM vault") { statement in
      var found: Set<String> = []
      var rows = 0
      while try connection.row(statement.step()) {
        rows += 1
        guard rows <= Self.limit else { throw connection.damage("it names too many vaults") }
        if let id = statement.text(0), Self.isID(id) { found.insert(id) }
      }
      return found
    }
  }

  func add(_ id: String) throws {
    guard Self.isID(id) else { throw SyncError(.bug, "A vault's id is not a UUID: \(id)") }
    try connection.with("INSERT OR IGNORE INTO vault VALUES(?1)") { statement in
      try connection.check(statement.bind(1, id))
      try connection.execute(statement)
    }
  }

  func remove(_ id: String) throws {
    try connection.with("DELETE FROM vault WHERE id = ?1") { statement in
      try connection.check(statement.bind(1, id))
      try connection.execute(statement)
    }
  }

  private static func isID(_ text: String) -> Bool {
    text.utf8.count == 36
      && text.utf8.allSatisfy { byte in
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
          || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte) || byte == UInt8(ascii: "-")
      }
  }
}
