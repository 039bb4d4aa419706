#if canImport(CryptoKit)
import CryptoKit
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
#else
import CSyncKitSodium
#endif

/// Encryption that shows every change of what was sealed: ChaCha20-Poly1305 (RFC 8439).
///
/// A key seals one message with a nonce. Whoever calls makes sure that no key is used twice with one nonce.
public enum Sealing {
  /// Bytes of a key.
  public static let keyLength = 32
  /// Bytes of a nonce.
  public static let nonceLength = 12
  /// How much longer what is sealed is than the message.
  public static let overhead = 16

  /// Seals a message.
  ///
  /// - Parameters:
  ///   - message: The bytes.
  ///   - context: What is not encrypted, and must be the same when it is opened.
  ///   - key: ``keyLength`` bytes.
  ///   - nonce: ``nonceLength`` bytes.
  /// - Returns: The encrypted bytes with their tag.
  public static func seal(
    _ message: [UInt8], context: [UInt8], key: [UInt8], nonce: [UInt8]
  ) -> [UInt8] {
    precondition(
      key.count == keyLength && nonce.count == nonceLength, "a key or nonce is too short")
    #if canImport(CryptoKit)
    guard
      let box = try? ChaChaPoly.seal(
        message, using: SymmetricKey(data: key), nonce: ChaChaPoly.Nonce(data: nonce),
        authenticating: context)
    else { preconditionFailure("sealing cannot fail") }
    return Array(box.ciphertext) + Array(box.tag)
    #else
    var sealed = [UInt8](repeating: 0, count: message.count + overhead)
    var length: UInt64 = 0
    crypto_aead_chacha20poly1305_ietf_encrypt(
      &sealed, &length, message, UInt64(message.count), context, UInt64(context.count), nil, nonce,
      key)
    return sealed
    #endif
  }

  /// Opens what ``seal(_:context:key:nonce:)`` made; nil when anything of it is not as it was.
  public static func open(
    _ sealed: [UInt8], context: [UInt8], key: [UInt8], nonce: [UInt8]
  ) -> [UInt8]? {
    guard sealed.count >= overhead, key.count == keyLength, nonce.count == nonceLength else {
      return nil
    }
    #if canImport(CryptoKit)
    guard
      let box = try? ChaChaPoly.SealedBox(
        nonce: ChaChaPoly.Nonce(data: nonce), ciphertext: sealed.dropLast(overhead),
        tag: sealed.suffix(overhead)),
      let message = try? ChaChaPoly.open(
        box, using: SymmetricKey(data: key), authenticating: context)
    else { return nil }
    return Array(message)
    #else
    var message = [UInt8](repeating: 0, count: sealed.count - overhead)
    var length: UInt64 = 0
    let result = crypto_aead_chacha20poly1305_ietf_decrypt(
      &message, &length, nil, sealed, UInt64(sealed.count), context, UInt64(context.count), nonce,
      key)
    return result == 0 ? message : nil
    #endif
  }
}
