import LocalMachine
import SyncKit
import SyncKitEncryption
import SyncKitText

/// The keys that this device has: those of the vault, and its own.
///
/// They lie in a file of the data folder that only its owner can read, and in no backup.
struct VaultKeyring {
  var keys: DeviceKeys
  /// What opens the keys by a code or a passphrase, as this device has found or made it.
  private let firstSlots: [KeySlot]
  /// The remotes on which everything is encrypted, whatever the configuration says.
  private(set) var remotes: Set<String> = []
  /// Those of them with which this device has synced in plain before, until it has removed what lay there in plain.
  var unfinished: Set<String> = []
  /// The remotes that are being moved to plain, of which some may still be encrypted.
  var leaving: Set<String> = []
  /// The remotes on which not all is encrypted again yet with the newest key.
  var reencrypting: Set<String> = []

  /// The keys in a data folder; nil where there are none.
  ///
  /// - Throws: ``SyncError`` `store.io`, `crypto.keys-damaged`.
  init?(in folder: String) throws {
    let path = Self.path(in: folder)
    guard FileSignature(path) != nil else { return nil }
    CoreDump.forbid()
    let bytes: [UInt8]
    do { bytes = try LocalFile.read(path, limit: 256 << 20) } catch { throw SyncError(error) }
    let file = try? JSON(parsing: bytes)
    func secret(_ json: JSON?) -> [UInt8]? { json?.string.flatMap { Base64.decode($0) } }
    guard file?["version"]?.int == 1, let keys = secret(file?["keys"]).flatMap({ DeviceKeys($0) })
    else {
      throw SyncError(
        .keysDamaged, "\(path) does not hold the keys of a vault",
        hint:
          "put the file back from a copy, or remove it and join the vault again with 'cloudsync init'"
      )
    }
    self.keys = keys
    // What opens the keys on a remote is a copy, and no reason to refuse the keys.
    firstSlots = (file?["slots"]?.array ?? []).compactMap(secret).compactMap { try? KeySlot($0) }
    func names(_ key: String) -> Set<String> {
      Set((file?[key]?.array ?? []).compactMap(\.string))
    }
    (remotes, unfinished) = (names("remotes"), names("unfinished"))
    (leaving, reencrypting) = (names("leaving"), names("reencrypting"))
  }

  /// Keys of a vault.
  ///
  /// - Parameters:
  ///   - keys: The keys.
  ///   - slots: What opens them; beyond a handful it is not of the vault's making.
  init(_ keys: DeviceKeys, slots: [KeySlot]) {
    (self.keys, firstSlots) = (keys, Array(slots.prefix(Self.mostSlots)))
  }

  private static let mostSlots = 8

  /// What opens the keys by a code or a passphrase; each remote has a copy.
  var slots: [KeySlot] { keys.slots ?? firstSlots }

  /// Remembers that a remote is encrypted, or that it is none of this device any more.
  mutating func note(_ remote: String, isEncrypted: Bool) {
    if isEncrypted {
      remotes.insert(remote)
    } else {
      remotes.remove(remote)
      unfinished.remove(remote)
      leaving.remove(remote)
      reencrypting.remove(remote)
    }
  }

  /// Takes a new recovery code or passphrase in the place of the one before; nil for none.
  mutating func replace(
    _ kind: KeySlot.Kind, with slot: KeySlot?, from environment: SyncEnvironment
  ) {
    keys.setSlots(slots.filter { $0.kind != kind } + (slot.map { [$0] } ?? []), from: environment)
  }

  /// Keeps the keys in a data folder.
  func save(in folder: String) throws {
    func list(_ names: Set<String>) -> JSON { .array(names.sorted().map { .string($0) }) }
    let file: JSON = [
      "version": 1, "keys": .string(Base64.encode(keys.bytes)),
      "slots": .array(firstSlots.map { .string(Base64.encode($0.bytes)) }),
      "remotes": list(remotes), "unfinished": list(unfinished), "leaving": list(leaving),
      "reencrypting": list(reencrypting),
    ]
    do {
      try LocalFolder.create(folder)
      try LocalFile.replace(Self.path(in: folder), with: file.serialized(pretty: true) + [0x0A])
    } catch { throw SyncError(error) }
  }

  /// Where the keys lie.
  static func path(in folder: String) -> String {
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
  /// It is not decided yet whether a new remote is encrypted.
  static let undecided = Self("crypto.undecided", exit: 78)
  /// A code or passphrase opens no slot of the vault.
  static let wrongCode = Self("crypto.wrong-code", exit: 77)
  /// A remote belongs to another vault than the keys of this device.
  static let otherVault = Self("crypto.other-vault", exit: 77)
}
