import SyncKit

/// What devices and people tell each other in envelopes, without these: for programs that look for bytes on which a reader
/// fails.
package enum EnvelopeContent: String, CaseIterable, Sendable {
  case personCard = "person-card"
  case shownCard = "shown-card"
  case shareEntry = "share-entry"
  case shareGrant = "share-grant"
  case sentInvitation = "sent-invitation"
  case acceptedShare = "accepted-share"
  case frontier

  /// Reads bytes and writes what was read.
  ///
  /// - Throws: ``SyncKit/SyncError`` `format.damaged` for anything else.
  package func rewritten(_ bytes: [UInt8]) throws -> [UInt8] {
    var writer = ByteWriter()
    switch self {
    case .personCard: try bytes.reading { try PersonCard(&$0) }.write(to: &writer)
    case .shownCard: writer.write(raw: ShownCard(bytes)?.bytes ?? [])
    case .shareEntry: try bytes.reading { try ShareEntry(&$0) }.write(to: &writer)
    case .shareGrant: try bytes.reading { try ShareGrant(&$0) }.write(to: &writer)
    case .sentInvitation: try bytes.reading { try SentInvitation(&$0) }.write(to: &writer)
    case .acceptedShare: try bytes.reading { try AcceptedShare(&$0) }.write(to: &writer)
    case .frontier: try bytes.reading { try Frontier(&$0) }.write(to: &writer)
    }
    return writer.bytes
  }

  /// One that a device of a vault has made.
  package func sample(
    of keys: VaultKeys, by owner: VaultOwner, from environment: SyncEnvironment
  ) -> [UInt8] {
    let card = PersonCard(of: keys, in: keys.current, by: owner)
    let code = RecoveryCode(from: environment)
    let names = Pseudonyms(keys).names(of: "trip", in: "bikes")
    let place = SharedZoneName(domain: names.domain, zone: names.zone)
    let key = ZoneKeyName(epoch: 1, share: 0)
    let secret = keys.zone(place.zone, of: place.domain, in: keys.current, share: 0)
    let grant = ShareGrant(
      card: card, domain: "bikes", zone: "trip", names: names, title: "Trip", mayWrite: true,
      number: 1, keys: [key: secret])
    var writer = ByteWriter()
    switch self {
    case .personCard: card.write(to: &writer)
    case .shownCard: writer.write(raw: ShownCard(card, by: code).bytes)
    case .shareEntry:
      var entry = ShareEntry(
        card: card, number: 1, keys: [key], devices: [card.owner],
        parts: [ShareEntry.Part(id: "p1", card: card, mayWrite: true)], ended: ["p2"],
        former: [card.owner], kept: [ContentHash(high: 1, low: 2), ContentHash(high: 1, low: 3)],
        withdrawal: [UInt8](repeating: 7, count: 32))
      entry.sealKeys(place, of: keys.id, { _ in secret }, from: environment)
      entry.write(to: &writer)
    case .shareGrant: grant.write(to: &writer)
    case .sentInvitation:
      SentInvitation(
        participant: "p1", domain: "bikes", zone: "trip", title: "Trip", name: "Ben",
        mayWrite: true, code: code
      ).write(to: &writer)
    case .acceptedShare:
      AcceptedShare(grant, share: "s1", secret: "secret", code: code).write(to: &writer)
    case .frontier:
      var frontier = Frontier()
      frontier.epochs = [SealedStatement(card.bytes)]
      let head = Head(seq: 3, hash: ContentHash(high: 1, low: 2))
      frontier.stored = [
        "bikes": [
          "trip": VersionVector([ReplicaID(high: 1, low: 2): head]), "home": VersionVector(),
        ]
      ]
      frontier.write(to: &writer)
    }
    return writer.bytes
  }
}
