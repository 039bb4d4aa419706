import SyncCrypto
import SyncKit

/// What other people need to know of a person: to whom keys are sealed, and who has signed.
///
/// All devices of a vault have the secrets of its cards; each epoch has a card of its own. The owner's key of the vault signs
/// each, so a person keeps the same words for good. See Documentation/Formats/Encryption.md.
public struct PersonCard: Hashable, Sendable {
  /// The id of the person's vault.
  public let vault: [UInt8]
  /// The public key of the owner of that vault: who the person is.
  public let owner: [UInt8]
  /// The epoch of the vault.
  public let epoch: UInt64
  /// The public key by which what the person writes in other people's zones is verified.
  let signing: [UInt8]
  /// The public key to which keys are sealed.
  let box: [UInt8]
  private let signature: [UInt8]

  /// Six words that are those of this person alone, to be compared by people.
  public var words: String { FingerprintWords.of(owner) }

  /// A card that the owner of a vault signs.
  init(of keys: VaultKeys, in epoch: VaultKeys.EpochKey, by owner: VaultOwner) {
    let person = PersonKey(epoch)
    (vault, self.owner, self.epoch) = (keys.id, owner.key.publicKey, epoch.number)
    (signing, box) = (person.signing.publicKey, person.box.publicKey)
    signature = owner.key.sign(Self.signed(vault, self.epoch, signing, box))
  }

  /// Whether the owner that it names has signed it.
  var isSigned: Bool {
    SigningKey.isValid(signature, of: Self.signed(vault, epoch, signing, box), by: owner)
  }

  private static func signed(
    _ vault: [UInt8], _ epoch: UInt64, _ signing: [UInt8], _ box: [UInt8]
  ) -> [UInt8] {
    var writer = ByteWriter()
    writer.write(raw: "cloudsync/1/card".utf8)
    writer.write(block: vault)
    writer.write(fixed: epoch)
    writer.write(block: signing)
    writer.write(block: box)
    return writer.bytes
  }

  // MARK: Bytes

  /// Reads a card that its owner has signed.
  ///
  /// - Throws: ``SyncKit/SyncError`` `format.damaged` for any other.
  init(_ reader: inout ByteReader) throws {
    (vault, owner) = (try reader.block(), try reader.block())
    epoch = try reader.varint()
    (signing, box, signature) = (try reader.block(), try reader.block(), try reader.block())
    guard vault.count == VaultKeys.idLength,
      [owner, signing, box].allSatisfy({ $0.count == VaultKeys.keyLength }), epoch > 0, isSigned
    else { throw ByteReader.damaged("a card is not signed by the person that it names") }
  }

  func write(to writer: inout ByteWriter) {
    writer.write(block: vault)
    writer.write(block: owner)
    writer.write(varint: epoch)
    writer.write(block: signing)
    writer.write(block: box)
    writer.write(block: signature)
  }

  var bytes: [UInt8] {
    var writer = ByteWriter()
    write(to: &writer)
    return writer.bytes
  }
}

/// The secrets of a card; they follow from the key of the epoch, so all devices of the vault have them.
struct PersonKey: Sendable {
  let epoch: UInt64
  let signing: SigningKey
  let box: AgreementKey

  init(_ epoch: VaultKeys.EpochKey) {
    self.epoch = epoch.number
    guard
      let signing = SigningKey(
        seed: KeyDerivation.expand(epoch.key, for: Array("cloudsync/1/person-signing".utf8))),
      let box = AgreementKey(
        secret: KeyDerivation.expand(epoch.key, for: Array("cloudsync/1/person-box".utf8)))
    else { preconditionFailure("32 bytes make a key") }
    (self.signing, self.box) = (signing, box)
  }
}

/// A card as a guest shows it: with a proof that the guest has the code of the invitation, which no server sees.
struct ShownCard: Hashable, Sendable {
  let card: PersonCard
  private let proof: [UInt8]

  init(_ card: PersonCard, by code: RecoveryCode) {
    self.card = card
    proof = Self.proof(card, code)
  }

  /// Whether the guest had the code.
  func isShown(by code: RecoveryCode) -> Bool { Secret.isEqual(proof, Self.proof(card, code)) }

  private static func proof(_ card: PersonCard, _ code: RecoveryCode) -> [UInt8] {
    let key = KeyDerivation.expand(
      KeyDerivation.extract(code.secret, salt: []), for: Array("cloudsync/1/share-card".utf8))
    return MessageCode.of(card.bytes, key: key)
  }

  /// Reads ``bytes``; nil for anything else.
  init?(_ bytes: [UInt8]) {
    let read = try? bytes.reading { (try PersonCard(&$0), try $0.block()) }
    guard let (card, proof) = read else { return nil }
    (self.card, self.proof) = (card, proof)
  }

  /// What the server keeps for the owner of the zone.
  var bytes: [UInt8] {
    var writer = ByteWriter()
    card.write(to: &writer)
    writer.write(block: proof)
    return writer.bytes
  }
}
