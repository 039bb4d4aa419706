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
  /// The secret from which the others follow, or by which they are kept.
  public let root: [UInt8]
  /// The keys of the epochs, the first one at 0.
  public private(set) var epochs: [[UInt8]]

  /// Takes keys; nil when one has the wrong length or there is no epoch.
  public init?(id: [UInt8], root: [UInt8], epochs: [[UInt8]]) {
    guard id.count == Self.idLength, root.count == Self.keyLength, !epochs.isEmpty,
      epochs.allSatisfy({ $0.count == Self.keyLength })
    else { return nil }
    (self.id, self.root, self.epochs) = (id, root, epochs)
  }

  /// Draws the keys of a new vault.
  public init(from environment: SyncEnvironment) {
    id = Self.draw(Self.idLength, environment)
    root = Self.draw(Self.keyLength, environment)
    epochs = [Self.draw(Self.keyLength, environment)]
  }

  /// Begins a new epoch with a key that was not known before.
  public mutating func beginEpoch(from environment: SyncEnvironment) {
    epochs.append(Self.draw(Self.keyLength, environment))
  }

  /// The number of the newest epoch, from 1.
  public var epoch: UInt64 { UInt64(epochs.count) }

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

  /// The key of a zone in an epoch, by the pseudonyms under which it lies; nil for an epoch that is not known.
  func zone(_ zone: ZoneID, of domain: String, epoch: UInt64) -> [UInt8]? {
    guard epoch > 0, epoch <= UInt64(epochs.count) else { return nil }
    var purpose = ByteWriter()
    purpose.write(raw: "cloudsync/1/zone".utf8)
    purpose.write(text: domain)
    purpose.write(text: zone.text)
    return KeyDerivation.expand(epochs[Int(epoch) - 1], for: purpose.bytes)
  }

  private static func draw(_ count: Int, _ environment: SyncEnvironment) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count { bytes += environment.random().bigEndianBytes }
    return Array(bytes.prefix(count))
  }
}

extension VaultKeys: CustomStringConvertible, CustomDebugStringConvertible {
  /// Without the keys, which stand in no log.
  public var description: String { "the keys of vault \(Base32.encode(id))" }
  public var debugDescription: String { description }
}
