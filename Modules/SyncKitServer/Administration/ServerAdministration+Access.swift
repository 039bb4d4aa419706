import SyncKit
public import SyncWire

/// What can get into a server: what a backup brings back with the data.
extension ServerAdministration {
  /// A device that has a token.
  public struct KnownDevice: Sendable, Equatable {
    /// Whose it is.
    public var account: WireName
    /// The device.
    public var device: WireName
    /// Milliseconds since 1970 when it was last heard of; nil when never.
    public var lastSeen: Int64?
    /// Its token, by its public part.
    public var token: String
  }

  /// A token that is no device's own.
  public struct KnownToken: Sendable, Equatable {
    /// Whose it is.
    public var account: WireName
    /// The token, without its secret.
    public var token: WireToken
  }

  /// A participant of a share.
  public struct KnownGuest: Sendable, Equatable {
    /// Whose share it is.
    public var account: WireName
    /// The share.
    public var share: WireName
    /// The participant, by the id of the part and the name of the account.
    public var participant: WireName
  }

  /// All that gets in.
  public struct Access: Sendable, Equatable {
    /// The accounts that are not locked.
    public var accounts: [WireName] = []
    /// The participants of shares.
    public var guests: [KnownGuest] = []
    /// The devices whose tokens have not ended.
    public var devices: [KnownDevice] = []
    /// The other tokens that have not ended.
    public var tokens: [KnownToken] = []
    /// The codes and invitations that are open.
    public var invitations: [OpenInvitation] = []
  }

  /// Says what gets in now.
  public func access() async throws -> Access {
    try await told {
      try await storage.read { tables in
        let now = storage.environment.now()
        var access = Access()
        for account in try Self.accounts(tables).map(\.account) {
          let seen = Dictionary(
            try tables.all(
              "SELECT id, name, seen FROM devices WHERE account=?", .text(account.id)
            ) { row in
              (try row.text(0), (name: try row.text(1), seen: row.optionalInt(2)))
            }, uniquingKeysWith: { first, _ in first })
          for token in try storage.tokens(of: account.id, tables)
          where token.expires.map({ $0 > now }) ?? true {
            guard let device = token.device else {
              access.tokens.append(KnownToken(account: account, token: token))
              continue
            }
            access.devices.append(
              KnownDevice(
                account: account,
                device: WireName(id: device, name: seen[device]?.name ?? token.name),
                lastSeen: seen[device]?.seen, token: token.id))
          }
        }
        access.invitations = try open(tables)
        access.accounts = try tables.all(
          "SELECT id, name FROM accounts WHERE locked IS NULL ORDER BY created, id"
        ) { WireName(id: try $0.text(0), name: try $0.text(1)) }
        access.guests = try Self.guests(tables)
        return access
      }
    }
  }

  private static func guests(_ tables: ServerTables) throws -> [KnownGuest] {
    try tables.all(
      """
      SELECT a.id, a.name, s.id, s.title, p.id, g.name
      FROM participants p JOIN accounts g ON g.id=p.account JOIN shares s ON s.id=p.share
        JOIN zones z ON z.id=s.zone JOIN feeds f ON f.id=z.feed JOIN accounts a ON a.id=f.account
      WHERE p.state='accepted' AND s.ended=0 AND z.erased=0 ORDER BY a.name, s.title, p.id
      """
    ) { row in
      KnownGuest(
        account: WireName(id: try row.text(0), name: try row.text(1)),
        share: WireName(id: try row.text(2), name: try row.text(3)),
        participant: WireName(id: try row.text(4), name: try row.text(5)))
    }
  }

  /// Ends what a backup brings back: what is open, and on demand every token.
  func shut(tokensToo: Bool, invitations: Bool) async throws {
    try await told {
      try await storage.write { tables in
        try shutPages(tables)
        if invitations {
          for invitation in try open(tables) { try end(invitation, tables) }
        }
        for account in try Self.accounts(tables) {
          try note("server.restore", account.account, tables, detail: "a backup was put back")
        }
        guard tokensToo else { return }
        let tokens = try tables.all("SELECT id FROM tokens") { try $0.text(0) }
        try storage.end(tokens: tokens, tables)
        for account in try Self.accounts(tables) {
          try note("account.sign-out", account.account, tables, detail: "by a restored backup")
        }
      }
    }
  }
}

extension ServerAdministration.Access {
  /// What was taken from a person since and is given back by a backup.
  public struct Undone: Sendable, Equatable {
    /// The accounts that were locked.
    public var locked: [WireName] = []
    /// The accounts that were removed.
    public var removed: [WireName] = []
    /// The parts in shares that were ended, by the owner or by the participants.
    public var guests: [ServerAdministration.KnownGuest] = []
    /// The devices and tokens that were ended, by the public parts of their tokens.
    var tokens: Set<String> = []
  }

  /// What is here and not there any more, if `later` is what came after it.
  ///
  /// - Parameters:
  ///   - later: What got in then.
  ///   - accounts: The accounts that there were then, locked or not.
  /// - Returns: What a restoration would give back.
  func undone(by later: Self, _ accounts: [WireName]) -> Undone {
    var undone = Undone()
    let there = Set(later.devices.map(\.token) + later.tokens.map(\.token.id))
    undone.tokens = Set(devices.map(\.token) + tokens.map(\.token.id)).subtracting(there)
    let (known, open) = (Set(accounts.map(\.id)), Set(later.accounts.map(\.id)))
    undone.removed = self.accounts.filter { !known.contains($0.id) }
    undone.locked = self.accounts.filter { known.contains($0.id) && !open.contains($0.id) }
    let parts = Set(later.guests.map(\.participant.id))
    undone.guests = guests.filter { !parts.contains($0.participant.id) }
    return undone
  }
}
