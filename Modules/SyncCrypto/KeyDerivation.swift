#if !canImport(CryptoKit)
import CSyncKitSodium
#endif

/// Keys from a secret: HKDF with SHA-256 (RFC 5869).
public enum KeyDerivation {
  /// Draws the uniform key out of a secret.
  public static func extract(_ secret: [UInt8], salt: [UInt8]) -> [UInt8] {
    MessageCode.of(secret, key: salt.isEmpty ? [UInt8](repeating: 0, count: SHA256.length) : salt)
  }

  /// Makes a key for one purpose.
  ///
  /// - Parameters:
  ///   - key: What ``extract(_:salt:)`` gave, or any uniform key.
  ///   - purpose: What tells this key from others.
  ///   - length: How many bytes, at most 255 times 32.
  /// - Returns: The key.
  public static func expand(_ key: [UInt8], for purpose: [UInt8], length: Int = 32) -> [UInt8] {
    precondition(0...(255 * SHA256.length) ~= length, "a key is too long")
    var bytes: [UInt8] = []
    var block: [UInt8] = []
    var number: UInt8 = 0
    while bytes.count < length {
      number += 1
      block = MessageCode.of(block + purpose + [number], key: key)
      bytes += block
    }
    return Array(bytes.prefix(length))
  }
}

/// A key from a passphrase: Argon2id (RFC 9106), by libsodium.
///
/// CryptoKit has nothing like it, so Apple platforms derive none.
public enum PassphraseKey {
  /// What the derivation costs.
  public struct Cost: Hashable, Sendable {
    /// How often the memory is gone through.
    public var passes: Int
    /// Bytes of memory.
    public var memory: Int

    /// Names a cost.
    public init(passes: Int, memory: Int) { (self.passes, self.memory) = (passes, memory) }

    /// What a new key takes: a quarter of a second and 64 MiB.
    public static let usual = Cost(passes: 3, memory: 64 << 20)
    /// The least that a stored cost may be; a place that asks for less makes guessing easy.
    public static let floor = Cost(passes: 2, memory: 19 << 20)
    /// The most that a stored cost may be; a place that asks for more stops a device.
    public static let ceiling = Cost(passes: 16, memory: 1 << 30)

    /// Whether it lies between floor and ceiling.
    public var isAcceptable: Bool {
      Self.floor.passes...Self.ceiling.passes ~= passes
        && Self.floor.memory...Self.ceiling.memory ~= memory
    }
  }

  /// Bytes of a salt.
  public static let saltLength = 16

  /// Derives a key of 32 bytes; nil when the machine has not that much memory, or the cost is not acceptable.
  public static func derive(_ passphrase: [UInt8], salt: [UInt8], cost: Cost) -> [UInt8]? {
    guard salt.count == saltLength, cost.isAcceptable else { return nil }
    #if canImport(CryptoKit)
    return nil
    #else
    var key = [UInt8](repeating: 0, count: 32)
    let characters = passphrase.map { CChar(bitPattern: $0) }
    let result = crypto_pwhash(
      &key, UInt64(key.count), characters, UInt64(characters.count), salt, UInt64(cost.passes),
      cost.memory, crypto_pwhash_ALG_ARGON2ID13)
    return result == 0 ? key : nil
    #endif
  }
}
