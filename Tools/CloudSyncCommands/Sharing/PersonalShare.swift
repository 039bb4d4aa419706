import SyncKit
import SyncKitEncryption
import SyncKitText
import SyncWire

/// A share as a person knows it: of an encrypted account, the server knows neither what it is called nor who people are.
@dynamicMemberLookup
struct PersonalShare {
  /// The share as the server has it, with the names that the person's devices have.
  var share: WireShare
  /// Where the server has it.
  let place: SharedZoneName
  /// Whether what is shared is encrypted.
  var isEncrypted = false
  /// The keys of those whose words can be compared, by the server's ids; of the owner under ``owner``.
  var cards: [String: PersonCard] = [:]
  /// Those of them whose words were compared.
  var verified: Set<String> = []

  /// The person's own words; nil where nothing is encrypted.
  var ownWords: String?

  /// The key of the owner in ``cards``.
  static let owner = ""

  /// A share of an account that is not encrypted.
  init(_ share: WireShare) {
    self.share = share
    place = SharedZoneName(domain: share.domain, zone: share.zone)
  }

  /// A share of an encrypted account.
  init(_ share: WireShare, known keys: DeviceKeys) {
    self.init(share)
    isEncrypted = true
    ownWords = keys.words
    cards = keys.cards(in: place)
    if share.role == .owner {
      revealOwn(keys)
    } else if let accepted = keys.membership.shares[place] {
      self.share.domain = accepted.domain
      self.share.zone = accepted.zone
      self.share.title = accepted.title
      cards[Self.owner] = accepted.owner
    }
    verified = Set(cards.filter { keys.isVerified($0.value) }.map(\.key))
  }

  private mutating func revealOwn(_ keys: DeviceKeys) {
    share.domain =
      DomainRegistry.names.first { EncryptedTransport.pseudonym($0, keys.vault) == place.domain }
      ?? share.domain
    let sent = keys.membership.invitations
    let own = share.participants.compactMap { sent[$0.id] }
    if let latest = own.max(by: { $0.time < $1.time }) {
      (share.domain, share.zone, share.title) = (latest.domain, latest.zone, latest.title)
    }
    for number in share.participants.indices {
      let participant = share.participants[number]
      guard let sent = sent[participant.id] else { continue }
      share.participants[number].name = sent.name
      if sent.mayWrite == false { share.participants[number].role = .reader }
      if sent.mayWrite == nil { share.participants[number].state = .removed }
      // Before an entry of the owner's devices names the guest.
      if cards[participant.id] == nil {
        cards[participant.id] = participant.shownCard.flatMap { sent.card(shown: $0) }
      }
    }
  }

  subscript<Value>(dynamicMember path: WritableKeyPath<WireShare, Value>) -> Value {
    get { share[keyPath: path] }
    set { share[keyPath: path] = newValue }
  }
}

extension WireParticipant {
  /// What the person has shown of its keys.
  var shownCard: [UInt8]? { card.flatMap { Base64.decode($0) } }

  /// The participant as encrypted shares need it.
  var shareParticipant: ShareParticipant {
    ShareParticipant(
      id: id, isThere: state != .removed, mayWrite: role == .writer, card: shownCard)
  }
}
