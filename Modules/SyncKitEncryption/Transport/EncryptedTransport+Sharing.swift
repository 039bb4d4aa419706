import SyncCrypto
public import SyncKit

extension EncryptedTransport {
  // MARK: The owner

  /// Where a zone of the person's own lies.
  public nonisolated func place(of zone: ZoneID, in domain: String) -> SharedZoneName {
    let names = Pseudonyms(keys.vault).names(of: zone, in: domain)
    return SharedZoneName(domain: names.domain, zone: names.zone)
  }

  /// States who takes part in the person's shared zones of a domain, where that is not what was stated before.
  ///
  /// Who no longer takes part gets no key of what is stored from then on. Do so before a sync.
  ///
  /// - Parameters:
  ///   - shares: What the server says, by the names that it has for the zones.
  ///   - domain: The domain.
  /// - Throws: ``SyncKit/SyncError`` of the transport.
  public func state(_ shares: [ZoneID: [ShareParticipant]], of domain: String) async throws {
    guard let card = keys.card, !keys.isLeftOut else { return }
    try readMemory()
    for (name, zone) in sealing.shares.zones(of: domain) where name.domain == pseudonym(domain) {
      let there = shares[name.zone] ?? []
      let invitations = keys.membership.invitations.values
        .filter { $0.domain == domain && $0.zone == zone.zone }
        .sorted { $0.participant < $1.participant }
      let isHere = invitations.contains { invitation in
        there.contains { $0.id == invitation.participant }
      }
      // It may be shared on another remote.
      guard isHere || !zone.bytes.isEmpty else { continue }
      func participation() -> ZoneParticipation {
        ZoneParticipation(
          keys, by: invitations, there: there, after: sealing.shares.own[name]?.entry)
      }
      guard wanted(participation(), name, card) != zone.entry else { continue }
      // What guests have stored until now counts, whoever takes part from now on.
      let listed = try await base.inventory(of: name.domain).segments
      guard isHere || listed.contains(where: { ShareShelf.holds($0, of: name) }) else { continue }
      sealing.shares.admit(participation().writers, to: name)
      _ = try await inventory(of: domain)
      var entry = wanted(participation(), name, card)
      sealing.shares.admit([], to: name)
      guard entry != sealing.shares.own[name]?.entry else { continue }
      entry.number += 1
      try await store(entry, listed, invitations, name)
    }
  }

  /// What is to be stated of a zone; it has the number and the sealed keys of the entry that holds.
  private func wanted(
    _ participation: ZoneParticipation, _ name: SharedZoneName, _ card: PersonCard
  ) -> ShareEntry {
    guard let own = sealing.shares.own[name] else { return participation.entry(card, []) }
    let objects = (known ?? [:]).values.filter { $0.segment.zone == own.zone }
    var entry = participation.entry(card, objects)
    entry.withdrawal = SHA256.hash(
      Pseudonyms(keys.vault).withdrawal(of: own.zone, in: own.domain).bytes)
    return entry
  }

  private func store(
    _ stated: ShareEntry, _ listed: [SegmentReference], _ invitations: [SentInvitation],
    _ name: SharedZoneName
  ) async throws {
    guard let zone = sealing.shares.own[name],
      let person = keys.persons.first(where: { $0.signing.publicKey == stated.card.signing })
    else { return }
    var entry = stated
    let cipher = sealing.cipher(name, of: zone.domain)
    entry.sealKeys(
      name, of: keys.vault.id, { cipher.keys($0).last }, from: environment)
    let bytes = entry.sealed(by: person, zone.names, from: environment)
    let shelf = ShareShelf(base)
    try await shelf.store(bytes, in: name)
    sealing.shares.learn(bytes, at: name)
    try await keepEntries()
    // What it stands in the place of, and invitations that were accepted or are over.
    let over = Set(entry.ended + entry.parts.map(\.id))
    let codes = invitations.filter { over.contains($0.participant) }.map(\.code)
    let gone = try await shelf.fetch(listed, of: name).filter { found in
      if let other = ShareEntry.open(
        found.bytes, of: keys.vault.id, keys.vault.owner, zone.names)
      {
        return (other.card.epoch, other.number) < (entry.card.epoch, entry.number)
      }
      return codes.contains { ShareInvitation.open(found.bytes, code: $0, at: name) != nil }
    }
    if !gone.isEmpty { try await base.remove(gone.map(\.reference), of: name.domain) }
  }

  /// Stores an invitation that the person's devices know, in the zone to which it invites.
  ///
  /// - Parameter invitation: The invitation, stated and with what ``state(_:of:)`` has made of it.
  /// - Throws: ``SyncKit/SyncError`` `crypto.no-card` for a vault whose owner has signed no card, and of the transport.
  public func store(_ invitation: SentInvitation) async throws {
    let name = place(of: invitation.zone, in: invitation.domain)
    guard let card = keys.card, let zone = sealing.shares.own[name], let entry = zone.entry else {
      throw SyncError.noCard
    }
    let cipher = sealing.cipher(name, of: zone.domain)
    var zoneKeys: [ZoneKeyName: [UInt8]] = [:]
    for key in entry.keys { zoneKeys[key] = cipher.keys(key).last }
    let grant = ShareGrant(
      card: card, domain: invitation.domain, zone: invitation.zone, names: zone.names,
      title: invitation.title, mayWrite: invitation.mayWrite == true, number: entry.number,
      keys: zoneKeys)
    try await ShareShelf(base).store(
      ShareInvitation.seal(grant, code: invitation.code, from: environment), in: name)
  }

  // MARK: The guest

  /// Opens an invitation that lies in the zone to which it invites.
  ///
  /// - Parameters:
  ///   - code: The code in the link.
  ///   - place: Where the server says that the zone lies.
  ///   - share: The server's id of the share.
  ///   - secret: What was shown to the server.
  /// - Returns: The share; nil when no invitation there is opened by the code.
  /// - Throws: ``SyncKit/SyncError`` of the transport.
  public func open(
    _ code: RecoveryCode, at place: SharedZoneName, share: String, secret: String
  ) async throws -> AcceptedShare? {
    let listed = try await base.inventory(of: place.domain).segments
    for found in try await ShareShelf(base).fetch(listed, of: place) {
      if let grant = ShareInvitation.open(found.bytes, code: code, at: place) {
        return AcceptedShare(grant, share: share, secret: secret, code: code)
      }
    }
    return nil
  }
}

extension DeviceKeys {
  /// Notes that this person takes part in another person's zone from now on.
  ///
  /// - Parameters:
  ///   - share: What an invitation has opened.
  ///   - environment: The source of time and randomness.
  public mutating func accept(_ share: AcceptedShare, from environment: SyncEnvironment) {
    state(share, from: environment)
  }
}

extension SyncError {
  /// The owner of the vault has not signed what other people need.
  public static let noCard = SyncError(
    .noCard, "The owner of this vault has not signed the card that other people need.",
    hint: "Run 'cloudsync vault rotate' once, with the recovery code.")
}

extension SyncError.Code {
  /// A vault was made before records could be shared from it.
  public static let noCard = Self("crypto.no-card", exit: 77)
}
