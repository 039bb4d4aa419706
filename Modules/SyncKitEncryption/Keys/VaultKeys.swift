public import SyncKit
import SyncCrypto

/// The keys of a vault: whoever has them reads and writes everything in it.
///
/// Derivations are those of Documentation/Formats/Encryption.md.
public struct VaultKeys: Hashable, Sendable {
  /// Bytes of the vault's id.
  public static let idLength = 16
  /// Bytes of the root key, and of every key of an epoch.
  public static let keyLength = 32

  /// The id of the vault, random and no secret.
  public let id: [UInt8]
  /// The public key of the vault's owner, who alone lets devices go: see ``VaultOwner``.
  public let owner: [UInt8]
  /// The secret from which the others follow, or by which they are kept.
  public let root: [UInt8]
  /// The keys of the epochs, in the order in which they are tried: by number, and what is written with last.
  public private(set) var epochs: [EpochKey]

  /// The key of a time between two moments at which devices were let go.
  public struct EpochKey: Hashable, Sendable {
    /// The number of the epoch, from 1.
    ///
    /// Two that began side by side on two devices have the same.
    public let number: UInt64
    /// The key.
    public let key: [UInt8]

    /// Names a key.
    public init(number: UInt64, key: [UInt8]) { (self.number, self.key) = (number, key) }

    /// What says which key it is, and nothing of it.
    var hash: [UInt8] { SHA256.hash(Array("cloudsync/1/epoch".utf8) + key) }
  }

  /// Takes keys; nil when one has the wrong length, or there is no epoch.
  public init?(id: [UInt8], owner: [UInt8], root: [UInt8], epochs: [EpochKey]) {
    guard id.count == Self.idLength, owner.count == Self.keyLength,
      root.count == Self.keyLength, !epochs.isEmpty,
      epochs.allSatisfy({ $0.key.count == Self.keyLength && $0.number > 0 })
    else { return nil }
    (self.id, self.owner, self.root, self.epochs) = (id, owner, root, [])
    for epoch in epochs { add(epoch) }
  }

  /// Draws the keys of a new vault.
  public init(of owner: VaultOwner, from environment: SyncEnvironment) {
    self.owner = owner.key.publicKey
    id = environment.randomBytes(Self.idLength)
    root = environment.randomBytes(Self.keyLength)
    epochs = [EpochKey(number: 1, key: environment.randomBytes(Self.keyLength))]
  }

  /// A key for the epoch after this one, which nobody knows yet.
  func nextEpoch(from environment: SyncEnvironment) -> EpochKey {
    EpochKey(number: epoch + 1, key: environment.randomBytes(Self.keyLength))
  }

  /// Takes the key of an epoch; false when it is there already.
  @discardableResult
  mutating func add(_ epoch: EpochKey) -> Bool {
    guard !epochs.contains(epoch) else { return false }
    epochs.append(epoch)
    // All devices write with the same of two that began side by side.
    epochs.sort {
      $0.number != $1.number
        ? $0.number < $1.number : $1.hash.lexicographicallyPrecedes($0.hash)
    }
    return true
  }

  /// The number of the newest epoch, from 1.
  public var epoch: UInt64 { current.number }

  /// The key of the epoch in which this device writes.
  var current: EpochKey { epochs[epochs.count - 1] }

  /// The id of the vault, for people.
  public var text: String { Base32.encode(id) }

  /// The id of the vault in the form in which remotes have it: a UUID that says that everything is encrypted.
  var marker: String {
    var bytes = id
    bytes[6] = 0x80 | bytes[6] & 0x0F
    bytes[8] = 0x80 | bytes[8] & 0x3F
    return UUIDText.text(of: bytes)
  }

  /// What a store knows of a remote, with what says that everything on it is encrypted.
  func marking(_ identity: RemoteIdentity) -> RemoteIdentity {
    var marked = identity
    (marked.isEncrypted, marked.marker) = (true, marker)
    return marked
  }

  /// The key from which names become pseudonyms.
  var directory: [UInt8] { KeyDerivation.expand(root, for: Array("cloudsync/1/directory".utf8)) }

  /// The key of a zone in an epoch, by the pseudonyms under which it lies.
  ///
  /// - Parameters:
  ///   - zone: The pseudonym of the zone.
  ///   - domain: The pseudonym of the domain.
  ///   - epoch: The epoch of the vault.
  ///   - share: How often the zone has got a new key because people no longer take part in it.
  /// - Returns: The key.
  func zone(
    _ zone: ZoneID, of domain: String, in epoch: EpochKey, share: UInt64
  ) -> [UInt8] {
    var purpose = ByteWriter()
    purpose.write(raw: "cloudsync/1/zone".utf8)
    purpose.write(text: domain)
    purpose.write(text: zone.text)
    purpose.write(fixed: share)
    return KeyDerivation.expand(epoch.key, for: purpose.bytes)
  }
}

extension VaultKeys {
  /// Reads what ``write(to:)`` wrote; nil for keys that are none.
  init?(id: [UInt8], _ reader: inout ByteReader) throws {
    let (owner, root) = (try reader.block(), try reader.block())
    let epochs = try (0..<reader.count()).map { _ in
      EpochKey(number: try reader.varint(), key: try reader.block())
    }
    self.init(id: id, owner: owner, root: root, epochs: epochs)
  }

  /// Writes the secrets.
  func write(to writer: inout ByteWriter) {
    writer.write(block: owner)
    writer.write(block: root)
    writer.write(count: epochs.count)
    for epoch in epochs {
      writer.write(varint: epoch.number)
      writer.write(block: epoch.key)
    }
  }
}

extension VaultKeys: CustomStringConvertible, CustomDebugStringConvertible {
  /// Without the keys, which stand in no log.
  public var description: String { "the keys of vault \(Base32.encode(id))" }
  public var debugDescription: String { description }
}
