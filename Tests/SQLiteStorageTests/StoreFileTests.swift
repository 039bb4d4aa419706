import SQLiteStorage
import SyncKit
import Testing

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

func code(_ body: () throws -> Void) -> SyncError.Code? {
  do {
    try body()
    return nil
  } catch {
    return (error as? SyncError)?.code
  }
}

@Suite struct StoreFiles {
  let folder: TemporaryFolder
  let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.unused("store.sqlite")
  }

  private func filled() throws -> SQLiteStorage {
    let storage = try SQLiteStorage(path: path)
    try storage.write { writer in
      for number in UInt8(0)..<200 { try writer.put(.record, [number], [number, 1, 2]) }
    }
    return storage
  }

  @Test func filesArePrivateWhateverTheUmask() throws {
    let mask = umask(0)
    defer { umask(mask) }
    let storage = try filled()
    defer { folder.remove() }
    for ending in ["", "-wal", "-shm"] { #expect(TemporaryFolder.mode(path + ending) == 0o600) }
    #expect(TemporaryFolder.mode(path.replacing("/store.sqlite", with: "")) == 0o700)
    storage.close()
  }

  @Test func aStoreIsNeverMadeWhenItIsExpected() throws {
    defer { folder.remove() }
    #expect(code { _ = try SQLiteStorage(path: path, isCreated: false) } == .storeMissing)
    #expect(!TemporaryFolder.exists(path))
  }

  @Test func makingAStoreLeavesNothingElseBehind() throws {
    defer { folder.remove() }
    try filled().close()
    let parent = path.replacing("/store.sqlite", with: "")
    #expect(TemporaryFolder.run("test $(ls -A '\(parent)' | wc -l) -le 3") == 0)
  }

  @Test func afterClosingTheFileAloneIsTheStore() throws {
    defer { folder.remove() }
    try filled().close()
    let copy = folder.unused("copy.sqlite")
    TemporaryFolder.run("mkdir -p $(dirname '\(copy)') && cp '\(path)' '\(copy)'")
    let storage = try SQLiteStorage(path: copy, isCreated: false)
    #expect(try storage.read { try $0.get(.record, [199]) } == [199, 1, 2])
    storage.close()
  }

  @Test func theLogStaysBounded() throws {
    defer { folder.remove() }
    let storage = try filled()
    for round in UInt8(0)..<40 {
      try storage.write { try $0.put(.segment, [round], [UInt8](repeating: round, count: 1 << 20)) }
    }
    try storage.write { try $0.put(.meta, [1], [1]) }
    #expect(try TemporaryFolder.read(path + "-wal").count < 12 << 20)
    storage.close()
    #expect(try TemporaryFolder.read(path + "-wal").isEmpty)
  }

  @Test func aClosedStoreSaysSo() throws {
    defer { folder.remove() }
    let storage = try filled()
    storage.close()
    storage.close()
    #expect(code { try storage.read { _ in } } == .bug)
    #expect(code { try storage.write { _ in } } == .bug)
  }

  @Test func aTransactionThatWasKeptIsUseless() throws {
    defer { folder.remove() }
    let storage = try filled()
    let kept = try storage.write { $0 }
    #expect(code { try kept.put(.record, [1], []) } == .bug)
    #expect(code { _ = try kept.get(.record, [1]) } == .bug)
    storage.close()
  }

  @Test func aBackupIsAWholePrivateCopyWithAnIdentityOfItsOwn() throws {
    defer { folder.remove() }
    let storage = try filled()
    let copy = path + " o'copy"
    try storage.backUp(to: copy)
    #expect(TemporaryFolder.mode(copy) == 0o600)
    #expect(code { try storage.backUp(to: copy) } == .storeIO)
    let restored = try SQLiteStorage(path: copy, isCreated: false)
    #expect(try restored.read { try $0.get(.record, [7]) } == [7, 1, 2])
    #expect(restored.fingerprint != storage.fingerprint)
    #expect(try restored.problems().isEmpty)
    restored.close()
    storage.close()
  }
}

@Suite struct StoresOfOthers {
  let folder: TemporaryFolder
  let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = "\(folder.path)/store.sqlite"
  }

  /// Opens the file and expects a refusal that leaves every byte as it was.
  private func expectRefusal(_ expected: SyncError.Code, _ bytes: [UInt8]) throws {
    try TemporaryFolder.write(path, bytes)
    #expect(code { _ = try SQLiteStorage(path: path) } == expected)
    #expect(try TemporaryFolder.read(path) == bytes)
    let log = TemporaryFolder.exists(path + "-wal") ? try TemporaryFolder.read(path + "-wal") : []
    #expect(log.isEmpty)
    folder.remove()
  }

  private func store(_ patch: (inout [UInt8]) -> Void) throws -> [UInt8] {
    let other = folder.unused("other.sqlite")
    let storage = try SQLiteStorage(path: other)
    try storage.write { try $0.put(.meta, [1], [1]) }
    storage.close()
    var bytes = try TemporaryFolder.read(other)
    patch(&bytes)
    return bytes
  }

  @Test func aNewerStoreIsLeftAlone() throws {
    try expectRefusal(.storeNewer, store { $0[63] = 99 })
  }

  @Test func anotherProgramsFileIsLeftAlone() throws {
    try expectRefusal(.storeForeign, store { $0.replaceSubrange(68..<72, with: [0, 0, 0, 0]) })
  }

  @Test func aZeroedHeaderIsDamage() throws {
    try expectRefusal(.storeDamaged, store { for index in 0..<100 { $0[index] = 0 } })
  }

  @Test func whatIsNoDatabaseIsDamage() throws {
    try expectRefusal(.storeDamaged, Array("a text of any kind\n".utf8))
  }

  @Test func anEmptyFileIsDamage() throws { try expectRefusal(.storeDamaged, []) }

  @Test func aStoreCutShortIsDamage() throws {
    try expectRefusal(.storeDamaged, store { $0.removeLast($0.count - 8_192) })
  }

  @Test func aFolderIsNoStore() throws {
    defer { folder.remove() }
    #expect(code { _ = try SQLiteStorage(path: folder.path) } == .storeIO)
    #expect(code { _ = try SQLiteStorage(path: "") } == .storeIO)
  }

  @Test func aLogWithoutItsStoreStopsANewOne() throws {
    defer { folder.remove() }
    try TemporaryFolder.write(path + "-wal", [1, 2, 3])
    #expect(code { _ = try SQLiteStorage(path: path) } == .storeDamaged)
    #expect(!TemporaryFolder.exists(path))
  }

  @Test func anEmptyLogWithoutItsStoreStopsNobody() throws {
    defer { folder.remove() }
    try TemporaryFolder.write(path + "-wal", [])
    let storage = try SQLiteStorage(path: path)
    try storage.write { try $0.put(.record, [7], [1, 2]) }
    #expect(try storage.read { try $0.get(.record, [7]) } == [1, 2])
    storage.close()
  }

  @Test func aDamagedStoreIsSetAsideByteForByte() throws {
    defer { folder.remove() }
    let garbage: [[UInt8]] = [[1, 2, 3], [4, 5], [6]]
    for (ending, bytes) in zip(["", "-wal", "-shm"], garbage) {
      try TemporaryFolder.write(path + ending, bytes)
    }
    #expect(try SQLiteStorage.setAside(path) == path + ".damaged-1")
    for (ending, bytes) in zip(["", "-wal", "-shm"], garbage) {
      #expect(!TemporaryFolder.exists(path + ending))
      #expect(try TemporaryFolder.read(path + ".damaged-1" + ending) == bytes)
    }
    #expect(try SQLiteStorage.setAside(path) == nil)
    try SQLiteStorage(path: path).close()
    #expect(try SQLiteStorage.setAside(path) == path + ".damaged-2")
  }
}
