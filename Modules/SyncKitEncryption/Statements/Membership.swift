import SyncCrypto
import SyncKit

/// Who belongs to a vault, as far as its devices have stated it.
///
/// It follows from the set of statements alone, in whatever order they have come.
public struct Membership: Hashable, Sendable {
  /// Whether what a device has stored counts.
  enum Standing: Hashable {
    /// It is a device of the vault, or was one when it stored it.
    case counts
    /// The device was let go before it stored it, as far as those who stay know.
    case letGo
    /// No device of the vault has named it yet.
    case unknown
    /// It is of a guest who may only read.
    case readOnly
  }

  /// The devices that have introduced themselves or were named by others, by their keys.
  private var devices: [[UInt8]: VaultDevice] = [:]
  /// Those that were let go, with what counts of them.
  private(set) var departures: [[UInt8]: Statement.Departure] = [:]
  /// Those that have the key of the newest epoch.
  private var current: Set<[UInt8]> = []
  /// The newest epoch of which anything is known.
  public private(set) var epoch: UInt64 = 1
  /// Whether two epochs of the newest number began side by side with other members, so that a device that was let go
  /// in one has the key of the other.
  public private(set) var isSplit = false

  /// The slots of the newest epoch; nil in the first one, until a device has stated others.
  private(set) var slots: [[UInt8]]?

  /// When they were stated, as far as a device has.
  private(set) var slotsTime: Int64?

  /// The person's cards, as far as they are known.
  private(set) var cards: Set<PersonCard> = []
  /// Whom the person has invited to zones, by the server's ids.
  public private(set) var invitations: [String: SentInvitation] = [:]
  /// The zones of other people in which the person takes part.
  public private(set) var shares: [SharedZoneName: AcceptedShare] = [:]
  /// The public keys of other people whose words were compared.
  public private(set) var verified: Set<[UInt8]> = []

  /// The devices that belong to the vault, by name.
  public var members: [VaultDevice] {
    devices.values.filter { departures[$0.key] == nil && (epoch == 1 || current.contains($0.key)) }
      .sorted { ($0.name, $0.id, $0.fingerprint) < ($1.name, $1.id, $1.fingerprint) }
  }

  /// Reads what was stated.
  init(_ statements: [Statement]) {
    let epochs = statements.compactMap { statement -> Statement.Epoch? in
      guard case .epoch(let epoch) = statement.content else { return nil }
      return epoch
    }
    epoch = epochs.map(\.number).max() ?? 1
    for epoch in epochs {
      for departure in epoch.departures { note(departure) }
      for member in epoch.members { devices[member.device.key] = member.device }
    }
    let newest = epochs.filter { $0.number == epoch }
    if !newest.isEmpty {
      slots = newest.flatMap(\.slots).sorted { $0.lexicographicallyPrecedes($1) }
    }
    let lists = newest.map { Set($0.members.map(\.device.key)) }
    isSplit = Set(lists).count > 1
    current = lists.dropFirst().reduce(lists.first ?? []) { $0.intersection($1) }
    var times: [[UInt8]: Int64] = [:]
    var newestSlots: (time: Int64, slots: [[UInt8]])?
    for statement in statements {
      let isNewest = statement.epoch.number == epoch
      switch statement.content {
      case .introduction(let id, let name, let boxKey, let time):
        // Who has the key of the newest epoch belongs to it.
        if isNewest, !isSplit { current.insert(statement.author) }
        guard times[statement.author].map({ $0 < time }) ?? true else { continue }
        times[statement.author] = time
        devices[statement.author] = VaultDevice(
          key: statement.author, boxKey: boxKey, id: id, name: name)
      case .kept(let departure):
        // In an earlier epoch, a device that was let go could say it of itself.
        if isNewest, departures[statement.author] == nil, departures[departure.device] != nil {
          note(departure)
        }
      case .slots(let stated, let time):
        guard isNewest, departures[statement.author] == nil else { continue }
        let isLater =
          newestSlots.map {
            time != $0.time ? time > $0.time : Self.isLess($0.slots, stated)
          } ?? true
        if isLater { newestSlots = (time, stated) }
      case .card(let card): cards.insert(card)
      case .epoch, .closing, .invitation, .share, .verified: continue
      }
    }
    // A device that was let go has the keys of its time, and must not invite people by them.
    // Where two epochs began side by side, one has the key who was let go in the other, and any number of names.
    for statement in statements
    where departures[statement.author] == nil
      && (statement.epoch.number >= epoch && !isSplit || current.contains(statement.author))
    {
      learnShares(statement.content)
    }
    if let newestSlots { (slots, slotsTime) = (newestSlots.slots, newestSlots.time) }
  }

  private mutating func learnShares(_ content: Statement.Content) {
    switch content {
    case .invitation(let invitation):
      let known = invitations[invitation.participant]
      if known.map({ Self.isLater(invitation, than: $0) }) ?? true {
        invitations[invitation.participant] = invitation
      }
    case .share(let share):
      if shares[share.place].map({ Self.isLater(share, than: $0) }) ?? true {
        shares[share.place] = share
      }
    case .verified(let person): verified.insert(person)
    case .introduction, .epoch, .kept, .slots, .closing, .card: break
    }
  }

  /// An end comes after all else of its time: what a person has taken away stays away.
  private static func isLater(_ one: SentInvitation, than other: SentInvitation) -> Bool {
    if one.time != other.time { return one.time > other.time }
    guard (one.mayWrite == nil) == (other.mayWrite == nil) else { return one.mayWrite == nil }
    return other.bytes.lexicographicallyPrecedes(one.bytes)
  }

  private static func isLater(_ one: AcceptedShare, than other: AcceptedShare) -> Bool {
    one.time != other.time
      ? one.time > other.time : other.bytes.lexicographicallyPrecedes(one.bytes)
  }

  /// Whether a device belongs to the vault, as those do who have the key of the newest epoch and have said so.
  func isMember(_ author: [UInt8]) -> Bool {
    current.contains(author) && departures[author] == nil
  }

  /// The devices that were let go, as far as they are known, without those that have come back since.
  public var departed: [VaultDevice] {
    let ids = Set(members.map(\.id))
    return departures.keys.compactMap { devices[$0] }.filter { !ids.contains($0.id) }
  }

  /// An order that is the same on all devices, for slots that were stated at the same moment.
  private static func isLess(_ one: [[UInt8]], _ other: [[UInt8]]) -> Bool {
    one.joined().lexicographicallyPrecedes(other.joined())
  }

  private mutating func note(_ departure: Statement.Departure) {
    departures[departure.device, default: departure].objects.formUnion(departure.objects)
  }

  /// Whether what a device has stored counts.
  ///
  /// - Parameters:
  ///   - author: The device's public key.
  ///   - digest: The digest of the object.
  ///   - number: The epoch in which it is sealed.
  /// - Returns: Whether it counts.
  func standing(of author: [UInt8], digest: ContentHash, in number: UInt64) -> Standing {
    if let departure = departures[author] {
      return departure.objects.contains(digest) ? .counts : .letGo
    }
    // Who seals in the newest epoch has its key. In those before, also devices have that were let go, and can draw as
    // many keys to sign with as they like.
    // Guests have keys of zones of the newest epoch, and a place can hide that a zone is shared: where devices say that they
    // belong to the vault, whoever has not said so has to wait.
    return (number >= epoch && !isSplit && current.isEmpty) || current.contains(author)
      ? .counts : .unknown
  }
}
