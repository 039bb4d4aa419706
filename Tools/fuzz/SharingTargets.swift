import SyncKit
import SyncKitEncryption
import SyncKitTesting

extension FuzzTarget {
  /// The readers of what people in shared zones say: it comes from guests, inviters and thieves, and not only from devices.
  static let sharing = ShareBytes.allCases.map { kind in
    FuzzTarget(
      kind.rawValue,
      samples: { [kind.sample(of: sharingKeys, by: sharingOwner, from: .seeded(25))] },
      body: { bytes in
        let read = try kind.rewritten(bytes)
        // A set may come in any order.
        if try kind.rewritten(read) != read { fail("what was read does not survive being written") }
      })
  }

  private static let sharingOwner = VaultOwner(from: .seeded(21))
  private static let sharingKeys = VaultKeys(of: sharingOwner, from: .seeded(23))
}
