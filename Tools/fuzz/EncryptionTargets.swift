import SegmentFormat
import SyncKit
import SyncKitEncryption
import SyncKitTesting

extension FuzzTarget {
  /// The readers of what an encrypted remote gives, and of codes that people type.
  static let encryption = [keySlot, recoveryCode, sealedObject, ageFile] + enveloped

  private static let owner = VaultOwner(from: .seeded(2))
  private static let keys = VaultKeys(of: owner, from: .seeded(3))
  private static let code = RecoveryCode(from: .seeded(5))

  /// What opens the keys of a vault, from a place that may be hostile.
  private static let keySlot = FuzzTarget(
    "key-slot",
    samples: {
      [
        KeySlot(keys, owner: owner, recovery: code, from: .seeded(7)).bytes,
        KeySlot(keys, invitation: code, until: 1_000, from: .seeded(9)).bytes,
        try KeySlot(keys, passphrase: "a passphrase", from: .seeded(11)).bytes,
      ]
    },
    body: { bytes in
      let slot = try KeySlot(bytes)
      if slot.bytes != bytes { fail("a slot is written in another way than it was read") }
      guard let opened = slot.open(code: code, now: 0) else { return }
      if opened != keys { fail("a slot that was changed gives other keys") }
    })

  /// A code as a person types it.
  private static let recoveryCode = FuzzTarget(
    "recovery-code", texts: [code.text, code.text.uppercased(), "0123 4567"],
    body: { bytes in
      let read = try RecoveryCode(typed: String(decoding: bytes, as: UTF8.self))
      if try RecoveryCode(typed: read.text) != read {
        fail("a code does not survive being printed")
      }
    })

  /// An object on an encrypted remote: nothing that was changed may come through.
  private static let sealedObject = FuzzTarget(
    "sealed-object", samples: { [try stored().bytes] },
    body: { bytes in
      let (name, whole) = try stored()
      for bytes in [bytes, resealed(bytes)] {
        let blobs = InMemoryBlobStore()
        blobs.files[name] = bytes
        wait {
          guard let transport = try? encrypted(BlobTransport(blobs)) else { return }
          let identity = RemoteIdentity(vault: [], isKnown: false, newVault: "v")
          _ = try? await transport.attach(identity, domain: "fuzz")
          guard let inventory = try? await transport.inventory(of: "fuzz") else { return }
          for reference in inventory.segments {
            let segment = try? await transport.fetch(reference, of: "fuzz")
            if segment != nil, bytes != whole { fail("an object that was changed was opened") }
          }
        }
      }
    })

  private static func encrypted(_ base: any Transport) throws -> EncryptedTransport {
    EncryptedTransport(
      base, keys: DeviceKeys(of: keys, from: .seeded(15)),
      memory: try StoreMemory(makeStore(on: InMemoryStorage()), remote: "place"),
      environment: .seeded(13))
  }

  /// The name and the bytes of an object as a device stores it.
  private static func stored() throws -> (name: String, bytes: [UInt8]) {
    let blobs = InMemoryBlobStore()
    let store = try makeStore(on: InMemoryStorage())
    _ = try store.write { transaction in
      try transaction.save(RecordDraft("note", id: "n1", fields: ["text": .string("hello")]))
    }
    let remote = Remote(
      "place", location: "place:", transport: try encrypted(BlobTransport(blobs)))
    wait { _ = await SyncEngine(store: store, remotes: [remote]).sync() }
    guard let object = blobs.files.first(where: { $0.key.hasSuffix(".seg") }) else {
      fail("nothing was stored")
    }
    return (object.key, object.value)
  }
}
