import SyncCrypto
public import SyncKit

/// What a vault belongs to: a key that signs which devices are let go.
///
/// It lies on no device, only in the slot of the recovery code. So whoever has a stolen device cannot let go of the others
/// with it, or come back.
public struct VaultOwner: Sendable {
  let key: SigningKey

  /// Draws the key of a new vault.
  public init(from environment: SyncEnvironment) {
    guard let key = SigningKey(seed: environment.randomBytes(VaultKeys.keyLength)) else {
      preconditionFailure("a seed of 32 bytes makes a key")
    }
    self.key = key
  }

  /// Reads a key; nil when it has another length.
  init?(seed: [UInt8]) {
    guard let key = SigningKey(seed: seed) else { return nil }
    self.key = key
  }
}

extension VaultOwner: CustomStringConvertible, CustomDebugStringConvertible {
  /// Without the key, which stands in no log.
  public var description: String { "the owner of a vault" }
  public var debugDescription: String { description }
}
