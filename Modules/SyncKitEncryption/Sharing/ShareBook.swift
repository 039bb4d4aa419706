import SyncCrypto
import SyncKit

/// The shared zones of a person that a device knows: those of the person, and those of others.
struct ShareBook: Sendable {
  /// A zone of the person's own that is, or was, shared.
  struct OwnZone: Sendable {
    let domain: String
    let zone: ZoneID
    let names: ZoneNames
    /// What holds of it; nil before a device has stated anything.
    var entry: ShareEntry?
    var bytes: [UInt8] = []
    /// Guests whose objects are taken in before an entry names them.
    var admitted: Set<[UInt8]> = []
  }

  /// A zone of another person.
  struct ForeignZone: Sendable {
    let share: AcceptedShare
    var entry: ShareEntry?
    var bytes: [UInt8] = []
    /// The keys of the zone that this person has.
    var keys: [ZoneKeyName: [UInt8]]

    var names: ZoneNames { share.grant.names }
  }

  var own: [SharedZoneName: OwnZone] = [:]
  private(set) var foreign: [SharedZoneName: ForeignZone] = [:]
  private let keys: VaultKeys
  private let persons: [PersonKey]
  private let membership: Membership

  /// Reads what the device has kept.
  ///
  /// - Parameters:
  ///   - device: The keys of the device.
  ///   - isTaken: Whether the person has a zone of that name that is not the shared one: that stays the person's own.
  init(_ device: DeviceKeys, isTaken: (_ domain: String, ZoneID) -> Bool = { _, _ in false }) {
    (keys, membership) = (device.vault, device.membership)
    // What they are derived from costs more than all else here, and most people take part nowhere.
    persons = device.membership.shares.isEmpty ? [] : device.persons
    let pseudonyms = Pseudonyms(keys)
    for invitation in membership.invitations.values {
      let names = pseudonyms.names(of: invitation.zone, in: invitation.domain)
      let name = SharedZoneName(domain: names.domain, zone: names.zone)
      own[name] = OwnZone(domain: invitation.domain, zone: invitation.zone, names: names)
    }
    // Two shares of one name cannot both be read: the one that was accepted first is.
    for share in membership.shares.values.sorted(by: Self.isFirst)
    where !isTaken(share.domain, share.zone) && !isOwn(share, pseudonyms)
      && foreign(share.domain, share.zone) == nil
    {
      foreign[share.place] = ForeignZone(share: share, keys: share.grant.keys)
    }
    for (name, bytes) in device.entries { learn(bytes, at: name, isKept: true) }
  }

  /// Whether a share claims a place or a zone of the person's own: whoever invites chooses both names, and must not choose
  /// the keys of what the person stores there.
  private func isOwn(_ share: AcceptedShare, _ pseudonyms: Pseudonyms) -> Bool {
    let domain = pseudonyms.domain(share.domain)
    let zone = pseudonyms.zone(share.zone, of: share.domain)
    return [domain, KeyPlace.domain].contains(share.place.domain) || own[share.place] != nil
      || own[SharedZoneName(domain: domain, zone: zone)] != nil
  }

  private static func isFirst(_ one: AcceptedShare, _ other: AcceptedShare) -> Bool {
    one.time != other.time ? one.time < other.time : one.place.zone < other.place.zone
  }

  /// What this device signs with in other people's zones; nil where the person takes part in none.
  var person: SigningKey? { persons.first?.signing }

  /// Another person's zone that the person's own devices call so.
  func foreign(_ domain: String, _ zone: ZoneID) -> ForeignZone? {
    foreign.values.first { $0.share.zone == zone && $0.share.domain == domain }
  }

  /// Another person's zone that lies under a name, for whoever reads a domain: under the name of a zone in another domain of
  /// this person's, it must not stand in that zone's place.
  func foreign(at name: SharedZoneName, of domain: String) -> ForeignZone? {
    foreign[name].flatMap { $0.share.domain == domain ? $0 : nil }
  }

  /// The person's own zones of a domain that are, or were, shared.
  func zones(of domain: String) -> [(name: SharedZoneName, zone: OwnZone)] {
    own.filter { $0.value.domain == domain }.map { ($0.key, $0.value) }
      .sorted { $0.name.zone < $1.name.zone }
  }

  /// The other people's zones in a domain.
  func foreignZones(of domain: String) -> [(name: SharedZoneName, zone: ForeignZone)] {
    foreign.filter { $0.value.share.domain == domain }.map { ($0.key, $0.value) }
      .sorted { ($0.name.domain, $0.name.zone) < ($1.name.domain, $1.name.zone) }
  }

  /// The series under which entries and invitations lie in a shared zone.
  static func series(of name: SharedZoneName) -> ReplicaID {
    var writer = ByteWriter()
    writer.write(raw: "cloudsync/1/share-series".utf8)
    writer.write(text: name.domain)
    writer.write(text: name.zone.text)
    return ReplicaID(series: SHA256.hash(writer.bytes))
  }

  // MARK: Entries

  /// Takes what lies in a shared zone if it is an entry and newer than what is known.
  ///
  /// - Parameters:
  ///   - bytes: What lies there.
  ///   - name: Where it lies.
  ///   - isKept: Whether this device has kept it itself.
  /// - Returns: Whether it was.
  @discardableResult
  mutating func learn(_ bytes: [UInt8], at name: SharedZoneName, isKept: Bool = false) -> Bool {
    if var zone = own[name] {
      guard let entry = ShareEntry.open(bytes, of: keys.id, keys.owner, zone.names),
        entry.isNewer(than: zone.entry)
      else { return false }
      (zone.entry, zone.bytes) = (entry, bytes)
      // A device that was let go has the card of its time, and could state with it who takes part. Only the keys of the
      // zone are taken from there: all else is found out once more, and stated in the newest epoch.
      if entry.card.epoch < keys.epoch, !isKept {
        guard own[name]?.entry == nil else { return false }
        zone.entry = ShareEntry(
          card: entry.card, number: entry.number, keys: entry.keys, withdrawal: [])
        zone.bytes = []
      }
      own[name] = zone
      return true
    }
    guard var zone = foreign[name] else { return false }
    let grant = zone.share.grant
    guard let entry = ShareEntry.open(bytes, of: grant.card.vault, grant.card.owner, zone.names),
      (entry.card.epoch, entry.number) >= (grant.card.epoch, grant.number),
      entry.isNewer(than: zone.entry)
    else { return false }
    (zone.entry, zone.bytes) = (entry, bytes)
    zone.keys.merge(entry.keys(name, for: persons)) { $1 }
    foreign[name] = zone
    return true
  }

  /// The shared zones, with the entries that hold as they lie there; empty where none is known.
  var shelves: [SharedZoneName: [UInt8]] {
    own.mapValues(\.bytes).merging(foreign.mapValues(\.bytes)) { $1 }
  }

  /// The entries that hold, as they lie there.
  var entries: [SharedZoneName: [UInt8]] {
    shelves.filter { !$0.value.isEmpty }
  }

  /// Takes in what guests have stored who may write by what they have shown, although no entry names them yet.
  mutating func admit(_ guests: Set<[UInt8]>, to name: SharedZoneName) {
    own[name]?.admitted = guests
  }

  /// How often a zone of the person's own has got a new key, counting what is about to be stated: from the moment when a
  /// device of the person has ended a part, nothing is sealed for it, whatever the place shows.
  func share(of name: SharedZoneName) -> UInt64 {
    guard let zone = own[name] else { return 0 }
    let stated = zone.entry?.keys.last?.share ?? 0
    let ended = Set(zone.entry?.ended ?? [])
    let isBehind = membership.invitations.values.contains {
      $0.mayWrite == nil && $0.domain == zone.domain && $0.zone == zone.zone
        && !ended.contains($0.participant)
    }
    return min(stated + (isBehind ? 1 : 0), SealedSegments.mostShares)
  }

  // MARK: Who counts

  /// Whether an object in a zone of the person's own counts.
  func standing(
    of author: [UInt8], digest: ContentHash, in name: SharedZoneName, epoch: UInt64
  ) -> Membership.Standing {
    let standing = membership.standing(of: author, digest: digest, in: epoch)
    guard let zone = own[name] else { return standing }
    // Guests have the key of the zone, so having it makes nobody a device of the owner.
    if standing == .letGo || membership.isMember(author) { return standing }
    if zone.entry?.kept.contains(digest) == true { return .counts }
    if membership.departures[author] != nil { return standing }
    if let known = zone.entry?.standing(ofGuest: author) { return known }
    return zone.admitted.contains(author) ? .counts : .unknown
  }

  /// Whether an object in another person's zone counts.
  func standing(
    of author: [UInt8], digest: ContentHash, in zone: ForeignZone
  ) -> Membership.Standing {
    let isOwn = persons.contains { $0.signing.publicKey == author }
    guard let entry = zone.entry else { return isOwn ? .counts : .unknown }
    if entry.kept.contains(digest) || entry.devices.contains(author) { return .counts }
    if isOwn, isInvitedAgain(zone) { return .counts }
    if let known = entry.standing(ofGuest: author) { return known }
    // What this person has stored before the owner's devices have seen the card.
    return isOwn ? .counts : .unknown
  }

  /// Whether the person was invited after the entry that holds, so that it says nothing of that yet.
  private func isInvitedAgain(_ zone: ForeignZone) -> Bool {
    guard let entry = zone.entry else { return false }
    let grant = zone.share.grant
    let own = Set(persons.map(\.signing.publicKey))
    return (entry.card.epoch, entry.number) <= (grant.card.epoch, grant.number)
      && !entry.parts.contains { own.contains($0.card.signing) }
  }

  /// What a person may do in another person's zone, by the server's word and the owner's.
  ///
  /// - Parameters:
  ///   - role: What the server says.
  ///   - zone: The zone.
  ///   - replicas: Who has withdrawn it, by the server's word; nil for a zone that is there.
  /// - Returns: The role. A zone that its owner has withdrawn is left, with what it had; the server's word alone ends only
  ///   the part in it.
  func role(
    _ role: ZoneAccess.Role, in zone: ForeignZone, erasedBy replicas: Set<ReplicaID>? = nil
  ) -> ZoneAccess.Role {
    // The person's word makes the copy go, and not the server's.
    guard !zone.share.isLeft else { return .left }
    // A server that says that it is this person's own cannot make it so.
    let role = role == .owner ? .writer : role
    guard role == .reader || role == .writer else { return .removed }
    if let replicas {
      let isWithdrawn = replicas.contains { SHA256.hash($0.bytes) == zone.entry?.withdrawal }
      return isWithdrawn ? .left : .removed
    }
    let own = Set(persons.map(\.signing.publicKey))
    let parts = zone.entry?.parts.filter { own.contains($0.card.signing) } ?? []
    if !parts.isEmpty { return parts.contains(where: \.mayWrite) ? role : .reader }
    if zone.entry?.former.contains(where: own.contains) == true, !isInvitedAgain(zone) {
      return .removed
    }
    return zone.share.grant.mayWrite ? role : .reader
  }
}

extension ShareEntry {
  /// Whether what a guest has stored counts; nil for a guest of whom it says nothing.
  fileprivate func standing(ofGuest author: [UInt8]) -> Membership.Standing? {
    // A guest can show a card with the keys of another one in it, who must not lose by that.
    let own = parts.filter { $0.card.signing == author }
    if !own.isEmpty { return own.contains(where: \.mayWrite) ? .counts : .readOnly }
    return former.contains(author) ? .letGo : nil
  }
}
