import SQLiteFile
import SyncKit

/// How far a file has come, and whether a device's knowledge of it still holds.
///
/// The epoch is drawn when the file is made, and again when something was taken out of it. Every
/// transaction that stores segments leaves a mark, drawn for it alone, beside the number of its last
/// segment. So a file that was put back from a copy and went on differently has other marks under the
/// same numbers, and a device that has read further than the copy goes finds no mark at all.
struct FeedEpoch {
  /// Draws a text, in SQL.
  static let draw = "lower(hex(randomblob(16)))"

  /// Where the file ends now.
  let position: FeedPosition
  private let epoch: String
  private let connection: Connection

  init(_ connection: Connection) throws {
    self.connection = connection
    let epoch = try connection.with("SELECT epoch FROM life LIMIT 1") { statement in
      try connection.row(statement.step()) ? statement.text(0) : nil
    }
    guard let epoch, (1...64).contains(epoch.utf8.count), !epoch.utf8.contains(0) else {
      throw connection.damage("it has no epoch")
    }
    self.epoch = epoch
    let last = "SELECT cursor, mark FROM moment ORDER BY cursor DESC LIMIT 1"
    position = try connection.with(last) { statement in
      guard try connection.row(statement.step()) else {
        return FeedPosition(epoch: "\(epoch).", cursor: 0)
      }
      guard let cursor = statement.signed(0), cursor > 0, let mark = Self.mark(statement, 1) else {
        throw connection.damage("its last transaction has no mark")
      }
      return FeedPosition(epoch: "\(epoch).\(mark)", cursor: UInt64(cursor))
    }
  }

  /// Whether the file holds all that it held at a position, and what has come since, and no more.
  func isContinued(from known: FeedPosition) throws -> Bool {
    guard known.cursor > 0 else { return known.epoch == "\(epoch)." }
    guard let cursor = Int64(exactly: known.cursor) else { return false }
    return try connection.with("SELECT mark FROM moment WHERE cursor = ?1") { statement in
      try connection.check(statement.bind(1, signed: cursor))
      guard try connection.row(statement.step()), let mark = Self.mark(statement, 0) else {
        return false
      }
      return known.epoch == "\(epoch).\(mark)"
    }
  }

  /// Leaves a mark behind the last segment that the transaction has stored.
  func advance(to cursor: UInt64) throws {
    guard cursor > position.cursor else { return }
    let insert = "INSERT INTO moment VALUES(?1, \(Self.draw))"
    try connection.with(insert) { statement in
      try connection.check(statement.bind(1, cursor))
      try connection.execute(statement)
    }
  }

  /// The fewest transactions remembered; a device that has read no further than an older one is told
  /// everything.
  static let remembered = 1_000

  /// Forgets transactions of long ago.
  static func forget(_ connection: Connection) throws {
    try connection.run(
      """
      DELETE FROM moment WHERE cursor <=
        (SELECT cursor FROM moment ORDER BY cursor DESC LIMIT 1 OFFSET \(remembered))
      """)
  }

  /// Begins another life: no position holds any more.
  static func begin(_ connection: Connection) throws {
    try connection.run("UPDATE life SET epoch = \(draw)")
  }

  private static func mark(_ statement: Statement, _ column: Int32) -> String? {
    guard let mark = statement.text(column), (1...64).contains(mark.utf8.count) else { return nil }
    return mark
  }
}
