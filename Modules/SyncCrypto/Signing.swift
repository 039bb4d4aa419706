#if canImport(CryptoKit)
import CryptoKit
#else
import CSyncKitSodium
#endif

/// A key that signs: Ed25519 (RFC 8032).
public struct SigningKey: Sendable {
  /// The 32 bytes from which the key is made; the secret.
  public let seed: [UInt8]
  /// The 32 bytes by which others verify.
  public let publicKey: [UInt8]

  /// Bytes of a signature.
  public static let signatureLength = 64

  /// Makes a key; nil when the seed has not 32 bytes.
  public init?(seed: [UInt8]) {
    guard seed.count == 32 else { return nil }
    self.seed = seed
    #if canImport(CryptoKit)
    guard let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: seed) else { return nil }
    publicKey = Array(key.publicKey.rawRepresentation)
    #else
    var (publicKey, secretKey) = (
      [UInt8](repeating: 0, count: 32), [UInt8](repeating: 0, count: 64)
    )
    crypto_sign_seed_keypair(&publicKey, &secretKey, seed)
    sodium_memzero(&secretKey, secretKey.count)
    self.publicKey = publicKey
    #endif
  }

  /// The signature of a message.
  public func sign(_ message: [UInt8]) -> [UInt8] {
    #if canImport(CryptoKit)
    guard let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: seed),
      let signature = try? key.signature(for: message)
    else { preconditionFailure("signing cannot fail") }
    return Array(signature)
    #else
    var (publicKey, secretKey) = (
      [UInt8](repeating: 0, count: 32), [UInt8](repeating: 0, count: 64)
    )
    crypto_sign_seed_keypair(&publicKey, &secretKey, seed)
    var signature = [UInt8](repeating: 0, count: Self.signatureLength)
    crypto_sign_detached(&signature, nil, message, UInt64(message.count), secretKey)
    sodium_memzero(&secretKey, secretKey.count)
    return signature
    #endif
  }

  /// Whether a signature of a message is that of a public key.
  public static func isValid(
    _ signature: [UInt8], of message: [UInt8], by publicKey: [UInt8]
  ) -> Bool {
    guard signature.count == signatureLength, publicKey.count == 32 else { return false }
    #if canImport(CryptoKit)
    let key = try? Curve25519.Signing.PublicKey(rawRepresentation: publicKey)
    return key?.isValidSignature(signature, for: message) ?? false
    #else
    return crypto_sign_verify_detached(signature, message, UInt64(message.count), publicKey) == 0
    #endif
  }
}
