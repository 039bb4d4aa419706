import SQLiteFile
import SyncKit

/// The statements of one connection, each prepared when it is first needed.
final class StatementCache {
  enum Kind: Int, CaseIterable {
    /// Rows from a key on, in order.
    case from
    /// Rows before a key, from the last one on.
    case before
    case put
    case delete
  }

  private let connection: Connection
  private var slots: [Statement?]

  init(_ connection: Connection) {
    self.connection = connection
    slots = Array(repeating: nil, count: Kind.allCases.count * Table.allCases.count)
  }

  /// Lends a statement; a scan within a scan gets one of its own.
  func use<T>(_ kind: Kind, _ table: Table, _ body: (Statement) throws -> T) throws -> T {
    let slot = Int(table.rawValue) * Kind.allCases.count + kind.rawValue
    let statement = try slots[slot] ?? connection.prepare(Self.sql(kind, table.name))
    slots[slot] = nil
    defer {
      statement.reset()
      if slots[slot] == nil { slots[slot] = statement } else { connection.finalize(statement) }
    }
    return try body(statement)
  }

  func removeAll() {
    for statement in slots { if let statement { connection.finalize(statement) } }
    slots = slots.map { _ in nil }
  }

  private static func sql(_ kind: Kind, _ table: String) -> String {
    switch kind {
    case .from: "SELECT k, c, v FROM \(table) WHERE k>=?1 ORDER BY k"
    case .before: "SELECT k, c, v FROM \(table) WHERE k<?1 ORDER BY k DESC"
    case .put:
      "INSERT INTO \(table)(k, c, v) VALUES(?1, ?2, ?3)"
        + " ON CONFLICT(k) DO UPDATE SET c=excluded.c, v=excluded.v"
    case .delete: "DELETE FROM \(table) WHERE k=?1"
    }
  }
}
