import SyncKit

/// The rows of one of a server's tables, in order of its key, over whichever engine.
struct ServerTableRows {
  /// A table, and the columns by which its rows are in order, each row apart from all others.
  struct Table: Sendable {
    let name: String
    let key: [String]
    /// How many rows are in memory at once.
    var batch = 500
    /// Whether the engine numbers new rows by itself.
    var isNumbered = false
  }

  /// All that is moved with a server's data; a table that others refer to comes before them.
  static let moved = [
    Table(name: "counters", key: ["name"]), Table(name: "epochs", key: ["id"], isNumbered: true),
    Table(name: "accounts", key: ["id"]), Table(name: "devices", key: ["account", "id"]),
    Table(name: "tokens", key: ["id"]), Table(name: "codes", key: ["digest"]),
    Table(name: "roots", key: ["account", "id"]),
    Table(name: "audit", key: ["id"], isNumbered: true),
    Table(name: "feeds", key: ["id"], isNumbered: true),
    Table(name: "zones", key: ["id"], isNumbered: true),
    Table(name: "confirmations", key: ["zone", "replica"]),
    Table(name: "series", key: ["zone", "series"]), Table(name: "segments", key: ["cursor"]),
    Table(name: "contents", key: ["cursor"], batch: 1),
    Table(name: "objects", key: ["name"]), Table(name: "buckets", key: ["location"]),
    Table(name: "shares", key: ["id"]),
    Table(name: "participants", key: ["id"]), Table(name: "hosting", key: ["id"], isNumbered: true),
  ]

  /// What stays behind: it is of one place, or of one browser that is signed in there.
  static let left: Set = ["admin_links", "admin_sessions", "moves", "schema_version"]

  let table: Table
  /// The columns that all engines have, by name.
  let columns: [String]

  /// Hands out all rows, with the values of ``columns``.
  func each(_ tables: ServerTables, _ next: ([SQLValue]) throws -> Void) throws {
    let names = columns.joined(separator: ", ")
    let key = table.key.joined(separator: ", ")
    let places = table.key.map { columns.firstIndex(of: $0) }
    var last: [SQLValue] = []
    while true {
      let begin =
        last.isEmpty
        ? "" : "WHERE (\(key)) > (\(last.map { _ in "?" }.joined(separator: ", ")))"
      var batch: [[SQLValue]] = []
      try tables.connection.rows(
        "SELECT \(names) FROM \(table.name) \(begin) ORDER BY \(key) LIMIT \(table.batch)", last,
        large: nil
      ) { row in
        batch.append(columns.indices.map { row.value(Int32($0)) })
        return true
      }
      for values in batch { try next(values) }
      guard batch.count == table.batch, let values = batch.last else { return }
      last = places.map { place in place.map { values[$0] } ?? .null }
    }
  }

  /// Adds a row.
  func insert(_ values: [SQLValue], _ tables: ServerTables, extra: [String: SQLValue]) throws {
    let others = extra.sorted { $0.key < $1.key }
    let names = (others.map(\.key) + columns).joined(separator: ", ")
    var all = others.map(\.value) + values
    let places = all.map { _ in "?" }.joined(separator: ", ")
    var large: [UInt8]?
    // Bytes that stand last need not be copied.
    if case .blob(let bytes) = all.last {
      large = bytes
      all.removeLast()
    }
    try tables.connection.rows(
      "INSERT INTO \(table.name)(\(names)) VALUES(\(places))", all, large: large
    ) { _ in true }
  }
}

extension SQLRow {
  /// Whatever a column has.
  func value(_ column: Int32) -> SQLValue {
    if let number = cells.integer(column) { return .int(number) }
    if let text = cells.text(column) { return .text(text) }
    if let bytes = cells.blob(column) { return .blob(Array(bytes)) }
    return .null
  }
}

extension SQLValue {
  /// The value as bytes, other ones for each other value.
  var canonical: [UInt8] {
    switch self {
    case .null: [0]
    case .int(let number): [1] + withUnsafeBytes(of: number.bigEndian) { Array($0) }
    case .text(let text): [2] + Self.framed(Array(text.utf8))
    case .blob(let bytes): [3] + Self.framed(bytes)
    }
  }

  private static func framed(_ bytes: [UInt8]) -> [UInt8] {
    withUnsafeBytes(of: UInt64(bytes.count).bigEndian) { Array($0) } + bytes
  }
}
