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
      """
      WITH RECURSIVE line(id) AS (
        SELECT id FROM tokens WHERE account=?1 AND (id=?2 OR device=?3 OR origin=?3)
        UNION SELECT t.id FROM line l JOIN tokens t ON t.maker=l.id WHERE t.account=?1)
      SELECT id FROM line ORDER BY id
      """, .text(account), .optional(token), .optional(device)
    ) { try $0.text(0) }
  }

  /// Whatever ends and stays, for people to read.
  func told(_ storage: SQLiteServerStorage) throws -> Ended {
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
  func end(_ storage: SQLiteServerStorage) throws {
    try tables.run(
      """
      DELETE FROM participants WHERE state='pending' AND \(Self.isMade)
        AND share IN (SELECT s.id FROM shares s JOIN zones z ON z.id=s.zone
          JOIN feeds f ON f.id=z.feed WHERE f.account=?1)
      """, .text(account), .optional(device), .text(list))
    try tables.run(
      "DELETE FROM codes WHERE account=?1 AND \(Self.isMade)", .text(account), .optional(device),
      .text(list))
    try storage.end(tokens: tokens, tables)
  }

  /// Whether a row was made by the device or one of the tokens: account, device, tokens.
  private static let isMade =
    "(origin=?2 OR maker IN (SELECT value FROM json_each(?3)))"

  /// The tokens as SQLite reads a list.
  private var list: String { "[" + tokens.map { "\"\($0)\"" }.joined(separator: ",") + "]" }

  private func count(_ table: String) throws -> Int64 {
    try tables.count(
      "SELECT count(*) FROM \(table) WHERE account=?1 AND \(Self.isMade)", .text(account),
      .optional(device), .text(list))
  }

  private func joined() throws -> [WireName] {
    try tables.all(
      """
      SELECT id, name FROM devices WHERE account=?1 AND \(Self.isMade) AND id IS NOT ?2
      ORDER BY joined, id
      """, .text(account), .optional(device), .text(list)
    ) { WireName(id: try $0.text(0), name: try $0.text(1)) }
  }

  private func participants() throws
    -> [(share: WireName, part: SQLiteServerStorage.ParticipantRow)]
  {
    try tables.all(
      """
      SELECT p.id, p.name, a.name, p.role, p.state, p.account, s.id, s.title
      FROM participants p JOIN shares s ON s.id=p.share JOIN zones z ON z.id=s.zone
        JOIN feeds f ON f.id=z.feed LEFT JOIN accounts a ON a.id=p.account
      WHERE f.account=?1 AND s.ended=0 AND p.state IN ('pending', 'accepted')
        AND (p.origin=?2 OR p.maker IN (SELECT value FROM json_each(?3)))
      ORDER BY s.title, p.created, p.id
      """, .text(account), .optional(device), .text(list)
    ) { row in
      (
        WireName(id: try row.text(6), name: try row.text(7)),
        try SQLiteServerStorage.participant(row)
      )
    }
  }
}

extension SQLiteServerStorage {
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
