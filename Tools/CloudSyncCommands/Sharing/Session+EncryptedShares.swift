import CommandFoundation
import SyncKit
import SyncKitEncryption
import SyncKitHTTP
import SyncKitText
import SyncWire

// Sharing from and to encrypted accounts: the server keeps what is sealed, and the person's devices say who takes part.
extension Session {
  /// What the server is told in the place of titles and names.
  static let concealed = "encrypted"

  /// Whether a server's account is encrypted.
  func isEncrypted(_ server: Server) -> Bool {
    configuration[remote: server.name]?.isEncrypted == true
  }

  /// A share as this person knows it.
  ///
  /// - Throws: ``SyncError`` `crypto.no-keys`.
  func personal(_ share: WireShare, on server: Server) throws -> PersonalShare {
    guard let remote = configuration[remote: server.name], remote.isEncrypted else {
      return PersonalShare(share)
    }
    return PersonalShare(share, known: try keys(for: remote))
  }

  /// Brings what this person shares, and takes part in, up to date on an encrypted server; nothing elsewhere.
  ///
  /// - Throws: ``SyncError`` of the server.
  func updateShares(on configured: Configuration.Remote, for domain: String) async throws {
    guard configured.isEncrypted, configured.location.isServer else { return }
    let keys = try keys(for: configured)
    let isOwner = keys.shares(of: domain)
    let accepted = keys.membership.shares.values.filter { $0.domain == domain }
    guard isOwner || !accepted.isEmpty else { return }
    let server = try server(configured)
    let shares = try await server.client.shares()
    for share in accepted {
      let own = shares.first { $0.id == share.share }?.participants.first { $0.state == .accepted }
      guard let own, let renewal = share.renewal(by: keys, shown: own.shownCard) else { continue }
      _ = try await server.client.accept(
        invitation: renewal.secret, card: Base64.encode(renewal.card))
    }
    if isOwner { try await state(shares, on: configured, for: domain) }
  }

  /// States who takes part in this person's shares of a domain, as the server and the person's devices say.
  private func state(
    _ shares: [WireShare], on configured: Configuration.Remote, for domain: String
  ) async throws {
    let transport = try encrypted(configured, for: domain)
    _ = try await transport.attach(identity(), domain: domain)
    var people: [ZoneID: [ShareParticipant]] = [:]
    let place = EncryptedTransport.pseudonym(domain, try keys(for: configured).vault)
    for share in shares where share.role == .owner && share.domain == place {
      people[share.zone, default: []] += share.participants.map(\.shareParticipant)
    }
    try await transport.state(people, of: domain)
  }

  /// Invites a person to a zone of this person's own; gives the link's code for the keys.
  ///
  /// - Throws: ``SyncError`` `crypto.no-card`, and of the server.
  func invite(
    _ participant: WireParticipant, called name: String, to zone: ZoneID, of domain: String,
    titled title: String, on configured: Configuration.Remote
  ) async throws -> RecoveryCode {
    let code = RecoveryCode(from: environment)
    let sent = SentInvitation(
      participant: participant.id, domain: domain, zone: zone, title: title, name: name,
      mayWrite: participant.role == .writer, code: code)
    try await change(on: configured, for: domain) { [environment] in
      $0.state(sent, from: environment)
    }
    try await updateShares(on: configured, for: domain)
    try await encrypted(configured, for: domain).store(sent)
    return code
  }

  /// Changes what this person's devices know, and tells the others.
  func change(
    on configured: Configuration.Remote, for domain: String,
    _ body: @Sendable (inout DeviceKeys) -> Void
  ) async throws {
    try await exchangeStatements(on: configured, for: domain)
    let lock = try await lock("vault-keys", wait: .seconds(10))
    do {
      defer { lock.release() }
      var ring = try keyring(for: configured)
      body(&ring.keys)
      try ring.save(in: directories.data)
    }
    forgetExchanges()
    try await exchangeStatements(on: configured, for: domain)
  }

  /// Keeps the newest word of who takes part in shared zones.
  func note(_ entries: [SharedZoneName: [UInt8]]) async throws {
    let lock = try await lock("vault-keys", wait: .seconds(10))
    defer { lock.release() }
    guard var ring = try keyring() else { return }
    ring.keys = ring.keys.noting(entries)
    try ring.save(in: directories.data)
    noteEntries(entries)
  }

  /// Removes a participant from a share: the server lets the person nothing any more, and devices give out no new key.
  func remove(_ participant: String, from share: PersonalShare, _ server: Server) async throws {
    try await server.client.remove(participant: participant, from: share.id)
    try await set([participant], mayWrite: nil, in: share, server)
  }

  /// Tells the person's devices what guests of an encrypted share may do from now on: to write or not, or nothing at all.
  func set(
    _ participants: [String], mayWrite: Bool?, in share: PersonalShare, _ server: Server
  ) async throws {
    guard let configured = configuration[remote: server.name], configured.isEncrypted else {
      return
    }
    try await change(on: configured, for: share.domain) { [environment] keys in
      for participant in participants {
        keys.set(participant, mayWrite: mayWrite, from: environment)
      }
    }
    try await updateShares(on: configured, for: share.domain)
  }

  /// Accepts an invitation to an encrypted share.
  ///
  /// - Throws: ``SyncError`` `crypto.no-card`, `share.no-invitation`, `share.id-collision`, and of the server.
  func accept(
    _ link: ServerLink, _ code: RecoveryCode, on configured: Configuration.Remote
  ) async throws -> PersonalShare {
    try await checkCard(on: configured)
    let keys = try keys(for: configured)
    guard let card = keys.shownCard(for: code) else { throw SyncError.noCard }
    let server = try server(configured)
    let share = try await server.client.accept(
      invitation: link.secret, card: Base64.encode(card))
    let place = SharedZoneName(domain: share.domain, zone: share.zone)
    // The invitation goes once the owner's devices have seen that it was accepted.
    if let known = keys.membership.shares[place], known.isAccepted(by: link.secret) {
      return try personal(share, on: server)
    }
    let first = enabledDomains.first ?? DomainRegistry.names[0]
    // Who invites says where the zone lies: no zone of this person's own lies elsewhere.
    let isElsewhere = !DomainRegistry.names.contains {
      EncryptedTransport.pseudonym($0, keys.vault) == place.domain
    }
    let opened =
      try await isElsewhere
      ? encrypted(configured, for: first).open(
        code, at: place, share: share.id, secret: link.secret) : nil
    guard let opened else {
      throw SyncError(
        .shareNoInvitation, "the server has no invitation that this link opens",
        hint: "ask for a new link, or take care to copy it whole")
    }
    guard DomainRegistry.names.contains(opened.domain) else {
      throw SyncError(
        .formatNewer, "the shared record is of a kind that this version does not know",
        hint: "upgrade cloudsync on this device, then accept again")
    }
    let others = keys.membership.shares.values.filter { $0.domain == opened.domain }
    let isShared = others.contains { $0.zone == opened.zone && $0.place != place }
    let isOwn = try store(opened.domain).isTaken(opened.zone, on: configured.name)
    guard !isShared, !isOwn else {
      throw SyncError(
        .shareIDCollision,
        "you have a record with the id of '\(Sanitized.line(opened.title))', so the shared one does not appear here",
        hint:
          "run 'cloudsync share leave \(share.id)', give yours another id, and accept a new link")
    }
    // Not before: a device that does not have the record of one's own yet would take the shared one for it.
    try await change(on: configured, for: first) { [environment] in
      $0.accept(opened, from: environment)
    }
    return try personal(share, on: server)
  }

  /// Refuses to share from an account whose owner has not signed what other people need.
  ///
  /// - Throws: ``SyncError`` `crypto.no-card`.
  func checkCard(on configured: Configuration.Remote) async throws {
    try await exchangeStatements(
      on: configured, for: enabledDomains.first ?? DomainRegistry.names[0])
    guard try keys(for: configured).card != nil else { throw SyncError.noCard }
  }
}

extension SyncError.Code {
  /// A link opens no invitation in the zone to which it leads.
  static let shareNoInvitation = Self("share.no-invitation", exit: 76)
}
