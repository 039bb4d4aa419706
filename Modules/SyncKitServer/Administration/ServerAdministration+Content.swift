import SegmentFormat
public import SyncKit

/// What an account has, for a copy of it.
extension ServerAdministration {
  /// The time and chance.
  public var environment: SyncEnvironment { storage.environment }

  /// What there is of an account, by name.
  public struct Content: Sendable {
    /// A zone.
    public struct Zone: Sendable {
      /// Its id.
      public var id: ZoneID
      /// The replicas that removed it; nil when it was not withdrawn.
      public var erased: Confirmations?
      /// Its segments, in the order in which they came.
      public var cursors: [UInt64] = []
    }

    /// A domain.
    public struct Domain: Sendable {
      /// Its name.
      public var name: String
      /// The account's own zones in it.
      public var zones: [Zone]
    }

    /// The vaults that the account is.
    public var roots: Set<String>
    /// The domains, by name.
    public var domains: [Domain]
  }

  /// Says what an account has of its own.
  public func content(of account: String) async throws -> Content {
    try await told {
      try await storage.read { tables in
        try Self.require(account, tables)
        let feeds = try tables.all(
          "SELECT id, domain FROM feeds WHERE account=? ORDER BY domain", .text(account)
        ) { (id: try $0.int(0), domain: try $0.text(1)) }
        return Content(
          roots: Set(try storage.roots(of: account, tables)),
          domains: try feeds.map { feed in
            Content.Domain(name: feed.domain, zones: try zones(in: feed.id, tables))
          })
      }
    }
  }

  private func zones(in feed: Int64, _ tables: ServerTables) throws -> [Content.Zone] {
    let zones = try tables.all(
      "SELECT id, zone, erased FROM zones WHERE feed=? ORDER BY zone", .int(feed)
    ) { (row: try $0.int(0), id: ZoneID(try $0.text(1)), isErased: try $0.int(2) == 1) }
    return try zones.map { zone in
      Content.Zone(
        id: zone.id,
        erased: zone.isErased ? try storage.confirmations(of: zone.row, tables) : nil,
        cursors: try tables.all(
          "SELECT cursor FROM segments WHERE zone=? ORDER BY cursor", .int(zone.row)
        ) { try $0.natural(0) })
    }
  }

  /// Reads a segment; nil when it cannot be read.
  public func segment(_ cursor: UInt64) async throws -> Segment? {
    try await told {
      let body = try await storage.read { try $0.body(Int64(clamping: cursor)) }
      return try await storage.bytes(of: body).flatMap { try? DeflateSegmentCoding().read($0) }
    }
  }
}
