import SyncCrypto
import SyncKit

/// What one device states of the vault, for all the others.
struct Statement: Hashable, Sendable {
  /// What it says.
  enum Content: Hashable, Sendable {
    /// Who the device is.
    case introduction(id: String, name: String, boxKey: [UInt8], time: Int64)
    /// That a new epoch begins.
    case epoch(Epoch)
    /// That it had taken in what a device stored, before it knew that the device was let go.
    case kept(Departure)
    /// What opens the keys from now on, in place of what the epoch began with.
    case slots([[UInt8]], time: Int64)
    /// That a place of the vault is encrypted no more.
    case closing(VaultClosing)
    /// What other people need to know of the person whose vault it is.
    case card(PersonCard)
    /// Whom the person has invited to a zone.
    case invitation(SentInvitation)
    /// In which zone of another person the person takes part.
    case share(AcceptedShare)
    /// Whose words were compared: the public key of the other person.
    case verified([UInt8])
  }

  /// A new epoch: who gets its key, and who does not.
  struct Epoch: Hashable, Sendable {
    /// Its number.
    var number: UInt64
    /// The hash of its key, so that all get the same.
    var hash: [UInt8]
    /// Who stays, each with the key sealed to it.
    var members: [Member]
    /// Who is let go, now and before.
    var departures: [Departure]
    /// The bytes of the slots that open the keys from then on.
    var slots: [[UInt8]]
    /// The vault's owner has signed it.
    var signature: [UInt8] = []
  }

  /// A device that gets the key of a new epoch.
  struct Member: Hashable, Sendable {
    var device: VaultDevice
    /// The key, sealed to the device.
    var sealed: [UInt8]
  }

  /// A device that is let go, with what counts of all that it has stored.
  struct Departure: Hashable, Sendable {
    var device: [UInt8]
    /// Its name, for people.
    var name: String
    /// The digests of the objects that count.
    var objects: Set<ContentHash>
  }

  /// Whose statement it is: the public key of a device, which has signed it.
  let author: [UInt8]
  /// The epoch with whose key it is sealed, so that its author had that key.
  let epoch: VaultKeys.EpochKey
  let content: Content
}

// MARK: Bytes

extension Statement.Content {
  init(_ reader: inout ByteReader) throws {
    switch try reader.byte() {
    case 1:
      self = .introduction(
        id: try reader.text(limit: 256), name: try reader.text(limit: 256),
        boxKey: try reader.block(), time: try reader.signed())
    case 2:
      self = .epoch(
        Statement.Epoch(
          number: try reader.varint(), hash: try reader.block(),
          members: try (0..<reader.count()).map { _ in
            Statement.Member(device: try VaultDevice(&reader), sealed: try reader.block())
          },
          departures: try (0..<reader.count()).map { _ in try Statement.Departure(&reader) },
          slots: try (0..<reader.count()).map { _ in try reader.block() },
          signature: try reader.block()))
    case 3: self = .kept(try Statement.Departure(&reader))
    case 4:
      let time = try reader.signed()
      self = .slots(try (0..<reader.count()).map { _ in try reader.block() }, time: time)
    case 5: self = .closing(try VaultClosing(&reader))
    case 6: self = .card(try PersonCard(&reader))
    case 7: self = .invitation(try SentInvitation(&reader))
    case 8: self = .share(try AcceptedShare(&reader))
    case 9: self = .verified(try reader.block())
    default: throw ByteReader.damaged("a statement of an unknown kind")
    }
  }

  func write(to writer: inout ByteWriter) {
    switch self {
    case .introduction(let id, let name, let boxKey, let time):
      writer.write(byte: 1)
      writer.write(text: id)
      writer.write(text: name)
      writer.write(block: boxKey)
      writer.write(signed: time)
    case .epoch(let epoch):
      writer.write(byte: 2)
      writer.write(raw: epoch.said)
      writer.write(block: epoch.signature)
    case .kept(let departure):
      writer.write(byte: 3)
      departure.write(to: &writer)
    case .slots(let slots, let time):
      writer.write(byte: 4)
      writer.write(signed: time)
      writer.write(count: slots.count)
      for slot in slots { writer.write(block: slot) }
    case .closing(let closing):
      writer.write(byte: 5)
      closing.write(to: &writer)
    case .card(let card):
      writer.write(byte: 6)
      card.write(to: &writer)
    case .invitation(let invitation):
      writer.write(byte: 7)
      invitation.write(to: &writer)
    case .share(let share):
      writer.write(byte: 8)
      share.write(to: &writer)
    case .verified(let person):
      writer.write(byte: 9)
      writer.write(block: person)
    }
  }
}

extension Statement.Epoch {
  /// All of it but the signature.
  fileprivate var said: [UInt8] {
    var writer = ByteWriter()
    writer.write(varint: number)
    writer.write(block: hash)
    writer.write(count: members.count)
    for member in members {
      member.device.write(to: &writer)
      writer.write(block: member.sealed)
    }
    writer.write(count: departures.count)
    for departure in departures { departure.write(to: &writer) }
    writer.write(count: slots.count)
    for slot in slots { writer.write(block: slot) }
    return writer.bytes
  }

  /// What the owner of a vault signs.
  private func signed(_ vault: [UInt8]) -> [UInt8] {
    var writer = ByteWriter()
    writer.write(raw: "cloudsync/1/owner".utf8)
    writer.write(block: vault)
    return writer.bytes + SHA256.hash(said)
  }

  /// The same, signed by the owner of a vault.
  func signed(by owner: VaultOwner, of vault: [UInt8]) -> Self {
    var epoch = self
    epoch.signature = owner.key.sign(signed(vault))
    return epoch
  }

  /// Whether the owner of a vault has signed it.
  func isSigned(for keys: VaultKeys) -> Bool {
    SigningKey.isValid(signature, of: signed(keys.id), by: keys.owner)
  }
}

extension Statement.Departure {
  init(_ reader: inout ByteReader) throws {
    device = try reader.block()
    name = try reader.text(limit: 256)
    objects = Set(try (0..<reader.count(of: 16)).map { _ in try reader.hash() })
  }

  func write(to writer: inout ByteWriter) {
    writer.write(block: device)
    writer.write(text: name)
    writer.write(count: objects.count)
    for digest in objects.sorted() { writer.write(digest) }
  }
}
