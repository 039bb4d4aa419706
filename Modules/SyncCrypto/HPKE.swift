#if canImport(CryptoKit)
import CryptoKit
#else
import CSyncKitSodium
#endif

/// A key pair of X25519 (RFC 7748).
public struct AgreementKey: Sendable {
  /// The 32 secret bytes.
  public let secret: [UInt8]
  /// The 32 bytes that others seal to.
  public let publicKey: [UInt8]

  /// Makes a key pair; nil when the secret has not 32 bytes.
  public init?(secret: [UInt8]) {
    guard secret.count == 32 else { return nil }
    self.secret = secret
    #if canImport(CryptoKit)
    guard let key = try? Curve25519.KeyAgreement.PrivateKey(rawRepresentation: secret) else {
      return nil
    }
    publicKey = Array(key.publicKey.rawRepresentation)
    #else
    var publicKey = [UInt8](repeating: 0, count: 32)
    guard crypto_scalarmult_base(&publicKey, secret) == 0 else { return nil }
    self.publicKey = publicKey
    #endif
  }

  /// The secret that both sides share; nil for a public key that is none.
  func agree(with publicKey: [UInt8]) -> [UInt8]? {
    guard publicKey.count == 32 else { return nil }
    #if canImport(CryptoKit)
    guard let key = try? Curve25519.KeyAgreement.PrivateKey(rawRepresentation: secret),
      let other = try? Curve25519.KeyAgreement.PublicKey(rawRepresentation: publicKey),
      let shared = try? key.sharedSecretFromKeyAgreement(with: other)
    else { return nil }
    return shared.withUnsafeBytes(Array.init)
    #else
    var shared = [UInt8](repeating: 0, count: 32)
    // Fails for points of small order, whose result would be zero.
    return crypto_scalarmult(&shared, secret, publicKey) == 0 ? shared : nil
    #endif
  }
}

/// Sealing to a public key: HPKE (RFC 9180) in base mode, with DHKEM(X25519, HKDF-SHA256), HKDF-SHA256 and
/// ChaCha20-Poly1305, one message for each encapsulated key.
public enum HPKE {
  /// Bytes that come before the sealed message.
  public static let encapsulatedLength = 32

  /// Seals a message.
  ///
  /// - Parameters:
  ///   - message: The bytes.
  ///   - receiver: Whose public key it is sealed to.
  ///   - purpose: What both sides know; with another one it does not open.
  ///   - context: What else must be the same when it is opened.
  ///   - ephemeral: 32 random bytes that are used for nothing else.
  /// - Returns: The encapsulated key and the sealed message; nil for a public key that is none.
  public static func seal(
    _ message: [UInt8], to receiver: [UInt8], purpose: [UInt8], context: [UInt8] = [],
    ephemeral: [UInt8]
  ) -> [UInt8]? {
    guard let sender = AgreementKey(secret: ephemeral), let shared = sender.agree(with: receiver)
    else {
      return nil
    }
    let (key, nonce) = schedule(shared, sender.publicKey + receiver, purpose)
    return sender.publicKey + Sealing.seal(message, context: context, key: key, nonce: nonce)
  }

  /// Opens a sealed message; nil when it was sealed to another key, for another purpose, or was changed.
  public static func open(
    _ sealed: [UInt8], by receiver: AgreementKey, purpose: [UInt8], context: [UInt8] = []
  ) -> [UInt8]? {
    let encapsulated = Array(sealed.prefix(encapsulatedLength))
    guard let shared = receiver.agree(with: encapsulated) else { return nil }
    let (key, nonce) = schedule(shared, encapsulated + receiver.publicKey, purpose)
    return Sealing.open(
      Array(sealed.dropFirst(encapsulatedLength)), context: context, key: key, nonce: nonce)
  }

  // The numbers of the parts, as the RFC registers them.
  private static let kem: [UInt8] = Array("KEM".utf8) + [0x00, 0x20]
  private static let suite: [UInt8] = Array("HPKE".utf8) + [0x00, 0x20, 0x00, 0x01, 0x00, 0x03]
  private static let version = Array("HPKE-v1".utf8)

  /// Section 4.1 and 5.1 of the RFC.
  private static func schedule(
    _ shared: [UInt8], _ kemContext: [UInt8], _ purpose: [UInt8]
  ) -> (key: [UInt8], nonce: [UInt8]) {
    let extracted = extract(kem, salt: [], "eae_prk", shared)
    let secret = expand(kem, extracted, "shared_secret", kemContext, 32)
    let context =
      [0] + extract(suite, salt: [], "psk_id_hash", [])
      + extract(suite, salt: [], "info_hash", purpose)
    let main = extract(suite, salt: secret, "secret", [])
    return (
      expand(suite, main, "key", context, Sealing.keyLength),
      expand(suite, main, "base_nonce", context, Sealing.nonceLength)
    )
  }

  private static func extract(
    _ suite: [UInt8], salt: [UInt8], _ label: String, _ secret: [UInt8]
  ) -> [UInt8] {
    KeyDerivation.extract(version + suite + Array(label.utf8) + secret, salt: salt)
  }

  private static func expand(
    _ suite: [UInt8], _ key: [UInt8], _ label: String, _ info: [UInt8], _ length: Int
  ) -> [UInt8] {
    let prefix = [UInt8(length >> 8), UInt8(length & 0xFF)] + version + suite
    return KeyDerivation.expand(key, for: prefix + Array(label.utf8) + info, length: length)
  }
}
