import SQLiteFile
import SyncKit
import SyncWire

/// A move of a server's data from one place to another, as both places note it.
///
/// The place that is left is closed from before the first row is read. So there is never a moment at which devices
/// could go on in both, however the move ends.
struct ServerMove: Equatable {
  /// What this place is to the move.
  enum Role: String {
    case source
    case target
  }

  /// The same in both places.
  let id: String
  /// The other place, in words.
  let place: String
  /// Milliseconds since 1970.
  let begun: Int64
  /// Milliseconds since 1970; nil while it is under way.
  let finished: Int64?

  /// Asks for the last move in which a place had a role.
  static let question = """
    SELECT id, place, begun, finished FROM moves WHERE role=? ORDER BY begun DESC, id LIMIT 1
    """

  init(id: String, place: String, begun: Int64, finished: Int64? = nil) {
    (self.id, self.place, self.begun, self.finished) = (id, place, begun, finished)
  }

  /// Reads an answer to ``question``.
  init(_ row: SQLRow) throws {
    self.init(
      id: try row.text(0), place: try row.text(1), begun: try row.int(2),
      finished: row.optionalInt(3))
  }

  /// The last move in which a place had a role; nil when there was none.
  static func last(_ role: Role, _ tables: ServerTables) throws -> ServerMove? {
    try tables.first(question, .text(role.rawValue)) { try ServerMove($0) }
  }

  /// Says that the data have gone elsewhere, or are on the way.
  var refusal: SyncError {
    finished == nil
      ? SyncError(
        .serverMoved, "The server's data are being moved to \(place).",
        hint: "If the move was cut off, run 'server migrate' again, or 'server migrate --cancel'.")
      : SyncError(
        .serverMoved, "The server's data were moved to \(place).",
        hint: "Serve that one; 'server migrate --cancel' opens this one again as it was then.")
  }

  /// Says that data are on the way to a place.
  static func arriving(in place: String) -> SyncError {
    SyncError(
      .serverMoved, "A server's data are being moved to \(place).",
      hint: "Wait for the end of 'server migrate'.")
  }

  /// Says of a folder that a process has whether that one moves data; nil when it does not.
  static func underWay(in folder: String) -> SyncError? {
    let file = "\(folder)/\(ServerFile.name)"
    guard POSIX.isTaken(file) else {
      return POSIX.isTaken(MoveEnd.draft(in: folder)) ? arriving(in: "the folder \(folder)") : nil
    }
    guard let tables = try? ServerFile.open(file, for: .reading) else { return nil }
    defer { tables.close() }
    return try? last(.source, tables)?.refusal
  }

  /// Notes it.
  func note(_ role: Role, _ tables: ServerTables) throws {
    try tables.run(
      "INSERT INTO moves(id, role, place, begun, finished) VALUES(?, ?, ?, ?, ?)", .text(id),
      .text(role.rawValue), .text(place), .int(begun), .optional(finished))
  }

  /// Notes that it has ended well.
  func finish(at now: Int64, _ tables: ServerTables) throws {
    try tables.run("UPDATE moves SET finished=? WHERE id=?", .int(now), .text(id))
  }

  /// Forgets it.
  func forget(_ tables: ServerTables) throws {
    try tables.run("DELETE FROM moves WHERE id=?", .text(id))
  }
}
