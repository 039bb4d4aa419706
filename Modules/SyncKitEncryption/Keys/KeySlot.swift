import SyncCrypto
public import SyncKit

/// The root key of a vault, sealed under something that a person has: it may lie on any place.
///
/// What is derived from what is described in Documentation/Formats/Encryption.md.
public struct KeySlot: Sendable {
  /// What opens a slot.
  public enum Kind: UInt8, Sendable {
    /// A passphrase.
    case passphrase = 1
    /// A recovery code.
    case recovery = 2
    /// A code for one device, which expires.
    case invitation = 3
  }

  /// What opens it.
  public let kind: Kind
  /// The id of the vault.
  public let vault: [UInt8]
  /// Milliseconds since 1970 after which an invitation is refused; nil for other kinds.
  public let expires: Int64?
  private let salt: [UInt8]
  private let cost: PassphraseKey.Cost?
  private let envelope: [UInt8]

  /// Seals keys under a passphrase.
  ///
  /// - Throws: ``SyncKit/SyncError`` `internal.failure` when the machine lacks the memory for it.
  public init(
    _ keys: VaultKeys, passphrase: String, from environment: SyncEnvironment
  ) throws(SyncError) {
    let salt = environment.randomBytes(16)
    let cost = PassphraseKey.Cost.usual
    guard let key = PassphraseKey.derive(Array(passphrase.utf8), salt: salt, cost: cost) else {
      throw SyncError(
        .failure,
        "A key cannot be derived from the passphrase: this platform cannot, or has too little memory.",
        hint: "Use a recovery code.")
    }
    self.init(.passphrase, keys, key, salt: salt, cost: cost, expires: nil, environment)
  }

  /// Seals keys under a recovery code, and with them the power to let devices go.
  ///
  /// - Parameters:
  ///   - keys: The keys.
  ///   - owner: The owner's key. Without it the code opens all data, but cannot let a device go.
  ///   - code: The code.
  ///   - environment: The source of randomness.
  public init(
    _ keys: VaultKeys, owner: VaultOwner?, recovery code: RecoveryCode,
    from environment: SyncEnvironment
  ) {
    let salt = environment.randomBytes(16)
    self.init(
      .recovery, keys, owner: owner, Self.key(code, salt, "cloudsync/1/recovery"), salt: salt,
      cost: nil, expires: nil, environment)
  }

  /// Seals keys under a code for one device.
  ///
  /// - Parameters:
  ///   - keys: The keys.
  ///   - code: The code.
  ///   - expires: The milliseconds since 1970 after which it is refused.
  ///   - frontier: What the inviting device knows of the place.
  ///   - environment: The source of randomness.
  public init(
    _ keys: VaultKeys, invitation code: RecoveryCode, until expires: Int64,
    telling frontier: Frontier = Frontier(), from environment: SyncEnvironment
  ) {
    let salt = environment.randomBytes(16)
    self.init(
      .invitation, keys, frontier: frontier, Self.key(code, salt, "cloudsync/1/invitation"),
      salt: salt, cost: nil, expires: expires, environment)
  }

  private init(
    _ kind: Kind, _ keys: VaultKeys, owner: VaultOwner? = nil, frontier: Frontier? = nil,
    _ key: [UInt8], salt: [UInt8], cost: PassphraseKey.Cost?, expires: Int64?,
    _ environment: SyncEnvironment
  ) {
    (self.kind, vault, self.salt) = (kind, keys.id, salt)
    (self.cost, self.expires) = (cost, expires)
    var content = ByteWriter()
    keys.write(to: &content)
    content.write(block: owner?.key.seed ?? [])
    if let frontier {
      frontier.write(to: &content)
      let padding = PaddedLength.of(content.bytes.count) - content.bytes.count
      content.write(raw: repeatElement(0, count: padding))
    }
    envelope = Envelope.seal(
      content.bytes, context: Self.head(kind, keys.id, salt, cost, expires), key: key,
      salt: environment.randomBytes(32))
  }

  // MARK: Opening

  /// Whether it is an invitation whose time is over, at a time in milliseconds since 1970.
  public func hasExpired(at now: Int64) -> Bool { expires.map { $0 <= now } ?? false }

  /// The keys, by a passphrase; nil for a wrong one.
  ///
  /// It takes a quarter of a second and 64 MiB, or what the slot says.
  public func open(passphrase: String) -> VaultKeys? {
    guard kind == .passphrase, let cost,
      let key = PassphraseKey.derive(Array(passphrase.utf8), salt: salt, cost: cost)
    else { return nil }
    return open(key)?.keys
  }

  /// The keys, by a recovery code or an invitation; nil for a wrong one, and for an invitation that has expired.
  public func open(code: RecoveryCode, now: Int64) -> VaultKeys? {
    switch kind {
    case .passphrase: return nil
    case .recovery: return open(Self.key(code, salt, "cloudsync/1/recovery"))?.keys
    case .invitation:
      guard let expires, now < expires else { return nil }
      return open(Self.key(code, salt, "cloudsync/1/invitation"))?.keys
    }
  }

  /// What the inviting device knew of the place, by the code of an invitation; nil where it does not open.
  public func frontier(code: RecoveryCode, now: Int64) -> Frontier? {
    guard let expires, now < expires else { return nil }
    return open(Self.key(code, salt, "cloudsync/1/invitation"))?.frontier
  }

  /// The owner's key, by the recovery code; nil for a wrong one, and where the slot has none.
  public func owner(code: RecoveryCode) -> VaultOwner? {
    guard kind == .recovery else { return nil }
    return open(Self.key(code, salt, "cloudsync/1/recovery"))?.owner
  }

  private func open(
    _ key: [UInt8]
  ) -> (keys: VaultKeys, owner: VaultOwner?, frontier: Frontier?)? {
    let context = Self.head(kind, vault, salt, cost, expires)
    guard let content = Envelope.open(envelope, context: context, key: key) else { return nil }
    // An invitation is padded.
    return try? content.reading(allowingRest: kind == .invitation) { reader in
      guard let keys = try VaultKeys(id: vault, &reader) else {
        throw ByteReader.damaged("they are no keys of a vault")
      }
      let seed = try reader.block()
      let frontier = kind == .invitation ? try Frontier(&reader) : nil
      guard let owner = VaultOwner(seed: seed) else {
        guard seed.isEmpty else { throw ByteReader.damaged("the owner's key has another length") }
        return (keys, nil, frontier)
      }
      guard owner.key.publicKey == keys.owner else {
        throw ByteReader.damaged("the owner's key is that of another vault")
      }
      return (keys, owner, frontier)
    }
  }

  // MARK: Bytes

  /// The slot as it lies on a place.
  public var bytes: [UInt8] { Self.head(kind, vault, salt, cost, expires) + envelope }

  /// Reads a slot.
  ///
  /// - Throws: ``SyncKit/SyncError`` `format.damaged`, or `crypto.cost` for a passphrase that costs less than is
  ///   safe or more than a device has.
  public init(_ bytes: [UInt8]) throws {
    self = try bytes.reading { reader in
      guard try reader.text(limit: 16) == Self.magic, let kind = Kind(rawValue: try reader.byte())
      else { throw ByteReader.damaged("they are no slot of a key") }
      let (vault, salt) = (try reader.block(), try reader.block())
      let (passes, memory) = (try reader.varint(), try reader.varint())
      let expires = try reader.signed()
      guard vault.count == VaultKeys.idLength, salt.count == PassphraseKey.saltLength,
        kind == .passphrase || (passes == 0 && memory == 0), kind == .invitation || expires == 0
      else { throw ByteReader.damaged("a slot says what it cannot say") }
      let cost = PassphraseKey.Cost(passes: Int(clamping: passes), memory: Int(clamping: memory))
      guard kind != .passphrase || cost.isAcceptable else {
        throw SyncError(
          .cost, "A place says that a passphrase costs \(passes) passes over \(memory) bytes.",
          hint: "No device of yours has written that; do not type your passphrase for this place.")
      }
      let envelope = Array(try reader.slice(reader.remaining))
      return KeySlot(
        kind: kind, vault: vault, expires: kind == .invitation ? expires : nil, salt: salt,
        cost: kind == .passphrase ? cost : nil, envelope: envelope)
    }
  }

  private init(
    kind: Kind, vault: [UInt8], expires: Int64?, salt: [UInt8], cost: PassphraseKey.Cost?,
    envelope: [UInt8]
  ) {
    (self.kind, self.vault, self.expires) = (kind, vault, expires)
    (self.salt, self.cost, self.envelope) = (salt, cost, envelope)
  }

  private static let magic = "cloudsync/1/slot"

  /// All that stands before the envelope, which its tag covers.
  private static func head(
    _ kind: Kind, _ vault: [UInt8], _ salt: [UInt8], _ cost: PassphraseKey.Cost?, _ expires: Int64?
  ) -> [UInt8] {
    var writer = ByteWriter()
    writer.write(text: magic)
    writer.write(byte: kind.rawValue)
    writer.write(block: vault)
    writer.write(block: salt)
    writer.write(count: cost?.passes ?? 0)
    writer.write(count: cost?.memory ?? 0)
    writer.write(signed: expires ?? 0)
    return writer.bytes
  }

  private static func key(_ code: RecoveryCode, _ salt: [UInt8], _ purpose: String) -> [UInt8] {
    KeyDerivation.expand(
      KeyDerivation.extract(code.secret, salt: salt), for: Array(purpose.utf8))
  }
}

extension SyncError.Code {
  /// A place asks for a cost of a passphrase that no device of the vault would choose.
  public static let cost = Self("crypto.cost", exit: 76)
}
