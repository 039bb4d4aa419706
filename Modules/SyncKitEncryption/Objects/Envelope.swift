import SyncCrypto
import SyncKit

/// Encrypted bytes with what is needed to open them, but for the key.
///
/// Each envelope has a key of its own, drawn from the zone's key by a random salt, so no nonce is ever used twice with
/// a key. The commitment says which key it is: a message that opens under two keys cannot be made.
enum Envelope {
  /// Bytes of the salt and of the commitment.
  private static let partLength = 32
  /// Above this many bytes the content is sealed in parts.
  private static let wholeLimit = 1 << 20
  /// Bytes of a part.
  private static let pieceLength = 64 << 10

  /// How long the envelope of so many bytes is.
  static func length(of count: Int) -> Int {
    let pieces = count > wholeLimit ? (count + pieceLength - 1) / pieceLength : 1
    return 2 * partLength + count + pieces * Sealing.overhead
  }

  /// Encrypts.
  ///
  /// - Parameters:
  ///   - message: The bytes.
  ///   - context: What must be the same when it is opened.
  ///   - key: The key of the zone.
  ///   - salt: 32 random bytes.
  /// - Returns: Salt, commitment and the encrypted bytes.
  static func seal(_ message: [UInt8], context: [UInt8], key: [UInt8], salt: [UInt8]) -> [UInt8] {
    precondition(salt.count == partLength, "a salt has 32 bytes")
    let keys = Keys(key, salt)
    var envelope = salt + keys.commitment
    envelope.reserveCapacity(length(of: message.count))
    guard message.count > wholeLimit else {
      return envelope
        + Sealing.seal(message, context: context, key: keys.object, nonce: nonce(0, isLast: false))
    }
    for (number, piece) in pieces(message.count, pieceLength).enumerated() {
      let isLast = piece.upperBound == message.count
      envelope += Sealing.seal(
        Array(message[piece]), context: context, key: keys.object,
        nonce: nonce(UInt64(number), isLast: isLast))
    }
    return envelope
  }

  /// Decrypts; nil when the key is not the one, or anything has been changed.
  static func open(_ envelope: [UInt8], context: [UInt8], key: [UInt8]) -> [UInt8]? {
    guard envelope.count >= 2 * partLength + Sealing.overhead else { return nil }
    let keys = Keys(key, Array(envelope.prefix(partLength)))
    guard Secret.isEqual(Array(envelope[partLength..<2 * partLength]), keys.commitment) else {
      return nil
    }
    let sealed = envelope[(2 * partLength)...]
    guard sealed.count > wholeLimit + Sealing.overhead else {
      return Sealing.open(
        Array(sealed), context: context, key: keys.object, nonce: nonce(0, isLast: false))
    }
    var message: [UInt8] = []
    message.reserveCapacity(sealed.count)
    for (number, piece) in pieces(sealed.count, pieceLength + Sealing.overhead).enumerated() {
      let isLast = piece.upperBound == sealed.count
      let bytes = sealed[
        (sealed.startIndex + piece.lowerBound)..<(sealed.startIndex + piece.upperBound)]
      guard
        let part = Sealing.open(
          Array(bytes), context: context, key: keys.object,
          nonce: nonce(UInt64(number), isLast: isLast))
      else { return nil }
      message += part
    }
    return message
  }

  private struct Keys {
    let object: [UInt8]
    let commitment: [UInt8]

    init(_ zone: [UInt8], _ salt: [UInt8]) {
      let secret = KeyDerivation.extract(zone, salt: salt)
      object = KeyDerivation.expand(secret, for: Array("cloudsync/1/object".utf8))
      commitment = KeyDerivation.expand(secret, for: Array("cloudsync/1/commitment".utf8))
    }
  }

  private static func pieces(_ count: Int, _ length: Int) -> [Range<Int>] {
    stride(from: 0, to: count, by: length).map { $0..<min($0 + length, count) }
  }

  /// The number of the part, and whether it is the last of several.
  private static func nonce(_ number: UInt64, isLast: Bool) -> [UInt8] {
    [0, 0, 0] + number.bigEndianBytes + [isLast ? 1 : 0]
  }
}
