import SyncCrypto
import SyncKit

/// Who takes part in a shared zone, as one of the owner's devices has stated it.
///
/// Each entry says all and stands in the place of those before; every device refuses one that is older than one that it
/// has seen. The zone's participants can read it, the place cannot.
struct ShareEntry: Hashable, Sendable {
  /// A guest.
  struct Part: Hashable, Sendable {
    /// The server's id of the participant.
    var id: String
    var card: PersonCard
    var mayWrite: Bool
    /// The keys of the zone, in the order of ``ShareEntry/keys``, sealed to the card.
    var sealed: [UInt8] = []
  }

  /// The owner, in the epoch of the vault in which it is stated.
  var card: PersonCard
  /// Counts the entries of an epoch.
  var number: UInt64
  /// The keys that the zone has had; the last is the one to write with.
  var keys: [ZoneKeyName]
  /// The public keys of the owner's devices.
  var devices: [[UInt8]]
  var parts: [Part]
  /// Participants of the server that take part no more, or whose invitation is over.
  var ended: [String]
  /// Public keys that signed for guests once and do no more.
  var former: [[UInt8]]
  /// The digests of objects that count although their author is none of the above.
  var kept: Set<ContentHash>
  /// SHA-256 of what the owner's devices tell the place when they withdraw the zone, and not before.
  var withdrawal: [UInt8]

  /// The most that a number is: beyond it an entry is not of a device's making.
  static let mostEntries: UInt64 = 1 << 48

  /// Whether it stands in the place of another one.
  func isNewer(than other: ShareEntry?) -> Bool {
    guard let other else { return true }
    if card.epoch != other.card.epoch { return card.epoch > other.card.epoch }
    if number != other.number { return number > other.number }
    // Two devices of the owner have stated at once: all take the same of the two. What is sealed does not decide, as each
    // participant can seal it once more.
    return other.said.lexicographicallyPrecedes(said)
  }

  // MARK: Keys

  /// Seals the keys of the zone to each part.
  mutating func sealKeys(
    _ zone: SharedZoneName, of vault: [UInt8], _ key: (ZoneKeyName) -> [UInt8]?,
    from environment: SyncEnvironment
  ) {
    let message = keys.flatMap { key($0) ?? [] }
    for place in parts.indices {
      let part = parts[place]
      parts[place].sealed =
        HPKE.seal(
          message, to: part.card.box, purpose: purpose(part, zone, vault),
          ephemeral: environment.randomBytes(32)) ?? []
    }
  }

  /// The keys of the zone that are sealed to a person; empty for whoever has no part.
  func keys(_ zone: SharedZoneName, for persons: [PersonKey]) -> [ZoneKeyName: [UInt8]] {
    for person in persons {
      // A guest can show a card with this person's key to sign in it, and another one to seal to.
      let messages = parts.lazy.filter { $0.card.signing == person.signing.publicKey }.compactMap {
        HPKE.open($0.sealed, by: person.box, purpose: purpose($0, zone, card.vault))
      }
      guard let message = messages.first(where: { $0.count == keys.count * VaultKeys.keyLength })
      else { continue }
      var found: [ZoneKeyName: [UInt8]] = [:]
      for (place, name) in keys.enumerated() {
        let start = place * VaultKeys.keyLength
        found[name] = Array(message[start..<start + VaultKeys.keyLength])
      }
      return found
    }
    return [:]
  }

  private func purpose(_ part: Part, _ zone: SharedZoneName, _ vault: [UInt8]) -> [UInt8] {
    var writer = ByteWriter()
    writer.write(raw: "cloudsync/1/share-keys".utf8)
    writer.write(block: vault)
    writer.write(text: zone.domain)
    writer.write(text: zone.zone.text)
    writer.write(fixed: card.epoch)
    writer.write(fixed: number)
    writer.write(block: part.card.signing)
    return writer.bytes
  }

  // MARK: Bytes

  private static let magic = "cloudsync/1/share-entry"
  private static let idLimit = 256

  /// Signs and seals.
  func sealed(
    by person: PersonKey, _ names: ZoneNames, from environment: SyncEnvironment
  ) -> [UInt8] {
    let said = said
    var message = ByteWriter()
    message.write(block: said)
    message.write(block: person.signing.sign(Self.signed(said, names, card.vault)))
    return ShelfBytes.seal(
      message.bytes, Self.magic, key: Self.key(names), context: Self.context(names, card.vault),
      salt: environment.randomBytes(32))
  }

  /// The entry; nil when it is not of the owner of the zone.
  ///
  /// - Parameters:
  ///   - bytes: What lies in the zone.
  ///   - vault: The id of the owner's vault.
  ///   - owner: The public key of the owner.
  ///   - names: The names of the zone's objects.
  /// - Returns: The entry; nil for anything else that may lie there.
  static func open(
    _ bytes: [UInt8], of vault: [UInt8], _ owner: [UInt8], _ names: ZoneNames
  ) -> ShareEntry? {
    let message = ShelfBytes.open(
      bytes, magic, key: key(names), context: context(names, vault))
    return try? message?.reading(allowingRest: true) { reader in
      let (said, signature) = (try reader.block(), try reader.block())
      return try said.reading { reader in
        // Each participant can seal, so nothing is believed before the signature.
        let card = try PersonCard(&reader)
        guard card.vault == vault, card.owner == owner,
          SigningKey.isValid(signature, of: signed(said, names, vault), by: card.signing)
        else { throw ByteReader.damaged("an entry is not signed by the zone's owner") }
        return try ShareEntry(of: card, &reader)
      }
    }
  }

  private static func key(_ names: ZoneNames) -> [UInt8] {
    KeyDerivation.expand(names.key, for: Array("cloudsync/1/share-entries".utf8))
  }

  private static func context(_ names: ZoneNames, _ vault: [UInt8]) -> [UInt8] {
    var writer = ByteWriter()
    writer.write(block: vault)
    writer.write(text: names.domain)
    writer.write(text: names.zone.text)
    return writer.bytes
  }

  private static func signed(
    _ said: [UInt8], _ names: ZoneNames, _ vault: [UInt8]
  ) -> [UInt8] {
    Array(magic.utf8) + context(names, vault) + SHA256.hash(said)
  }

  init(_ reader: inout ByteReader) throws {
    try self.init(of: PersonCard(&reader), &reader)
  }

  private init(of card: PersonCard, _ reader: inout ByteReader) throws {
    self.card = card
    number = try reader.varint()
    keys = try (0..<reader.count(of: 2)).map { _ in try ZoneKeyName(&reader) }
    devices = try (0..<reader.count()).map { _ in try reader.block() }
    parts = try (0..<reader.count()).map { _ in
      Part(
        id: try reader.text(limit: Self.idLimit), card: try PersonCard(&reader),
        mayWrite: try reader.flag(), sealed: try reader.block())
    }
    ended = try (0..<reader.count()).map { _ in try reader.text(limit: Self.idLimit) }
    former = try (0..<reader.count()).map { _ in try reader.block() }
    kept = Set(try (0..<reader.count(of: 16)).map { _ in try reader.hash() })
    withdrawal = try reader.block()
    guard number <= Self.mostEntries, !keys.isEmpty, keys.count <= ZoneKeyName.most,
      keys == Set(keys).sorted(),
      withdrawal.count == 32,
      (devices + former).allSatisfy({ $0.count == VaultKeys.keyLength })
    else {
      throw ByteReader.damaged("an entry says what it cannot say")
    }
  }

  init(
    card: PersonCard, number: UInt64, keys: [ZoneKeyName], devices: [[UInt8]] = [],
    parts: [Part] = [], ended: [String] = [], former: [[UInt8]] = [], kept: Set<ContentHash> = [],
    withdrawal: [UInt8]
  ) {
    (self.card, self.number, self.keys, self.devices) = (card, number, keys, devices)
    (self.parts, self.ended, self.former, self.kept) = (parts, ended, former, kept)
    self.withdrawal = withdrawal
  }

  /// What is signed.
  private var said: [UInt8] {
    var writer = ByteWriter()
    write(to: &writer)
    return writer.bytes
  }

  func write(to writer: inout ByteWriter) {
    card.write(to: &writer)
    writer.write(varint: number)
    writer.write(count: keys.count)
    for key in keys { key.write(to: &writer) }
    writer.write(count: devices.count)
    for device in devices { writer.write(block: device) }
    writer.write(count: parts.count)
    for part in parts {
      writer.write(text: part.id)
      part.card.write(to: &writer)
      writer.write(byte: part.mayWrite ? 1 : 0)
      writer.write(block: part.sealed)
    }
    writer.write(count: ended.count)
    for id in ended { writer.write(text: id) }
    writer.write(count: former.count)
    for key in former { writer.write(block: key) }
    writer.write(count: kept.count)
    for digest in kept.sorted() { writer.write(digest) }
    writer.write(block: withdrawal)
  }
}
