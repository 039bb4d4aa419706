import SQLiteStorage
import SyncKit
import SyncKitTesting
import Testing

@Suite struct SQLiteStorageKeepsTheContract {
  @Test(arguments: StorageContract.checks)
  func check(_ check: ContractCheck<StorageContract>) async throws {
    let folder = try TemporaryFolder()
    let contract = StorageContract {
      try SQLiteStorage(path: folder.unused("store.sqlite"))
    } reopening: { storage in
      guard let storage = storage as? SQLiteStorage else { return storage }
      storage.close()
      return try SQLiteStorage(path: storage.path, isCreated: false)
    }
    try await check(contract)
    folder.remove()
  }
}

@Suite struct InMemoryStorageKeepsTheContract {
  @Test(arguments: StorageContract.checks)
  func check(_ check: ContractCheck<StorageContract>) async throws {
    try await check(
      StorageContract {
        InMemoryStorage()
      } reopening: {
        $0
      })
  }
}
