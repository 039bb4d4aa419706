#if canImport(CryptoKit)
import CryptoKit
#else
import CSyncKitSodium
#endif

/// SHA-256 of bytes that come in one or more parts (FIPS 180-4), by libsodium; on Apple platforms by CryptoKit.
public struct SHA256: Sendable {
  /// How many bytes a digest has.
  public static let length = 32

  #if canImport(CryptoKit)
  private var state = CryptoKit.SHA256()
  #else
  private var state = crypto_hash_sha256_state()
  #endif

  /// Begins a digest of no bytes.
  public init() {
    #if !canImport(CryptoKit)
    crypto_hash_sha256_init(&state)
    #endif
  }

  /// Adds bytes.
  public mutating func update(_ bytes: UnsafeRawBufferPointer) {
    #if canImport(CryptoKit)
    state.update(bufferPointer: bytes)
    #else
    guard let start = bytes.baseAddress else { return }
    crypto_hash_sha256_update(
      &state, start.assumingMemoryBound(to: UInt8.self), UInt64(bytes.count))
    #endif
  }

  /// The 32 bytes of the digest of all bytes that were added; more may be added afterwards.
  public func digest() -> [UInt8] {
    #if canImport(CryptoKit)
    return Array(state.finalize())
    #else
    var copy = state
    var digest = [UInt8](repeating: 0, count: Self.length)
    crypto_hash_sha256_final(&copy, &digest)
    return digest
    #endif
  }

  /// The 32 bytes of the digest of bytes that are all there.
  public static func hash(_ bytes: [UInt8]) -> [UInt8] {
    var hash = SHA256()
    bytes.withUnsafeBytes { hash.update($0) }
    return hash.digest()
  }
}
