import SyncCrypto
public import SyncKit

/// What a device needs to read and write encrypted remotes: the keys of the vault, a key of its own, and what the devices
/// of the vault have stated.
///
/// An app keeps the ``bytes`` where only it can read them, such as the keychain; they are in no store and no backup.
/// ``SyncKit/Remote/exchange(_:for:others:isDryRun:save:)`` brings them up to date.
public struct DeviceKeys: Hashable, Sendable {
  /// The keys that all devices of the vault have.
  public internal(set) var vault: VaultKeys
  /// The seed of the key by which this device signs what it stores.
  let author: [UInt8]
  /// What was stated, sealed as it lies on remotes.
  private(set) var statements: [SealedStatement] = []
  /// Who belongs to the vault, by these statements.
  public private(set) var membership = Membership([])

  /// The newest entries of shared zones that this device has seen, as they lie there.
  var entries: [SharedZoneName: [UInt8]] = [:]

  /// Makes a key for a device that has got the keys of a vault, or has just drawn them.
  ///
  /// - Parameters:
  ///   - vault: The keys of the vault.
  ///   - frontier: What the device knew that has let this one in.
  ///   - environment: The source of randomness.
  public init(
    of vault: VaultKeys, after frontier: Frontier = Frontier(), from environment: SyncEnvironment
  ) {
    self.vault = vault
    author = environment.randomBytes(VaultKeys.keyLength)
    learn(frontier.epochs)
  }

  /// Makes a key for the first device of a vault, which says who the person is.
  public init(of vault: VaultKeys, by owner: VaultOwner, from environment: SyncEnvironment) {
    self.init(of: vault, from: environment)
    state(.card(PersonCard(of: vault, in: vault.current, by: owner)), environment)
  }

  /// Puts keys together; nil when the device's own has another length.
  init?(_ vault: VaultKeys, author: [UInt8], statements: [SealedStatement]) {
    guard author.count == VaultKeys.keyLength else { return nil }
    (self.vault, self.author) = (vault, author)
    learn(statements)
  }

  /// The same device with the keys that a code has opened, such as those of a later epoch; nil for those of another vault.
  ///
  /// - Parameters:
  ///   - vault: The keys.
  ///   - frontier: What the device knew that has made the code.
  /// - Returns: The keys of this device.
  public func with(_ vault: VaultKeys, after frontier: Frontier = Frontier()) -> DeviceKeys? {
    guard vault.id == self.vault.id else { return nil }
    var keys = self
    for epoch in vault.epochs { keys.vault.add(epoch) }
    keys.learn(frontier.epochs)
    return keys
  }

  // MARK: Bytes

  /// Reads what ``bytes`` wrote; nil for anything else.
  public init?(_ bytes: [UInt8]) {
    let read = try? bytes.reading { reader in
      guard try reader.byte() == Self.version else { throw ByteReader.damaged("another version") }
      let (id, author) = (try reader.block(), try reader.block())
      let vault = try VaultKeys(id: id, &reader)
      let statements = try (0..<reader.count()).map { _ in SealedStatement(try reader.block()) }
      var entries: [SharedZoneName: [UInt8]] = [:]
      for _ in 0..<(try reader.count()) {
        let name = SharedZoneName(domain: try reader.text(), zone: ZoneID(try reader.text()))
        entries[name] = try reader.block()
      }
      return (vault, author, statements, entries)
    }
    guard let (vault, author, statements, entries) = read, let vault else { return nil }
    self.init(vault, author: author, statements: statements)
    self.entries = entries
  }

  /// All of it, a secret.
  public var bytes: [UInt8] {
    var writer = ByteWriter()
    writer.write(byte: Self.version)
    writer.write(block: vault.id)
    writer.write(block: author)
    vault.write(to: &writer)
    writer.write(count: statements.count)
    for statement in statements { writer.write(block: statement.bytes) }
    writer.write(count: entries.count)
    for (name, entry) in entries.sorted(by: {
      ($0.key.domain, $0.key.zone) < ($1.key.domain, $1.key.zone)
    }) {
      writer.write(text: name.domain)
      writer.write(text: name.zone.text)
      writer.write(block: entry)
    }
    return writer.bytes
  }

  private static let version: UInt8 = 2

  // MARK: Statements

  /// The key by which this device signs.
  var signing: SigningKey {
    guard let key = SigningKey(seed: author) else {
      preconditionFailure("a seed of 32 bytes makes a key")
    }
    return key
  }

  /// The key to which the keys of new epochs are sealed.
  private var box: AgreementKey {
    let secret = KeyDerivation.expand(author, for: Array("cloudsync/1/box".utf8))
    guard let key = AgreementKey(secret: secret) else {
      preconditionFailure("a secret of 32 bytes makes a key")
    }
    return key
  }

  /// Takes statements that others have made, and the keys of new epochs in them.
  ///
  /// What does not open is left out: it is of an epoch of which this device has no key, or not of this vault.
  mutating func learn(_ found: [SealedStatement]) {
    if found.isEmpty, statements.isEmpty { return }
    var left = found.filter { !statements.contains($0) }
    var opened = statements.compactMap { $0.open(with: vault) }
    // A key of a new epoch may open more.
    while true {
      let count = opened.count
      left.removeAll { sealed in
        guard let statement = sealed.open(with: vault) else { return false }
        // It is about one place, and goes to no other one.
        if case .closing = statement.content { return true }
        statements.append(sealed)
        opened.append(statement)
        return true
      }
      for statement in opened {
        if let key = key(in: statement) { vault.add(key) }
      }
      if opened.count == count { break }
    }
    membership = Membership(opened)
  }

  /// The key of a new epoch, if it is sealed to this device.
  private func key(in statement: Statement) -> VaultKeys.EpochKey? {
    let own = signing.publicKey
    guard case .epoch(let epoch) = statement.content,
      let member = epoch.members.first(where: { $0.device.key == own }),
      let key = HPKE.open(
        member.sealed, by: box, purpose: Self.purpose(vault.id, epoch.number, own))
    else { return nil }
    let found = VaultKeys.EpochKey(number: epoch.number, key: key)
    return key.count == VaultKeys.keyLength && found.hash == epoch.hash ? found : nil
  }

  private static func purpose(_ vault: [UInt8], _ number: UInt64, _ member: [UInt8]) -> [UInt8] {
    var writer = ByteWriter()
    writer.write(raw: "cloudsync/1/epoch-key".utf8)
    writer.write(block: vault)
    writer.write(fixed: number)
    writer.write(block: member)
    return writer.bytes
  }

  /// Now, and later than what was stated before; another device may have stated the last time that there is.
  static func time(after known: Int64?, _ environment: SyncEnvironment) -> Int64 {
    max(environment.now(), known.map { $0 < .max ? $0 + 1 : $0 } ?? .min)
  }

  mutating func state(_ content: Statement.Content, _ environment: SyncEnvironment) {
    let sealed = SealedStatement(
      content, by: signing, in: vault.current, of: vault.id, from: environment)
    learn([sealed])
  }

  /// This device, as it has introduced itself; nil before.
  public var device: VaultDevice? { membership.members.first { $0.key == signing.publicKey } }

  /// What opens the keys on another device, as the devices have stated; nil where none has.
  public var slots: [KeySlot]? {
    membership.slots.map { $0.compactMap { try? KeySlot($0) } }
  }

  /// The statements that began the newest epoch.
  var newestEpochs: [SealedStatement] {
    statements.filter { sealed in
      guard case .epoch(let epoch)? = sealed.open(with: vault)?.content else { return false }
      return epoch.number == membership.epoch
    }
  }

  /// Whether this device was let go.
  public var isLetGo: Bool { membership.departures[signing.publicKey] != nil }

  /// Whether this device lacks the key of the newest epoch: it was let go, or joined while another one was.
  public var isLeftOut: Bool { isLetGo || membership.epoch > vault.epoch }

  /// Says who this device is, unless it has.
  mutating func introduce(id: String, name: String, from environment: SyncEnvironment) {
    guard !isLeftOut, device?.id != id || device?.name != name else { return }
    let content = Statement.Content.introduction(
      id: id, name: name, boxKey: box.publicKey, time: environment.now())
    state(content, environment)
  }

  /// Says of devices that were let go what this one had taken in of them.
  mutating func keep(
    _ objects: [[UInt8]: Set<ContentHash>], from environment: SyncEnvironment
  ) {
    for (key, digests) in objects.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      guard let departure = membership.departures[key] else { continue }
      let rest = digests.subtracting(departure.objects)
      guard !rest.isEmpty else { continue }
      state(
        .kept(Statement.Departure(device: key, name: departure.name, objects: rest)), environment)
    }
  }

  /// States what opens the keys from now on: each remote gets it with the next exchange, in place of what it has.
  public mutating func setSlots(_ slots: [KeySlot], from environment: SyncEnvironment) {
    // A clock that stands still or goes back must not leave the slots before in place.
    let time = Self.time(after: membership.slotsTime, environment)
    state(.slots(slots.map(\.bytes), time: time), environment)
  }

  /// What the owner of the vault has said of the place on which these statements lie; nil when nothing.
  func closing(in found: [SealedStatement]) -> VaultClosing? {
    found.compactMap { sealed in
      guard case .closing(let closing)? = sealed.open(with: vault)?.content else { return nil }
      return closing
    }.max { $0.time < $1.time }
  }

  /// The word that a remote is encrypted no more.
  ///
  /// - Throws: ``SyncKit/SyncError`` `internal.bug` for the owner of another vault.
  func sealed(
    closing remote: String, at location: String, by owner: VaultOwner,
    from environment: SyncEnvironment
  ) throws -> SealedStatement {
    guard owner.key.publicKey == vault.owner, !isLeftOut else {
      throw SyncError(.bug, "A place cannot be closed by who does not belong to the vault.")
    }
    let closing = VaultClosing(
      remote, at: location, time: environment.now(), by: owner, of: vault.id)
    return SealedStatement(
      .closing(closing), by: signing, in: vault.current, of: vault.id, from: environment)
  }

  /// Begins a new epoch.
  ///
  /// - Parameters:
  ///   - owner: The owner of the vault.
  ///   - gone: The devices that are let go.
  ///   - objects: What counts of what they have stored.
  ///   - slots: Makes the slots that open the keys from then on; those before open nothing new.
  ///   - environment: The source of randomness.
  /// - Throws: ``SyncKit/SyncError`` `internal.bug` for the owner of another vault.
  public mutating func beginEpoch(
    by owner: VaultOwner, lettingGo gone: [VaultDevice],
    objects: [[UInt8]: Set<ContentHash>], slots: (VaultKeys) throws -> [KeySlot],
    from environment: SyncEnvironment
  ) throws {
    guard owner.key.publicKey == vault.owner, !isLeftOut else {
      throw SyncError(.bug, "An epoch cannot be begun by who does not belong to the vault.")
    }
    let next = vault.nextEpoch(from: environment)
    let departing = Set(gone.map(\.key))
    // If a device has introduced itself with an invalid key, the others still get theirs.
    let members = membership.members.filter { !departing.contains($0.key) }.compactMap { device in
      HPKE.seal(
        next.key, to: device.boxKey,
        purpose: Self.purpose(vault.id, next.number, device.key),
        ephemeral: environment.randomBytes(32)
      ).map { Statement.Member(device: device, sealed: $0) }
    }
    var departures = membership.departures
    for device in gone {
      departures[device.key] = Statement.Departure(
        device: device.key, name: device.name, objects: objects[device.key] ?? [])
    }
    var keys = vault
    keys.add(next)
    let epoch = Statement.Epoch(
      number: next.number, hash: next.hash, members: members,
      departures: departures.values.sorted { $0.device.lexicographicallyPrecedes($1.device) },
      slots: try slots(keys).map(\.bytes))
    let (sent, taken, verified) = (
      membership.invitations, membership.shares, membership.verified
    )
    state(.epoch(epoch.signed(by: owner, of: vault.id)), environment)
    state(.card(PersonCard(of: vault, in: vault.current, by: owner)), environment)
    // What devices have said that are let go counts on if it was so before.
    for (_, invitation) in sent.sorted(by: { $0.key < $1.key }) {
      state(.invitation(invitation), environment)
    }
    for (_, share) in taken.sorted(by: {
      ($0.key.domain, $0.key.zone) < ($1.key.domain, $1.key.zone)
    }) { state(.share(share), environment) }
    for person in verified.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      state(.verified(person), environment)
    }
    // Who is let go knows the codes of invitations that are not accepted yet.
    guard !gone.isEmpty else { return }
    let parts = ShareBook(self).own.values.flatMap { $0.entry?.parts.map(\.id) ?? [] }
    for participant in sent.keys.sorted() where !parts.contains(participant) {
      set(participant, mayWrite: nil, from: environment)
    }
  }
}

extension DeviceKeys: CustomStringConvertible, CustomDebugStringConvertible {
  /// Without the keys, which stand in no log.
  public var description: String { "a device's \(vault)" }
  public var debugDescription: String { description }
}
