import SegmentFormat
import SyncCrypto
import SyncKit

@testable import SyncKitEncryption

// Keys of tests that have nothing to do with who owns a vault.

extension VaultKeys {
  /// Keys of a vault whose owner is gone.
  init(from environment: SyncEnvironment) {
    self.init(of: VaultOwner(from: environment), from: environment)
  }

  /// The key of a zone that was never shared.
  func zone(_ zone: ZoneID, of domain: String, in epoch: EpochKey) -> [UInt8] {
    self.zone(zone, of: domain, in: epoch, share: 0)
  }

  /// Has a key more, as after a new epoch.
  mutating func beginEpoch(from environment: SyncEnvironment) {
    add(nextEpoch(from: environment))
  }
}

extension KeySlot {
  init(_ keys: VaultKeys, recovery code: RecoveryCode, from environment: SyncEnvironment) {
    self.init(keys, owner: nil, recovery: code, from: environment)
  }
}

extension DeviceKeys {
  /// A device with a key of its own that tests know.
  init(_ keys: VaultKeys, author: [UInt8]) {
    guard let device = DeviceKeys(keys, author: author, statements: []) else {
      preconditionFailure("the key of a device has 32 bytes")
    }
    self = device
  }
}

extension SealedSegments {
  init(_ keys: VaultKeys, author: SigningKey, environment: SyncEnvironment) {
    self.init(DeviceKeys(keys, author: author.seed), environment: environment)
  }
}
