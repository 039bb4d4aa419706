import CommandFoundation
import SyncKit
import SyncKitFormats

/// What was done with a domain when its remote was encrypted where it is, or moved to plain.
struct VaultMove {
  let domain: String
  /// How many segments or objects have gone of the kind that the remote is to hold no more, and their bytes.
  var removed = 0
  var bytes = 0
  /// How many segments of that kind stay.
  var left = 0

  /// What a move has removed, or would remove, from what is listed.
  init(_ domain: String, removing listed: Inventory) {
    self.domain = domain
    removed = listed.segments.count
    bytes = listed.segments.reduce(0) { $0 + ($1.size ?? 0) }
  }

  init(_ domain: String, removed: Int, bytes: Int, left: Int) {
    self.domain = domain
    (self.removed, self.bytes, self.left) = (removed, bytes, left)
  }

  /// The domains as a report has them.
  static func json(_ moves: [VaultMove]) -> JSON {
    .array(
      moves.map { move in
        [
          "domain": .string(move.domain), "removed": .int(Int64(move.removed)),
          "bytes": .int(Int64(move.bytes)), "left": .int(Int64(move.left)),
        ]
      })
  }

  static func table(_ moves: [VaultMove]) -> ReportTable {
    ReportTable(
      [
        ReportTable.Column("domain"), ReportTable.Column("removed", numeric: true),
        ReportTable.Column("bytes", numeric: true), ReportTable.Column("left", numeric: true),
      ],
      rows: moves.map { move in
        [
          ReportTable.Cell(move.domain), ReportTable.Cell(move.removed),
          ReportTable.Cell(move.bytes), ReportTable.Cell(move.left),
        ]
      })
  }

  /// How much was removed, in words, such as "3 segments in plain (120 bytes)".
  static func amount(_ moves: [VaultMove], of noun: String, _ ending: String = "") -> String {
    let removed = moves.reduce(0) { $0 + $1.removed }
    let bytes = moves.reduce(0) { $0 + $1.bytes }
    return "\(Plural(removed, noun))\(ending) (\(bytes) bytes)"
  }
}
