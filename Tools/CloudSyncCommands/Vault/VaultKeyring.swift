import LocalMachine
import SyncKit
import SyncKitEncryption
import SyncKitText

/// The keys that this device has: those of the vault, and its own.
///
/// They lie in a file of the data folder that only its owner can read, and in no backup.
struct VaultKeyring {
  let keys: VaultKeys
  /// What opens the keys by a code or a passphrase; each remote has a copy.
  private(set) var slots: [KeySlot]
  /// The seed of this device's own key, by which it signs what it stores.
  let author: [UInt8]
  /// The remotes on which everything is encrypted, whatever the configuration says.
  private(set) var remotes: Set<String> = []

  /// The keys in a data folder; nil where there are none.
  ///
  /// - Throws: ``SyncError`` `store.io`, `crypto.keys-damaged`.
  init?(in folder: String) throws {
    let path = Self.path(in: folder)
    guard FileSignature(path) != nil else { return nil }
    let bytes: [UInt8]
    do { bytes = try LocalFile.read(path, limit: 1 << 20) } catch { throw SyncError(error) }
    let file = try? JSON(parsing: bytes)
    func secret(_ json: JSON?) -> [UInt8]? { json?.string.flatMap { Base64.decode($0) } }
    guard file?["version"]?.int == 1, let id = secret(file?["vault"]),
      let root = secret(file?["root"]), let author = secret(file?["device"]), author.count == 32,
      let keys = VaultKeys(
        id: id, root: root, epochs: (file?["epochs"]?.array ?? []).compactMap(secret))
    else {
      throw SyncError(
        .keysDamaged, "\(path) does not hold the keys of a vault",
        hint:
          "put the file back from a copy, or remove it and join the vault again with 'cloudsync init'"
      )
    }
    // What opens the keys on a remote is a copy, and no reason to refuse the keys.
    let slots = (file?["slots"]?.array ?? []).compactMap(secret).compactMap { try? KeySlot($0) }
    (self.keys, self.slots, self.author) = (keys, slots, author)
    remotes = Set((file?["remotes"]?.array ?? []).compactMap(\.string))
  }

  /// Keys of a vault with a new key for this device.
  ///
  /// - Parameters:
  ///   - keys: The keys.
  ///   - slots: What opens them; beyond a handful it is not of the vault's making.
  ///   - environment: The source of randomness.
  init(_ keys: VaultKeys, slots: [KeySlot], from environment: SyncEnvironment) {
    (self.keys, self.slots) = (keys, Array(slots.prefix(Self.mostSlots)))
    author = (0..<4).flatMap { _ in environment.random().bigEndianBytes }
  }

  private static let mostSlots = 8

  /// Remembers that a remote is encrypted, or that it is none of this device any more.
  mutating func note(_ remote: String, isEncrypted: Bool) {
    if isEncrypted { remotes.insert(remote) } else { remotes.remove(remote) }
  }

  /// Takes a new recovery code in the place of the one before.
  mutating func replaceRecovery(with slot: KeySlot) {
    slots = slots.filter { $0.kind != .recovery } + [slot]
  }

  /// Keeps the keys.
  func save(in folder: String) throws {
    let file: JSON = [
      "version": 1, "vault": .string(Base64.encode(keys.id)),
      "root": .string(Base64.encode(keys.root)),
      "epochs": .array(keys.epochs.map { .string(Base64.encode($0)) }),
      "slots": .array(slots.map { .string(Base64.encode($0.bytes)) }),
      "device": .string(Base64.encode(author)),
      "remotes": .array(remotes.sorted().map { .string($0) }),
    ]
    do {
      try LocalFolder.create(folder)
      try LocalFile.replace(Self.path(in: folder), with: file.serialized(pretty: true) + [0x0A])
    } catch { throw SyncError(error) }
  }

  private static func path(in folder: String) -> String {
    LocalFolder.path(folder, "vault-keys.json")
  }
}

extension SyncError.Code {
  /// The file of the keys is damaged.
  static let keysDamaged = Self("crypto.keys-damaged", exit: 65)
  /// A remote is encrypted, and this device has no keys of its vault.
  static let noKeys = Self("crypto.no-keys", exit: 77)
  /// The configuration turns off the encryption of a remote that has it.
  static let turnedOff = Self("crypto.turned-off", exit: 77)
  /// Nobody has said whether a new remote is encrypted.
  static let undecided = Self("crypto.undecided", exit: 78)
  /// A code or passphrase opens no slot of the vault.
  static let wrongCode = Self("crypto.wrong-code", exit: 77)
  /// A remote belongs to another vault than the keys of this device.
  static let otherVault = Self("crypto.other-vault", exit: 77)
}
