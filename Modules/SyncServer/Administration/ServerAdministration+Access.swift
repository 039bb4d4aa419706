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

  /// All that gets in.
  public struct Access: Sendable, Equatable {
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
        return access
      }
    }
  }

  /// Ends what a backup brings back: what is open, and on demand every token.
  func shut(tokensToo: Bool, invitations: Bool) async throws {
    try await told {
      try await storage.write { tables in
        if invitations {
          for invitation in try open(tables) { try end(invitation, tables) }
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
  /// What is here and not there: it was ended since, if `other` is what came later.
  func missing(in other: Self) -> Set<String> {
    let there = Set(other.devices.map(\.token) + other.tokens.map(\.token.id))
    return Set(devices.map(\.token) + tokens.map(\.token.id)).subtracting(there)
  }
}
