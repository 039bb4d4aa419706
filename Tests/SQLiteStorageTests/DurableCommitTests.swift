import SQLiteStorage
import SyncKit
import Testing

/// What a store has acknowledged is on the disk, also while the store stays open for days.
struct DurableCommitTests {
  @Test func `each commit is on the disk before it returns`() throws {
    SynchronisedLog.install
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let path = folder.unused("store.sqlite")
    let storage = try SQLiteStorage(path: path)
    try storage.write { try $0.put(.record, [0], [0]) }
    for number in UInt8(1)..<6 {
      let before = SynchronisedLog.count(path + "-wal")
      try storage.write { try $0.put(.record, [number], [number]) }
      let after = SynchronisedLog.count(path + "-wal")
      #expect(after > before, "commit \(number) has returned with its log in memory")
    }
    storage.close()
  }
}
