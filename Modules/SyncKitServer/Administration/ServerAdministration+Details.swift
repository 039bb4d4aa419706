import SyncKit
public import SyncWire

/// What the host sees of one account.
extension ServerAdministration {
  /// What an account has of a domain, as far as a server knows.
  public struct Holding: Sendable, Equatable {
    /// The name of the domain; nil when the vault is encrypted, where it means nothing to anyone but the devices.
    public var domain: String?
    /// How many segments there are.
    public var segments: Int64
    /// What they take, in bytes.
    public var bytes: Int64
  }

  /// An account with what belongs to it.
  public struct Details: Sendable {
    /// How it stands.
    public var account: Account
    /// Its devices, by the time they joined.
    public var devices: [WireDevice]
    /// Its tokens, by the time they were made; those of its devices among them.
    public var tokens: [WireToken]
    /// What it has, by domain.
    public var holdings: [Holding]
    /// Whether what it stores is encrypted by its devices.
    public var isEncrypted: Bool
    /// How many shares it owns.
    public var shares: Int64
    /// How many accounts take part in these.
    public var guests: Int64
    /// The codes and invitations of it that are open.
    public var invitations: [OpenInvitation]
  }

  /// Says what there is of an account.
  ///
  /// - Throws: ``SyncError`` `record.not-found`.
  public func details(of account: String) async throws -> Details {
    try await told {
      try await storage.read { tables in
        let found = try Self.standing(of: account, tables)
        let roots = try storage.roots(of: account, tables)
        let isEncrypted = roots.contains(where: RemoteIdentity.isOfEncryptedVault)
        return Details(
          account: found, devices: try storage.devices(of: account, tables),
          tokens: try storage.tokens(of: account, tables),
          holdings: try Self.holdings(of: account, isEncrypted: isEncrypted, tables),
          isEncrypted: isEncrypted,
          shares: try tables.count(
            "SELECT count(*) \(Self.shares) WHERE f.account=? AND s.ended=0", .text(account)),
          guests: try tables.count(
            """
            SELECT count(DISTINCT p.account) \(Self.shares) JOIN participants p ON p.share=s.id
            WHERE f.account=? AND s.ended=0 AND p.state='accepted'
            """, .text(account)),
          invitations: try open(tables).filter { $0.account.id == account })
      }
    }
  }

  private static let shares =
    "FROM shares s JOIN zones z ON z.id=s.zone JOIN feeds f ON f.id=z.feed"

  private static func holdings(
    of account: String, isEncrypted: Bool, _ tables: ServerTables
  ) throws -> [Holding] {
    try tables.all(
      """
      SELECT f.domain, count(s.cursor), CAST(coalesce(sum(s.size), 0) AS bigint)
      FROM feeds f LEFT JOIN segments s ON s.feed=f.id WHERE f.account=?
      GROUP BY f.id ORDER BY f.domain
      """, .text(account)
    ) { row in
      let name = try row.text(0)
      return Holding(
        domain: isEncrypted && Self.isPseudonym(name) ? nil : name, segments: try row.int(1),
        bytes: try row.int(2))
    }
  }

  /// Whether a domain is named as in an encrypted vault: 128 bits in base32.
  private static func isPseudonym(_ name: String) -> Bool {
    name.utf8.count == 26 && Base32.decode(name)?.count == 16
  }

  /// The newest lines of an account's own audit log before a place, the newest first, each with its place.
  func auditLog(
    of account: String, limit: Int, before: Int64? = nil
  ) async throws -> [(id: Int64, entry: AuditEntry)] {
    try await told {
      try await storage.read { tables in
        try Self.require(account, tables)
        return try storage.audit(of: account, limit: limit, before: before, tables)
      }
    }
  }
}
