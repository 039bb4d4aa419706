#if canImport(CryptoKit)
import CryptoKit
#else
import CSyncKitSodium
#endif

/// A keyed code of a message: HMAC with SHA-256 (RFC 2104).
public enum MessageCode {
  /// The code of a message.
  ///
  /// - Parameters:
  ///   - message: The bytes.
  ///   - key: A key of any length.
  /// - Returns: 32 bytes.
  public static func of(_ message: [UInt8], key: [UInt8]) -> [UInt8] {
    #if canImport(CryptoKit)
    return Array(
      HMAC<CryptoKit.SHA256>.authenticationCode(for: message, using: SymmetricKey(data: key)))
    #else
    var state = crypto_auth_hmacsha256_state()
    crypto_auth_hmacsha256_init(&state, key, key.count)
    crypto_auth_hmacsha256_update(&state, message, UInt64(message.count))
    var code = [UInt8](repeating: 0, count: SHA256.length)
    crypto_auth_hmacsha256_final(&state, &code)
    return code
    #endif
  }
}

/// Comparison of secrets.
public enum Secret {
  /// Whether two secrets are equal, in a time that depends on their length alone.
  public static func isEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    guard one.count == other.count else { return false }
    #if canImport(CryptoKit)
    return zip(one, other).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    #else
    return sodium_memcmp(one, other, one.count) == 0
    #endif
  }
}
