import SyncKitText
public import SyncKit
public import SyncWire

extension SyncServerClient {
  /// The shares of the account: its own, and those in which it takes part.
  public func shares() async throws -> [WireShare] { try await list(.get("/shares"), "shares") }

  /// Shares a zone of the account, or gives the share that there is.
  ///
  /// - Throws: ``SyncError`` `record.not-found` when the server has no such zone.
  public func share(_ zone: ZoneID, of domain: String, title: String) async throws -> WireShare {
    let request = ShareRequest(domain: domain, zone: zone, title: title)
    return try await connection.message(.send("POST", "/shares", request.json))
  }

  /// Invites a person to a share; the secret is in the answer and nowhere else.
  ///
  /// - Throws: ``SyncError`` `share.full`, `record.not-found`.
  public func invite(
    _ name: String, to share: String, as role: ZoneAccess.Role
  ) async throws -> Invitation {
    let request = InvitationRequest(role: role, name: name)
    return try await connection.message(
      .send(
        "POST", "/shares/\(ServerRequest.escaped(share))/invitations", request.json,
        isRepeatable: false))
  }

  /// Accepts an invitation; again with another card replaces the card.
  ///
  /// - Parameters:
  ///   - secret: The secret of the invitation.
  ///   - card: What the guest shows of its keys, for an encrypted share.
  /// - Returns: The share.
  /// - Throws: ``SyncError`` `remote.code-spent` when it is wrong, used or over, `input.invalid` when it
  ///   is one's own or when one has a record of that id already.
  public func accept(invitation secret: String, card: String? = nil) async throws -> WireShare {
    let request = Acceptance(secret: secret, card: card)
    return try await connection.message(.send("POST", "/invitations/accept", request.json))
  }

  /// Makes a participant a reader or a writer.
  ///
  /// - Throws: ``SyncError`` `record.not-found`.
  public func setRole(
    _ role: ZoneAccess.Role, of participant: String, in share: String
  ) async throws -> WireParticipant {
    try await connection.message(
      .send("PATCH", Self.path(share, participant), ["role": .string(role.rawValue)]))
  }

  /// Removes a participant, or leaves.
  ///
  /// - Throws: ``SyncError`` `record.not-found`.
  public func remove(participant: String, from share: String) async throws {
    try await connection.order(.order("DELETE", Self.path(share, participant)))
  }

  /// Stops sharing: all participants are removed, and the zone stays.
  ///
  /// - Throws: ``SyncError`` `record.not-found`.
  public func stopSharing(_ share: String) async throws {
    try await connection.order(.order("DELETE", "/shares/\(ServerRequest.escaped(share))"))
  }

  private static func path(_ share: String, _ participant: String) -> String {
    "/shares/\(ServerRequest.escaped(share))/participants/\(ServerRequest.escaped(participant))"
  }
}
