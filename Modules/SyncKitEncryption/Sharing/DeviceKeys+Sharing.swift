import SyncCrypto
public import SyncKit

/// What a person's devices say of what is shared.
extension DeviceKeys {
  /// The person's secrets, the newest first.
  var persons: [PersonKey] { vault.epochs.reversed().map { PersonKey($0) } }

  /// The person's card in the newest epoch; nil until the owner has signed one, as vaults of before lack it.
  public var card: PersonCard? {
    let signing = PersonKey(vault.current).signing.publicKey
    return membership.cards.first { $0.signing == signing }
  }

  /// Whether the person shares a zone of a domain, or has stopped to and not all is stated.
  ///
  /// - Parameter domain: The domain.
  /// - Returns: Whether ``EncryptedTransport/state(_:of:)`` may have something to do.
  public func shares(of domain: String) -> Bool {
    let invitations = membership.invitations.values.filter { $0.domain == domain }
    if invitations.contains(where: { $0.mayWrite != nil }) { return true }
    guard !invitations.isEmpty else { return false }
    let ended = ShareBook(self).zones(of: domain).flatMap { $0.zone.entry?.ended ?? [] }
    return !Set(invitations.map(\.participant)).isSubset(of: ended)
  }

  /// The same keys with the newest word of who takes part in shared zones; what is older than what they have is passed
  /// over, as another process of the device may have kept it meanwhile.
  public func noting(_ entries: [SharedZoneName: [UInt8]]) -> DeviceKeys {
    var keys = self
    var book = ShareBook(self)
    for (name, bytes) in entries { book.learn(bytes, at: name) }
    keys.entries.merge(book.entries) { $1 }
    return keys
  }

  /// Who takes part in a shared zone, as its owner's devices have stated it: cards by the server's ids.
  ///
  /// - Parameter place: Where the zone lies.
  /// - Returns: The cards; empty for a zone of which nothing is known.
  public func cards(in place: SharedZoneName) -> [String: PersonCard] {
    let book = ShareBook(self)
    let entry = book.own[place]?.entry ?? book.foreign[place]?.entry
    return Dictionary((entry?.parts ?? []).map { ($0.id, $0.card) }) { $1 }
  }

  /// Six words that are those of this person, to be compared with other people.
  public var words: String { FingerprintWords.of(vault.owner) }

  /// Whether the words of a person were compared.
  public func isVerified(_ card: PersonCard) -> Bool { membership.verified.contains(card.owner) }

  /// Notes that the words of a person were compared.
  public mutating func verify(_ card: PersonCard, from environment: SyncEnvironment) {
    guard !isVerified(card) else { return }
    state(.verified(card.owner), environment)
  }

  /// States whom the person invites, what the guest may do from now on, or that the guest takes part no more.
  ///
  /// - Parameters:
  ///   - invitation: The invitation.
  ///   - environment: The source of time and randomness.
  public mutating func state(_ invitation: SentInvitation, from environment: SyncEnvironment) {
    let known = membership.invitations[invitation.participant]
    guard known?.mayWrite != invitation.mayWrite || known == nil else { return }
    var invitation = invitation
    // A clock that stands still or goes back must not leave what was said before in place.
    invitation.time = Self.time(after: known?.time, environment)
    state(.invitation(invitation), environment)
  }

  /// States what a guest may do from now on; nothing when that is so already, or nothing is known of the guest.
  ///
  /// - Parameters:
  ///   - participant: The server's id of the participant.
  ///   - mayWrite: Whether the guest may write; nil when the guest takes part no more.
  ///   - environment: The source of time and randomness.
  public mutating func set(
    _ participant: String, mayWrite: Bool?, from environment: SyncEnvironment
  ) {
    guard var invitation = membership.invitations[participant] else { return }
    invitation.mayWrite = mayWrite
    state(invitation, from: environment)
  }

  /// States that the person has left another person's zone, so that the copies of it go.
  ///
  /// - Parameters:
  ///   - place: Where the zone lies.
  ///   - environment: The source of time and randomness.
  public mutating func leave(_ place: SharedZoneName, from environment: SyncEnvironment) {
    guard var share = membership.shares[place], !share.isLeft else { return }
    share.isLeft = true
    state(share, from: environment)
  }

  /// States that the person takes part in another person's zone.
  mutating func state(_ share: AcceptedShare, from environment: SyncEnvironment) {
    var share = share
    share.time = Self.time(after: membership.shares[share.place]?.time, environment)
    state(.share(share), environment)
  }

  /// What this person shows to accept an invitation.
  ///
  /// - Parameter code: The code of the invitation, from its link.
  /// - Returns: The bytes for the server; nil when the person has no card yet.
  public func shownCard(for code: RecoveryCode) -> [UInt8]? {
    card.map { ShownCard($0, by: code).bytes }
  }
}

extension AcceptedShare {
  /// What accepts it once more, with the person's newest card; nil when the zone's owner has that.
  ///
  /// - Parameters:
  ///   - keys: The keys of this device.
  ///   - shown: What was shown to the server.
  /// - Returns: The secret of the invitation, and what to show.
  public func renewal(by keys: DeviceKeys, shown: [UInt8]?) -> (secret: String, card: [UInt8])? {
    guard let card = keys.card else { return nil }
    // A server could show another person's, of an epoch that this person never reaches.
    if let shown = shown.flatMap({ ShownCard($0) }), shown.card.owner == card.owner,
      shown.card.epoch >= card.epoch
    {
      return nil
    }
    return (secret, ShownCard(card, by: code).bytes)
  }
}
