import SyncKit
import Testing

@testable import SQLiteStorage

/// One store takes the place of another.
@Suite struct StoreExchangeTests {
  let folder: TemporaryFolder
  let path: String
  let new: String

  init() throws {
    folder = try TemporaryFolder()
    path = "\(folder.path)/domain.sqlite"
    new = "\(folder.path)/new.sqlite"
    let storage = try SQLiteStorage(path: new)
    try storage.write { try $0.put(.record, [1], [2]) }
    storage.close()
  }

  @Test func theOldStoreLiesBesideWithAllThatItsLogHeld() throws {
    defer { folder.remove() }
    let old = try SQLiteStorage(path: path)
    try old.write { try $0.put(.record, [1], [1]) }
    #expect(try TemporaryFolder.read(path + "-wal").count > 0)
    let aside = try StoreExchange(path, as: .replaced).finish(with: new)
    #expect(aside == path + ".replaced-1" && !TemporaryFolder.exists(new))
    #expect(try value(path) == [2] && value(aside ?? "") == [1])
    // A process that still has the old one open can read it, and write to it no more.
    #expect(try old.read { try $0.get(.record, [1]) } == [1])
    #expect(code { try old.write { try $0.put(.record, [1], [3]) } } == .storeIO)
    #expect(try value(path) == [2])
  }

  @Test func aDamagedStoreIsKeptByteForByte() throws {
    defer { folder.remove() }
    try TemporaryFolder.write(path, [1, 2, 3])
    try TemporaryFolder.write(path + "-wal", [4, 5])
    let aside = try StoreExchange(path, as: .damaged).finish(with: new)
    #expect(aside == path + ".damaged-1")
    #expect(try TemporaryFolder.read(path + ".damaged-1") == [1, 2, 3])
    #expect(try TemporaryFolder.read(path + ".damaged-1-wal") == [4, 5])
    #expect(try value(path) == [2])
  }

  @Test func whereNoStoreIsTheNewOneJustGetsTheName() throws {
    defer { folder.remove() }
    #expect(try StoreExchange(path, as: .replaced).finish(with: new) == nil)
    #expect(try value(path) == [2])
  }

  @Test func nobodyWritesToAStoreThatIsAboutToBeExchanged() throws {
    defer { folder.remove() }
    let old = try SQLiteStorage(path: path, timeout: 20)
    try old.write { try $0.put(.record, [1], [1]) }
    var exchange: StoreExchange? = try StoreExchange(path, as: .replaced)
    #expect(code { try old.write { try $0.put(.record, [1], [3]) } } == .storeBusy)
    #expect(try old.read { try $0.get(.record, [1]) } == [1])
    withExtendedLifetime(exchange) {}
    exchange = nil
    try old.write { try $0.put(.record, [1], [3]) }
    old.close()
    #expect(try value(path) == [3])
  }

  @Test func aWriteThatHasWaitedForTheExchangeIsRefused() async throws {
    defer { folder.remove() }
    // However long the machine takes to go on here, the write goes on waiting.
    let old = try SQLiteStorage(path: path, timeout: 600_000)
    try old.write { try $0.put(.record, [1], [1]) }
    let exchange = try StoreExchange(path, as: .damaged)
    // It has seen the store in its place, and waits for the lock.
    let waiting = Task.detached { code { try old.write { try $0.put(.record, [1], [3]) } } }
    try await Task.sleep(for: .milliseconds(50))
    let aside = try exchange.finish(with: new)
    #expect(await waiting.value == .storeIO)
    old.close()
    #expect(try value(path) == [2] && value(aside ?? "") == [1])
  }

  @Test func whatAnExchangeThatWasCutOffHasMovedIsPutBack() throws {
    defer { folder.remove() }
    let old = try SQLiteStorage(path: path)
    try old.write { try $0.put(.record, [1], [1]) }
    // A second name, and the log under it: all but the last step.
    TemporaryFolder.run("cd '\(folder.path)' && cp domain.sqlite-wal log && cp domain.sqlite file")
    old.close()
    TemporaryFolder.run(
      """
      cd '\(folder.path)' && cat file > domain.sqlite && ln domain.sqlite domain.sqlite.damaged-1 \
      && mv log domain.sqlite.damaged-1-wal && rm -f file domain.sqlite-wal domain.sqlite-shm
      """)
    _ = try StoreExchange(path, as: .damaged)
    #expect(!TemporaryFolder.exists(path + ".damaged-1"))
    #expect(!TemporaryFolder.exists(path + ".damaged-1-wal"))
    #expect(try value(path) == [1])
  }

  private func value(_ path: String) throws -> [UInt8]? {
    let storage = try SQLiteStorage(path: path, isCreated: false)
    defer { storage.close() }
    return try storage.read { try $0.get(.record, [1]) }
  }
}
