import SyncCrypto
import SyncKit

/// A statement as it lies on a remote: only who has the key of its epoch can read it, or make one.
struct SealedStatement: Hashable, Sendable {
  let bytes: [UInt8]

  private static let magic = "cloudsync/1/statement"

  /// Takes what a place gave.
  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Signs and seals.
  ///
  /// - Parameters:
  ///   - content: What is stated.
  ///   - author: The key of the device that states it.
  ///   - epoch: The epoch with whose key it is sealed.
  ///   - vault: The id of the vault.
  ///   - environment: The source of randomness.
  init(
    _ content: Statement.Content, by author: SigningKey, in epoch: VaultKeys.EpochKey,
    of vault: [UInt8], from environment: SyncEnvironment
  ) {
    var said = ByteWriter()
    content.write(to: &said)
    var message = ByteWriter()
    message.write(block: said.bytes)
    message.write(block: author.publicKey)
    message.write(block: author.sign(Self.signed(said.bytes, epoch.number, vault)))
    let padding = PaddedLength.of(message.bytes.count) - message.bytes.count
    message.write(raw: repeatElement(0, count: padding))
    bytes =
      Self.head(epoch.number)
      + Envelope.seal(
        message.bytes, context: Self.context(epoch.number, vault), key: Self.key(epoch),
        salt: environment.randomBytes(32))
  }

  /// The statement; nil when this device has no key for it, or it was not made by a device that had one.
  func open(with keys: VaultKeys) -> Statement? {
    for epoch in keys.epochs {
      let head = Self.head(epoch.number)
      guard bytes.starts(with: head),
        let message = Envelope.open(
          Array(bytes.dropFirst(head.count)), context: Self.context(epoch.number, keys.id),
          key: Self.key(epoch))
      else { continue }
      return try? message.reading(allowingRest: true) { reader in
        let (said, author, signature) = (
          try reader.block(), try reader.block(), try reader.block()
        )
        let signed = Self.signed(said, epoch.number, keys.id)
        guard SigningKey.isValid(signature, of: signed, by: author) else {
          throw ByteReader.damaged("a statement is not signed by its author")
        }
        let content = try said.reading { try Statement.Content(&$0) }
        // A device that was let go has the keys of its time, and must not let go of others by them.
        if case .epoch(let next) = content, !next.isSigned(for: keys) {
          throw ByteReader.damaged("a new epoch is not signed by the vault's owner")
        }
        // No device alone, and no place, turns encryption off.
        if case .closing(let closing) = content, !closing.isSigned(for: keys) {
          throw ByteReader.damaged("a closing is not signed by the vault's owner")
        }
        // Nobody but the owner says who the person is.
        if case .card(let card) = content, card.vault != keys.id || card.owner != keys.owner {
          throw ByteReader.damaged("a card is another person's")
        }
        return Statement(author: author, epoch: epoch, content: content)
      }
    }
    return nil
  }

  private static func key(_ epoch: VaultKeys.EpochKey) -> [UInt8] {
    KeyDerivation.expand(epoch.key, for: Array("cloudsync/1/statements".utf8))
  }

  private static func head(_ epoch: UInt64) -> [UInt8] {
    var writer = ByteWriter()
    writer.write(text: magic)
    writer.write(varint: epoch)
    return writer.bytes
  }

  private static func context(_ epoch: UInt64, _ vault: [UInt8]) -> [UInt8] {
    var writer = ByteWriter()
    writer.write(raw: head(epoch))
    writer.write(block: vault)
    return writer.bytes
  }

  private static func signed(_ said: [UInt8], _ epoch: UInt64, _ vault: [UInt8]) -> [UInt8] {
    context(epoch, vault) + SHA256.hash(said)
  }
}
