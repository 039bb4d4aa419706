import SegmentFormat
import SyncKit

/// Finds out whose a series is, which need not be its sender.
///
/// After a server was wiped or restored, devices send what they have again: the owner of a zone
/// brings what a guest wrote, a guest what the owner wrote. A series introduces the device that
/// writes it, and the account that has this device is its author; see decision 19.
struct LogAuthor {
  /// The bytes of a series searched for its introduction, the oldest first.
  private static let searched = 8 << 20

  let zone: Int64
  let owner: String
  let tables: ServerTables
  let gathered: GatheredBodies

  /// The account of the device that a segment introduces as the writer of its series; nil when it
  /// introduces none, or when not exactly one account with a part in the zone has such a device.
  func introduced(by segment: Segment) throws -> String? {
    guard let device = Self.device(introducedBy: segment) else { return nil }
    return try account(of: device)
  }

  /// Whether what is stored of a series introduces a device of this account, and of no other one that
  /// has a part in the zone.
  func proves(_ series: ReplicaID, isOf account: String) throws -> Bool {
    let rows = try tables.all(
      "SELECT cursor, size FROM segments WHERE zone=? AND series=? ORDER BY first, cursor",
      .int(zone), .blob(series.bytes)
    ) { row in (cursor: try row.int(0), size: Int(try row.int(1))) }
    let coding = DeflateSegmentCoding()
    var bytes = 0
    for row in rows {
      bytes += row.size
      guard bytes <= Self.searched else { return false }
      guard let content = try tables.bytes(row.cursor, gathered),
        let segment = try? coding.read(content),
        let device = Self.device(introducedBy: segment)
      else { continue }
      return try self.account(of: device) == account
    }
    return false
  }

  private func account(of device: String) throws -> String? {
    let accounts = try tables.all(
      """
      SELECT DISTINCT d.account FROM devices d WHERE d.id=?1 AND (d.account=?2 OR d.account IN
        (SELECT p.account FROM shares s JOIN participants p ON p.share=s.id
         WHERE s.zone=?3 AND s.ended=0 AND p.state='accepted' AND p.role='writer'))
      """, .text(device), .text(owner), .int(zone)
    ) { try $0.text(0) }
    return accounts.count == 1 ? accounts[0] : nil
  }

  /// The device that a segment says its series is of.
  private static func device(introducedBy segment: Segment) -> String? {
    let info = segment.info
    let name = RecordID(info.series.description)
    var context = info.base
    guard let changes = try? DeflateSegmentCoding().changes(of: segment) else { return nil }
    for bytes in changes {
      guard
        let change = try? bytes.reading(
          allowingRest: true, { try Change(&$0, series: info.series, after: context) })
      else { return nil }
      context = change.context
      for operation in change.operations
      where operation.collection == DeviceRecord.collection && operation.id == name {
        let write = operation.writes.last { $0.name == DeviceRecord.device }
        if let device = write?.value?.string { return device }
      }
    }
    return nil
  }
}
