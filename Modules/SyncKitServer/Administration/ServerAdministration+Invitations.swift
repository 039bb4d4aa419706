import SyncKit
public import SyncWire

/// An unused code or invitation.
extension ServerAdministration {
  /// A code or an invitation that is open.
  public struct OpenInvitation: Sendable, Equatable {
    /// What it leads to.
    public enum Kind: String, Sendable {
      /// The first device of an account.
      case account
      /// One more device of an account.
      case pairing
      /// A part in a share.
      case share
    }

    /// By which it is named.
    public var id: String
    /// What it leads to.
    public var kind: Kind
    /// The account that it leads into, or that shares something.
    public var account: WireName
    /// Whom a share's invitation is for, and to what; nil for codes.
    public var guest: (name: String, title: String)?
    /// The device that made it, by its name; nil for the host.
    public var by: String?
    /// Milliseconds since 1970 when it was made.
    public var created: Int64
    /// Milliseconds since 1970 when it ends.
    public var expires: Int64

    public static func == (left: Self, right: Self) -> Bool {
      left.id == right.id && left.kind == right.kind && left.account == right.account
    }
  }

  /// All that are open, the oldest first.
  public func invitations() async throws -> [OpenInvitation] {
    try await told { try await storage.read { try open($0) } }
  }

  func open(_ tables: ServerTables) throws -> [OpenInvitation] {
    let now = storage.environment.now()
    let codes = try tables.all(
      """
      SELECT c.id, c.kind, a.id, a.name, d.name, c.created, c.expires
      FROM codes c JOIN accounts a ON a.id=c.account
        LEFT JOIN devices d ON d.account=c.account AND d.id=c.origin
      WHERE c.expires>?
      """, .int(now)
    ) { row in
      OpenInvitation(
        id: try row.text(0), kind: OpenInvitation.Kind(rawValue: try row.text(1)) ?? .account,
        account: WireName(id: try row.text(2), name: try row.text(3)), guest: nil,
        by: row.optionalText(4), created: try row.int(5), expires: try row.int(6))
    }
    let shares = try tables.all(
      """
      SELECT p.id, a.id, a.name, d.name, p.created, p.expires, p.name, s.title
      FROM participants p JOIN shares s ON s.id=p.share JOIN zones z ON z.id=s.zone
        JOIN feeds f ON f.id=z.feed JOIN accounts a ON a.id=f.account
        LEFT JOIN devices d ON d.account=a.id AND d.id=p.origin
      WHERE p.state='pending' AND p.expires>?
      """, .int(now)
    ) { row in
      OpenInvitation(
        id: try row.text(0), kind: .share,
        account: WireName(id: try row.text(1), name: try row.text(2)),
        guest: (try row.text(6), try row.text(7)), by: row.optionalText(3),
        created: try row.int(4), expires: try row.int(5))
    }
    return (codes + shares).sorted { ($0.created, $0.id) < ($1.created, $1.id) }
  }

  /// Ends one that is open.
  ///
  /// - Returns: What it was.
  /// - Throws: ``SyncError`` `record.not-found`.
  public func end(invitation id: String) async throws -> OpenInvitation {
    try await told {
      try await storage.write { tables in
        guard let found = try open(tables).first(where: { $0.id == id }) else {
          throw SyncError(.notFound, "There is no open invitation '\(id)'.")
        }
        try end(found, tables)
        try note("invitation.end", found.account, tables, detail: found.kind.rawValue)
        return found
      }
    }
  }

  func end(_ invitation: OpenInvitation, _ tables: ServerTables) throws {
    let sql =
      invitation.kind == .share
      ? "DELETE FROM participants WHERE id=? AND state='pending'" : "DELETE FROM codes WHERE id=?"
    try tables.run(sql, .text(invitation.id))
  }
}
