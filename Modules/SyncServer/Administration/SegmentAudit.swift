import SegmentFormat
import SyncKit

/// Reads every segment of a server and compares it with what the tables say of it.
enum SegmentAudit {
  static func run(
    _ tables: ServerTables, _ findings: inout ServerAdministration.Findings
  ) throws {
    let coding = DeflateSegmentCoding()
    let cursors = try tables.all("SELECT cursor FROM segments ORDER BY cursor") { try $0.int(0) }
    for cursor in cursors {
      let problem = try tables.first(
        """
        SELECT s.series, s.first, s.last, s.head, s.size, z.zone, f.domain, c.bytes
        FROM segments s JOIN zones z ON z.id=s.zone JOIN feeds f ON f.id=s.feed
          LEFT JOIN contents c ON c.cursor=s.cursor
        WHERE s.cursor=?
        """, .int(cursor)
      ) { row -> String in
        guard let bytes = try? row.blob(7) else { return "has no content" }
        findings.segments += 1
        findings.bytes += Int64(bytes.count)
        guard let info = try? coding.read(bytes).info else { return "is damaged" }
        let isSame =
          try info.series == row.replica(0) && info.first == row.natural(1)
          && info.last == row.natural(2) && info.head == row.hash(3)
          && Int64(bytes.count) == row.int(4) && info.zone.text == row.text(5)
          && info.domain == row.text(6)
        return isSame ? "" : "is another one than the tables say"
      }
      guard problem != "" else { continue }
      findings.problems.append("Segment \(cursor) \(problem ?? "is gone").")
    }
    try sums(tables, &findings)
  }

  private static func sums(
    _ tables: ServerTables, _ findings: inout ServerAdministration.Findings
  ) throws {
    let wrong = try tables.all(
      """
      SELECT a.id FROM accounts a WHERE
        a.bytes IS NOT (SELECT coalesce(sum(s.size), 0) FROM feeds f
          JOIN segments s ON s.feed=f.id WHERE f.account=a.id)
        OR a.records IS NOT (SELECT coalesce(sum(s.records), 0) FROM feeds f
          JOIN segments s ON s.feed=f.id WHERE f.account=a.id)
      """
    ) { try $0.text(0) }
    findings.problems += wrong.map { "The usage of the account '\($0)' is counted wrongly." }
  }
}
