import FileTransport
import SQLiteTransport
import SegmentFormat
import SyncKit
import SyncKitTesting
import Synchronization
import Testing

@testable import SyncKitEncryption

/// What a device remembers of objects, without a store.
final class ForgetfulMemory: ObjectMemory {
  private let known = Mutex<[ContentHash: KnownObject]>([:])

  func objects() throws -> [ContentHash: KnownObject] { known.withLock { $0 } }

  func note(_ found: [ContentHash: KnownObject], forgetting gone: [ContentHash]) throws {
    known.withLock { known in
      known.merge(found) { $1 }
      for head in gone { known[head] = nil }
    }
  }
}

/// A vault on a place in memory.
struct Vault {
  let blobs = InMemoryBlobStore()
  let environment = SyncEnvironment(now: { 0 }, random: { UInt64.random(in: 0 ... .max) })
  let keys: VaultKeys

  init() { keys = VaultKeys(from: environment) }

  /// The place as a device of the vault opens it.
  func transport(
    _ device: UInt8 = 1, _ memory: any ObjectMemory = ForgetfulMemory()
  ) -> EncryptedTransport {
    EncryptedTransport(
      BlobTransport(blobs), keys: DeviceKeys(keys, author: [UInt8](repeating: device, count: 32)),
      memory: memory, environment: environment)
  }
}

@Suite struct TheEncryptedTransportKeepsTheContract {
  @Test(arguments: TransportContract.checks)
  func check(_ check: ContractCheck<TransportContract>) async throws {
    let contract = TransportContract {
      let vault = Vault()
      return TestRemote {
        vault.transport()
      } empty: {
        vault.blobs.files = [:]
      } cut: {
        for (name, bytes) in vault.blobs.files where name.hasSuffix(".seg") {
          vault.blobs.files[name] = Array(bytes.prefix(bytes.count / 2))
        }
      }
    }
    try await check(contract)
  }
}

@Suite struct TheEncryptedSharedFileKeepsTheContract {
  @Test(arguments: TransportContract.checks)
  func check(_ check: ContractCheck<TransportContract>) async throws {
    let (vault, folder) = (Vault(), try TestFolder())
    let contract = TransportContract {
      TestRemote {
        EncryptedTransport(
          SQLiteTransport(
            path: folder.path + "/shared.sqlite", createIfParentExists: true,
            patience: .seconds(30)),
          keys: DeviceKeys(vault.keys, author: [UInt8](repeating: 1, count: 32)),
          memory: ForgetfulMemory(), environment: vault.environment)
      }
    }
    try await check(contract)
    withExtendedLifetime(folder) {}
  }
}
