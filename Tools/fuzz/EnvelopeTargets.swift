import SyncKit
import SyncKitEncryption
import SyncKitTesting

extension FuzzTarget {
  /// The readers of what stands in envelopes: it comes from guests, inviters and thieves, and not only from devices.
  static let enveloped = EnvelopeContent.allCases.map { kind in
    FuzzTarget(
      kind.rawValue,
      samples: { [kind.sample(of: keysOfEnvelopes, by: ownerOfEnvelopes, from: .seeded(25))] },
      body: { bytes in
        let read = try kind.rewritten(bytes)
        // A set may come in any order.
        if try kind.rewritten(read) != read { fail("what was read does not survive being written") }
      })
  }

  private static let ownerOfEnvelopes = VaultOwner(from: .seeded(21))
  private static let keysOfEnvelopes = VaultKeys(of: ownerOfEnvelopes, from: .seeded(23))
}
