import SyncKitText
import SyncKit
import SyncWire

/// What ends with a device or a token: all that was made with it, and with what was made so.
///
/// Unused tokens, codes and invitations belong to their maker and end with it. A device
/// or a person that came in by one of them has rights of its own and stays, but is named.
struct Descent {
  /// Whose making is looked at.
  enum Root {
    case device(String)
    case token(String)
  }

  private let account: String
  private let tables: ServerTables
  /// The tokens that end, the root's own ones among them.
  private(set) var tokens: [String] = []
  private let device: String?
  private let token: String?

  init(of root: Root, in account: String, _ tables: ServerTables) throws {
    self.account = account
    self.tables = tables
    var (device, token): (String?, String?)
    switch root {
    case .device(let id): device = id
    case .token(let id):
      token = id
      // A device is what its token is: the token of one ends what the device has made.
      device =
        try tables.first(
          "SELECT device FROM tokens WHERE account=? AND id=?", .text(account), .text(id)
        ) { $0.optionalText(0) } ?? nil
    }
    self.device = device
    self.token = token
    tokens = try tables.all(
      "\(Self.line) ORDER BY id", .text(account), .optional(device), .optional(token)
    ) { try $0.text(0) }
  }

  /// Whatever ends and stays, for people to read.
  func told(_ storage: ServerDatabase) throws -> Ended {
    let ending = Set(tokens)
    var ended = Ended()
    ended.tokens = try storage.tokens(of: account, tables).filter {
      ending.contains($0.id) && $0.device == nil && $0.id != token
    }
    ended.codes = Int(clamping: try count("codes"))
    for (share, part) in try participants() {
      let part = Ended.Part(share: share, participant: part.wire)
      if part.participant.state == .pending {
        ended.invitations.append(part)
      } else {
        ended.guests.append(part)
      }
    }
    ended.joined = try joined()
    return ended
  }

  /// Ends all that ends.
  func end(_ storage: ServerDatabase) throws {
    try tables.run(
      """
      DELETE FROM participants WHERE state='pending' AND \(Self.isMade)
        AND share IN (SELECT s.id FROM shares s JOIN zones z ON z.id=s.zone
          JOIN feeds f ON f.id=z.feed WHERE f.account=?1)
      """, .text(account), .optional(device), .optional(token))
    try tables.run(
      "DELETE FROM codes WHERE account=?1 AND \(Self.isMade)", .text(account), .optional(device),
      .optional(token))
    try storage.end(tokens: tokens, tables)
  }

  /// The tokens that end, until they have: account, device, token.
  private static let line = """
    WITH RECURSIVE line(id) AS (
      SELECT id FROM tokens WHERE account=?1 AND (id=?3 OR device=?2 OR origin=?2)
      UNION SELECT t.id FROM line l JOIN tokens t ON t.maker=l.id WHERE t.account=?1)
    SELECT id FROM line
    """

  /// Whether a row was made by the device or one of the tokens: account, device, token.
  private static let isMade = "(origin=?2 OR maker IN (\(line)))"

  private func count(_ table: String) throws -> Int64 {
    try tables.count(
      "SELECT count(*) FROM \(table) WHERE account=?1 AND \(Self.isMade)", .text(account),
      .optional(device), .optional(token))
  }

  private func joined() throws -> [WireName] {
    try tables.all(
      """
      SELECT id, name FROM devices WHERE account=?1 AND \(Self.isMade) AND id<>coalesce(?2, '')
      ORDER BY joined, id
      """, .text(account), .optional(device), .optional(token)
    ) { WireName(id: try $0.text(0), name: try $0.text(1)) }
  }

  private func participants() throws
    -> [(share: WireName, part: ServerDatabase.ParticipantRow)]
  {
    try tables.all(
      """
      SELECT p.id, p.name, a.name, p.role, p.state, p.account, p.card, s.id, s.title
      FROM participants p JOIN shares s ON s.id=p.share JOIN zones z ON z.id=s.zone
        JOIN feeds f ON f.id=z.feed LEFT JOIN accounts a ON a.id=p.account
      WHERE f.account=?1 AND s.ended=0 AND p.state IN ('pending', 'accepted')
        AND (p.origin=?2 OR p.maker IN (\(Self.line)))
      ORDER BY s.title, p.created, p.id
      """, .text(account), .optional(device), .optional(token)
    ) { row in
      (
        WireName(id: try row.text(7), name: try row.text(8)),
        try ServerDatabase.participant(row)
      )
    }
  }
}

extension ServerDatabase {
  /// Ends tokens of a device, or one token, with all that was made with them; says what that was.
  ///
  /// `note` writes down each thing that has ended with it.
  func end(
    _ root: Descent.Root, in account: String, _ tables: ServerTables,
    note: (_ action: String, _ subject: String, _ name: String?) throws -> Void
  ) throws -> Ended {
    let descent = try Descent(of: root, in: account, tables)
    let ended = try descent.told(self)
    try descent.end(self)
    for token in ended.tokens { try note("token.revoke", token.id, token.name) }
    if ended.codes > 0 { try note("code.end", "", "\(Plural(ended.codes, "open code"))") }
    for invitation in ended.invitations {
      let called = "\(invitation.participant.name), '\(invitation.share.name)'"
      try note("share.uninvite", invitation.participant.id, called)
    }
    return ended
  }
}
