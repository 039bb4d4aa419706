import SQLiteStorage
import SyncKit
import Testing

/// A store must know whether it is the one it was: a copy that goes on numbering is a fork.
@Suite struct Fingerprints {
  let folder: TemporaryFolder
  let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = "\(folder.path)/store.sqlite"
  }

  private func fingerprint(_ path: String) throws -> String? {
    let storage = try SQLiteStorage(path: path, isCreated: false)
    defer { storage.close() }
    return storage.fingerprint
  }

  private func made() throws -> String? {
    let storage = try SQLiteStorage(path: path)
    defer { storage.close() }
    try storage.write { try $0.put(.meta, [1], [1]) }
    return storage.fingerprint
  }

  @Test func writingAndReopeningKeepsIt() throws {
    defer { folder.remove() }
    let mark = try made()
    #expect(mark != nil)
    for round in UInt8(0)..<5 {
      let storage = try SQLiteStorage(path: path)
      try storage.write { try $0.put(.segment, [round], [UInt8](repeating: 1, count: 2 << 20)) }
      #expect(storage.fingerprint == mark)
      storage.close()
    }
    #expect(try fingerprint(path) == mark)
  }

  @Test func aCopyHasAnother() throws {
    defer { folder.remove() }
    let mark = try made()
    TemporaryFolder.run("cp -a '\(path)' '\(path).copy'")
    #expect(try fingerprint(path + ".copy") != mark)
    #expect(try fingerprint(path) == mark)
  }

  /// File systems hand the number of a deleted file to the next one.
  @Test func aRestoredFileHasAnother() throws {
    defer { folder.remove() }
    let mark = try made()
    TemporaryFolder.run(
      "cp -a '\(path)' '\(path).copy'; rm '\(path)'; cp -a '\(path).copy' '\(path)'")
    #expect(try fingerprint(path) != mark)
  }

  @Test func anotherStoreHasAnother() throws {
    defer { folder.remove() }
    let mark = try made()
    TemporaryFolder.run("rm '\(path)'*")
    #expect(try made() != mark)
  }

  @Test func aNewNameKeepsIt() throws {
    defer { folder.remove() }
    let mark = try made()
    TemporaryFolder.run("mv '\(path)' '\(path).new'")
    #expect(try fingerprint(path + ".new") == mark)
  }

  @Test func anyFileHasOne() throws {
    defer { folder.remove() }
    try TemporaryFolder.write(path, [1])
    let mark = try FileIdentity.fingerprint(ofFileAt: path)
    #expect(mark?.utf8.count == 26)
    try TemporaryFolder.write(path, [1, 2, 3])
    #expect(try FileIdentity.fingerprint(ofFileAt: path) == mark)
    #expect(try FileIdentity.fingerprint(ofFileAt: path + "-gone") == nil)
  }
}

@Suite struct StoresChangedBehindOurBack {
  let folder: TemporaryFolder
  let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = "\(folder.path)/store.sqlite"
  }

  @Test func aStoreThatWasRemovedTakesNoWrites() throws {
    defer { folder.remove() }
    let storage = try SQLiteStorage(path: path)
    try storage.write { try $0.put(.meta, [1], [1]) }
    TemporaryFolder.run("mv '\(path)' '\(path).gone'")
    #expect(code { try storage.write { try $0.put(.meta, [2], [2]) } } == .storeIO)
    TemporaryFolder.run("cp '\(path).gone' '\(path)'")
    #expect(code { try storage.write { try $0.put(.meta, [2], [2]) } } == .storeIO)
  }

  @Test func aCrashLeavesWholeTransactions() throws {
    defer { folder.remove() }
    let storage = try SQLiteStorage(path: path)
    for round in 1...20 {
      try storage.write { writer in
        for key in UInt8(0)..<10 {
          try writer.put(.record, [key], [UInt8](repeating: UInt8(round), count: 400))
        }
      }
      // What lies on the disk now is what a crash would leave.
      let copy = "\(folder.path)/crash-\(round).sqlite"
      TemporaryFolder.run("cp '\(path)' '\(copy)'; cp '\(path)-wal' '\(copy)-wal'")
      let crashed = try SQLiteStorage(path: copy, isCreated: false)
      let entries = try crashed.read { try StorageTestEntries.all($0, .record) }
      #expect(entries.count == 10)
      #expect(entries.allSatisfy { $0.value == [UInt8](repeating: UInt8(round), count: 400) })
      crashed.close()
    }
    storage.close()
  }

  @Test func aCutLogLosesWholeTransactionsFromTheEndOnly() throws {
    defer { folder.remove() }
    let storage = try SQLiteStorage(path: path)
    for round in UInt8(1)...9 { try storage.write { try $0.put(.record, [round], [round]) } }
    let main = try TemporaryFolder.read(path)
    let log = try TemporaryFolder.read(path + "-wal")
    storage.close()
    for length in stride(from: 0, through: log.count, by: 1_777) {
      let copy = folder.unused("cut.sqlite")
      TemporaryFolder.run("mkdir -p $(dirname '\(copy)')")
      try TemporaryFolder.write(copy, main)
      try TemporaryFolder.write(copy + "-wal", Array(log.prefix(length)))
      let cut = try SQLiteStorage(path: copy, isCreated: false)
      let keys = try cut.read { try StorageTestEntries.all($0, .record) }.map(\.key)
      #expect(keys == (UInt8(1)..<UInt8(1 + keys.count)).map { [$0] })
      cut.close()
    }
  }

  /// A log does not say which file it belongs to; the rows do.
  @Test func theLogOfAnotherStoreIsFound() throws {
    defer { folder.remove() }
    let other = "\(folder.path)/other.sqlite"
    let mine = try SQLiteStorage(path: path)
    try mine.write { writer in for key in UInt8(0)..<50 { try writer.put(.record, [key], [1]) } }
    mine.close()
    let theirs = try SQLiteStorage(path: other)
    try theirs.write { writer in for key in UInt8(0)..<50 { try writer.put(.record, [key], [2]) } }
    TemporaryFolder.run("cp '\(other)-wal' '\(path)-wal'; rm -f '\(path)-shm'")
    theirs.close()
    let found = code {
      let storage = try SQLiteStorage(path: path)
      let entries = try storage.read { try StorageTestEntries.all($0, .record) }
      #expect(entries.allSatisfy { $0.value == [1] })
    }
    #expect(found == .storeDamaged)
  }

  @Test func twoOpenersOfOneFileTakeTurns() async throws {
    defer { folder.remove() }
    let path = path
    try SQLiteStorage(path: path).close()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          let storage = try SQLiteStorage(path: path)
          for _ in 0..<50 {
            try storage.write { writer in
              let count = try writer.get(.meta, [0])?.first ?? 0
              try writer.put(.meta, [0], [count + 1])
            }
          }
          storage.close()
        }
      }
      try await group.waitForAll()
    }
    let storage = try SQLiteStorage(path: path)
    #expect(try storage.read { try $0.get(.meta, [0]) } == [200])
    storage.close()
  }

  @Test func whoWaitsTooLongIsToldSo() throws {
    defer { folder.remove() }
    let first = try SQLiteStorage(path: path)
    let second = try SQLiteStorage(path: path, timeout: 20)
    try first.write { writer in
      try writer.put(.meta, [1], [1])
      #expect(code { try second.write { _ in } } == .storeBusy)
      #expect(try second.read { try $0.get(.meta, [1]) } == nil)
    }
    try second.write { try $0.put(.meta, [2], [2]) }
    first.close()
    second.close()
  }
}
