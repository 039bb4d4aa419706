import SQLiteFile
import SyncKit
import Testing

@testable import SQLiteStorage

/// SQLite alone sees one in twenty flipped bits; here each must be harmless or an error.
///
/// The one exception is a bit that makes a page forget rows, some in a hundred thousand: only
/// ``SQLiteStorage/problems()`` sees it.
@Suite struct FlippedBits {
  private static func key(_ number: Int) -> [UInt8] {
    Array("home/mapping/".utf8) + [UInt8(number >> 8), UInt8(number & 255), 0x55]
  }

  private static func value(_ number: Int) -> [UInt8] {
    (0..<60 + number % 50).map { UInt8(truncatingIfNeeded: $0 &* 13 ^ number) }
  }

  // Made once: they are compared after every flip.
  private static let keys = (0..<300).map(key)
  private static let values = keys.indices.map(value)

  @Test(.timeLimit(.minutes(20))) func areHarmlessOrNamed() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let path = "\(folder.path)/store.sqlite"
    let storage = try SQLiteStorage(path: path)
    try storage.write { writer in
      for (number, key) in Self.keys.enumerated() {
        try writer.put(.record, key, Self.values[number])
        if number % 3 == 0 { try writer.put(.conflict, key, [1]) }
      }
      try writer.put(.segment, [1], [UInt8](repeating: 0x5A, count: 20_000))
    }
    storage.close()
    let bytes = try TemporaryFolder.read(path)

    var named = 0
    var lost = 0
    var offset = 0
    var step = 0
    while offset < bytes.count {
      try TemporaryFolder.flip(path, at: offset, bit: step % 8)
      do {
        let isSame = try Self.readEverything(path)
        if !isSame { lost += try Self.problems(path).isEmpty ? 1 : 0 }
      } catch {
        named += 1
        #expect(error is SyncError)
      }
      try TemporaryFolder.flip(path, at: offset, bit: step % 8)
      step += 1
      offset += 197
    }
    #expect(try TemporaryFolder.read(path) == bytes)
    #expect(lost == 0)
    #expect(named > 100)
  }

  private static func problems(_ path: String) throws -> [String] {
    let storage = try SQLiteStorage(path: path, isCreated: false)
    defer { storage.close() }
    return try storage.problems()
  }

  /// Whether everything is there, by scan and one by one; throws where damage is found.
  private static func readEverything(_ path: String) throws -> Bool {
    let storage = try SQLiteStorage(path: path, isCreated: false)
    defer { storage.close() }
    return try storage.read { reader in
      let records = try StorageTestEntries.all(reader, .record)
      let conflicts = try StorageTestEntries.all(reader, .conflict)
      let segment = try reader.get(.segment, [1])
      let singles = try keys.map { try reader.get(.record, $0) }
      let others = try StorageTestEntries.all(reader, .local)
      return records.map(\.key) == keys && records.map(\.value) == values
        && conflicts.count == 100 && segment == [UInt8](repeating: 0x5A, count: 20_000)
        && singles == values && others.isEmpty
    }
  }

  @Test func aKeyThatFlippedIsNotAbsent() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let path = "\(folder.path)/store.sqlite"
    let storage = try SQLiteStorage(path: path)
    try storage.write { writer in
      for (key, value) in zip(Self.keys, Self.values) { try writer.put(.record, key, value) }
    }
    storage.close()
    let bytes = try TemporaryFolder.read(path)
    let wanted = Self.keys[150]
    let place = try #require(
      bytes.indices.first { bytes[$0...].starts(with: wanted) })
    for index in 0..<wanted.count {
      for bit in 0..<8 {
        try TemporaryFolder.flip(path, at: place + index, bit: bit)
        let storage = try SQLiteStorage(path: path)
        #expect(
          code { _ = try storage.read { try $0.get(.record, wanted) } } == .storeDamaged,
          "byte \(index), bit \(bit)")
        #expect(try !storage.problems().isEmpty)
        storage.close()
        try TemporaryFolder.flip(path, at: place + index, bit: bit)
      }
    }
  }

  @Test func rowsUnderTheWrongNameAreDamage() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let path = "\(folder.path)/store.sqlite"
    let storage = try SQLiteStorage(path: path)
    try storage.write { try $0.put(.record, [1], [1]) }
    for change in [
      "UPDATE record SET v=x'02'", "UPDATE record SET k=x'02'", "UPDATE record SET c=c+1",
      "UPDATE record SET v='text'", "INSERT INTO local SELECT * FROM record",
    ] {
      try storage.withConnection { try $0.run("BEGIN; \(change)") }
      let found = try storage.withConnectionInTransaction()
      #expect(found == .storeDamaged, "\(change)")
      try storage.withConnection { try $0.run("ROLLBACK") }
    }
  }
}

extension SQLiteStorage {
  /// Reads all tables within the transaction that is open on the connection.
  fileprivate func withConnectionInTransaction() throws -> SyncError.Code? {
    try withConnection { connection in
      let statements = StatementCache(connection)
      defer { statements.removeAll() }
      let seed = try StoreFormat.seed(of: connection)
      let reader = StoreTransaction(connection, statements, seed: seed)
      return code {
        for table in Table.allCases { _ = try StorageTestEntries.all(reader, table) }
      }
    }
  }
}
