import SyncKit

/// What a server says of a person who takes part in a shared zone, or is invited to it.
public struct ShareParticipant: Hashable, Sendable {
  /// The server's id.
  public let id: String
  /// Whether the person takes part or is invited, and has not left or been removed.
  public let isThere: Bool
  /// Whether the server lets the person write.
  public let mayWrite: Bool
  /// What the person has shown of its keys.
  public let card: [UInt8]?

  /// Describes a participant.
  public init(id: String, isThere: Bool, mayWrite: Bool, card: [UInt8]?) {
    (self.id, self.isThere, self.mayWrite, self.card) = (id, isThere, mayWrite, card)
  }
}

/// Who takes part in one of the person's zones, by what the person's devices have stated, what the server says, and the
/// entry that holds.
struct ZoneParticipation {
  private let keys: DeviceKeys
  private let invitations: [SentInvitation]
  private let there: [String: ShareParticipant]
  private let held: ShareEntry?

  /// Puts together what is said.
  ///
  /// - Parameters:
  ///   - keys: The keys of one of the person's devices.
  ///   - invitations: Whom they have invited to the zone, in the order of participants.
  ///   - participants: Those that the server names.
  ///   - held: The entry that holds; nil before the first.
  init(
    _ keys: DeviceKeys, by invitations: [SentInvitation], there participants: [ShareParticipant],
    after held: ShareEntry?
  ) {
    (self.keys, self.invitations, self.held) = (keys, invitations, held)
    there = Dictionary(participants.map { ($0.id, $0) }) { first, _ in first }
  }

  /// The public keys of guests who may write by what the server says, and have shown that they were invited.
  var writers: Set<[UInt8]> {
    Set(
      invitations.compactMap { invitation in
        guard there[invitation.participant]?.mayWrite == true, invitation.mayWrite != false,
          held?.ended.contains(invitation.participant) != true
        else { return nil }
        return card(shownFor: invitation)?.signing
      })
  }

  /// The card that counts of whoever was invited; nil for one who has shown none.
  private func card(shownFor invitation: SentInvitation) -> PersonCard? {
    guard let participant = there[invitation.participant] else { return nil }
    let before = part(invitation.participant)?.card
    guard let shown = participant.card.flatMap({ ShownCard($0) }) else { return before }
    guard let before else {
      return shown.isShown(by: invitation.code) && shown.card.owner != keys.vault.owner
        ? shown.card : nil
    }
    // The same person, in a later epoch of its vault.
    let isLater = shown.card.owner == before.owner && shown.card.epoch > before.epoch
    return isLater ? shown.card : before
  }

  private func part(_ id: String) -> ShareEntry.Part? { held?.parts.first { $0.id == id } }

  private var epochs: [UInt64] { Set(keys.vault.epochs.map(\.number)).sorted() }

  // MARK: What is to be stated

  /// What is to be stated of the zone; it has the number and the sealed keys of the entry that holds.
  ///
  /// - Parameters:
  ///   - card: The person's card in the newest epoch.
  ///   - objects: The objects of the zone that have counted.
  /// - Returns: The entry, without the hash of the withdrawal.
  func entry(_ card: PersonCard, _ objects: [KnownObject]) -> ShareEntry {
    var entry =
      held
      ?? ShareEntry(
        card: card, number: 0, keys: epochs.map { ZoneKeyName(epoch: $0, share: 0) },
        withdrawal: [])
    entry.card = card
    let needsKey = setParts(of: &entry)
    entry.devices = keys.membership.members.map(\.key)
      .sorted { $0.lexicographicallyPrecedes($1) }
    addKeys(to: &entry, andOneMore: needsKey)
    let counted = Set(entry.devices).union(
      entry.parts.filter(\.mayWrite).map(\.card.signing))
    for object in objects where !counted.contains(object.author) {
      entry.kept.insert(object.digest)
    }
    return entry
  }

  /// Says who takes part, who does no more, and which keys of guests hold no more.
  ///
  /// - Returns: Whether someone takes part no more, or has another card, so that the zone needs another key.
  private func setParts(of entry: inout ShareEntry) -> Bool {
    let before = entry.parts
    var isOver = false
    entry.parts = []
    for invitation in invitations where !entry.ended.contains(invitation.participant) {
      let shown = card(shownFor: invitation)
      guard let mayWrite = invitation.mayWrite, let participant = there[invitation.participant],
        participant.isThere
      else {
        entry.ended.append(invitation.participant)
        if let shown { entry.former.append(shown.signing) }
        isOver = true
        continue
      }
      guard let shown else { continue }
      let known = part(invitation.participant)
      if let known, known.card != shown { isOver = true }
      entry.parts.append(
        ShareEntry.Part(
          id: invitation.participant, card: shown, mayWrite: mayWrite && participant.mayWrite,
          sealed: known?.sealed ?? []))
    }
    // Another device has invited them, and its word has not come.
    for var part in before where !invitations.contains(where: { $0.participant == part.id }) {
      guard let participant = there[part.id], participant.isThere else {
        entry.ended.append(part.id)
        isOver = true
        continue
      }
      part.mayWrite = part.mayWrite && participant.mayWrite
      entry.parts.append(part)
    }
    entry.parts.sort { $0.id < $1.id }
    entry.ended = Set(entry.ended).sorted()
    entry.former = Set(entry.former + before.map(\.card.signing))
      .subtracting(entry.parts.map(\.card.signing))
      .sorted { $0.lexicographicallyPrecedes($1) }
    return isOver
  }

  /// Names the keys with which devices may have sealed since the entry before.
  private func addKeys(to entry: inout ShareEntry, andOneMore isNeeded: Bool) {
    let latest = entry.keys.last ?? ZoneKeyName(epoch: 1, share: 0)
    let share = min(latest.share + (isNeeded ? 1 : 0), SealedSegments.mostShares)
    // A device may have sealed in each epoch since, and with the key after a removal before any entry names it.
    let since = epochs.filter { $0 >= latest.epoch }.flatMap { epoch in
      [latest.share, share].map { ZoneKeyName(epoch: epoch, share: $0) }
    }
    entry.keys = Set(entry.keys + since).sorted()
  }
}
