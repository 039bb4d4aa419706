#if !canImport(CryptoKit)
import CSyncKitSodium
#endif

/// A key from a passphrase, in files that other programs read too: scrypt (RFC 7914) with r = 8 and p = 1, by libsodium.
///
/// Our own formats take ``PassphraseKey``. CryptoKit has nothing like it, so Apple platforms derive none.
public enum Scrypt {
  /// The binary logarithms of the work factor N that are accepted; N takes N KiB of memory.
  ///
  /// Below, guessing is easy; above, a file stops the device that reads it.
  public static let acceptable = 10...20
  /// The logarithm that a new key takes: half a second and 256 MiB.
  public static let usual = 18

  /// Derives a key.
  ///
  /// - Parameters:
  ///   - passphrase: The bytes of the passphrase.
  ///   - salt: Random bytes, with what says what the key is for.
  ///   - work: The binary logarithm of the work factor.
  /// - Returns: 32 bytes; nil when the machine has not that much memory, or the work is not acceptable.
  public static func derive(_ passphrase: [UInt8], salt: [UInt8], work: Int) -> [UInt8]? {
    guard acceptable ~= work else { return nil }
    #if canImport(CryptoKit)
    return nil
    #else
    var key = [UInt8](repeating: 0, count: 32)
    let result = crypto_pwhash_scryptsalsa208sha256_ll(
      passphrase, passphrase.count, salt, salt.count, UInt64(1) << UInt64(work), 8, 1, &key,
      key.count)
    return result == 0 ? key : nil
    #endif
  }
}
