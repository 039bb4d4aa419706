public import SyncKit

/// What a device needs to read and write encrypted remotes: the keys of the vault, and a key of its own.
///
/// An app keeps the ``bytes`` where only it can read them, such as the keychain; they are in no store and no backup.
public struct DeviceKeys: Hashable, Sendable {
  /// The keys that all devices of the vault have.
  public let vault: VaultKeys
  /// The seed of the key by which this device signs what it stores.
  let author: [UInt8]

  /// Makes a key for a device that has got the keys of a vault, or has just drawn them.
  public init(of vault: VaultKeys, from environment: SyncEnvironment) {
    self.vault = vault
    author = (0..<4).flatMap { _ in environment.random().bigEndianBytes }
  }

  /// Reads what ``bytes`` wrote; nil for anything else.
  public init?(_ bytes: [UInt8]) {
    let read = try? bytes.reading { reader in
      guard try reader.byte() == Self.version else { throw ByteReader.damaged("another version") }
      let (id, root, author) = (try reader.block(), try reader.block(), try reader.block())
      let epochs = try (0..<reader.count()).map { _ in try reader.block() }
      guard reader.isAtEnd else { throw ByteReader.damaged("more than keys") }
      return (VaultKeys(id: id, root: root, epochs: epochs), author)
    }
    guard let (vault, author) = read, let vault, author.count == VaultKeys.keyLength else {
      return nil
    }
    (self.vault, self.author) = (vault, author)
  }

  /// All of it, a secret.
  public var bytes: [UInt8] {
    var writer = ByteWriter()
    writer.write(byte: Self.version)
    writer.write(block: vault.id)
    writer.write(block: vault.root)
    writer.write(block: author)
    writer.write(count: vault.epochs.count)
    for epoch in vault.epochs { writer.write(block: epoch) }
    return writer.bytes
  }

  private static let version: UInt8 = 1
}

extension DeviceKeys: CustomStringConvertible, CustomDebugStringConvertible {
  /// Without the keys, which stand in no log.
  public var description: String { "a device's \(vault)" }
  public var debugDescription: String { description }
}
