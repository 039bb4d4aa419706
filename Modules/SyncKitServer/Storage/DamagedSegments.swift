import NIOPosix
import SegmentFormat
import SyncKit
import SyncWire

/// Segments that no device can read: the bytes are not those that came, do not unpack, or their changes do
/// not lead to the hash that the head bears.
///
/// Storing looks at the head and the checksum alone, so a client can store what no device will take.
extension ServerDatabase {
  /// Whether a segment can be read to its last change.
  static func isReadable(_ bytes: [UInt8]?) -> Bool {
    let coding = DeflateSegmentCoding()
    guard let bytes, let segment = try? coding.read(bytes) else { return false }
    return SegmentChain(segment, coding) != nil
  }

  public func removeDamaged(
    _ cursors: [UInt64], of domain: String, _ caller: Caller
  ) async throws -> [UInt64] {
    guard SegmentLayout.isFolderName(domain) else { throw Refusal.notFound }
    var gone: [UInt64] = []
    for cursor in cursors.prefix(WireProtocol.clearedCount) {
      let body = try await read { tables -> StoredBody?? in
        let identity = try self.identify(caller, tables)
        guard try self.mayClear(cursor, of: domain, identity, tables) else { return nil }
        return .some(try tables.body(Int64(clamping: cursor)))
      }
      guard case .some(let body) = body, try await !Self.isReadable(bytes(of: body)) else {
        continue
      }
      // What lies under a cursor never changes, so what was seen still holds.
      let isGone = try await write { tables in
        let identity = try self.identify(caller, tables)
        guard try self.mayClear(cursor, of: domain, identity, tables) else { return false }
        try self.clear(cursor, tables)
        try self.audit("segment.clear", "\(domain)/\(cursor)", by: identity, caller, tables)
        return true
      }
      if isGone { gone.append(cursor) }
    }
    if !gone.isEmpty { compactLogs() }
    return gone
  }

  /// Whether a segment is in a zone of the account's own.
  private func mayClear(
    _ cursor: UInt64, of domain: String, _ identity: Identity, _ tables: ServerTables
  ) throws -> Bool {
    try tables.exists(
      """
      SELECT 1 FROM segments s JOIN feeds f ON f.id=s.feed
      WHERE s.cursor=? AND f.account=? AND f.domain=?
      """, .int(Int64(clamping: cursor)), .text(identity.account), .text(domain))
  }

  /// Removes a segment, which then counts for no account.
  func clear(_ cursor: UInt64, _ tables: ServerTables) throws {
    let cursor = SQLValue.int(Int64(clamping: cursor))
    try tables.run(
      """
      UPDATE accounts SET
        bytes=bytes - (SELECT size FROM segments WHERE cursor=?1),
        records=records - (SELECT records FROM segments WHERE cursor=?1)
      WHERE id=(SELECT f.account FROM segments s JOIN feeds f ON f.id=s.feed WHERE s.cursor=?1)
      """, cursor)
    try tables.run("DELETE FROM segments WHERE cursor=?", cursor)
  }
}
