import SyncKit
import Testing

@testable import SQLiteStorage

/// What is found of a store page by page.
struct PageSalvageTests {
  /// A store with rows of all sizes, closed; their keys and values.
  private func store(
    in folder: TemporaryFolder, rows count: Int = 600
  ) throws -> (path: String, rows: [[UInt8]: [UInt8]]) {
    let path = "\(folder.path)/books.sqlite"
    let storage = try SQLiteStorage(path: path)
    var rows: [[UInt8]: [UInt8]] = [:]
    for number in 0..<count {
      // Some values go over many pages.
      let size = number.isMultiple(of: 97) ? 40_000 : number % 700
      rows[Array("key \(number)".utf8)] = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* number) }
    }
    try storage.write { writer in
      for (key, value) in rows { try writer.put(.segment, key, value) }
      try writer.put(.meta, Array("clock".utf8), [1, 2, 3])
    }
    storage.close()
    return (path, rows)
  }

  private func found(_ salvage: PageSalvage, _ table: Table) throws -> [[UInt8]: [UInt8]] {
    var rows: [[UInt8]: [UInt8]] = [:]
    try salvage.read { reader in
      try reader.scan(table, prefix: [], after: nil) { key, value in
        rows[key] = value
        return true
      }
    }
    return rows
  }

  private func change(_ path: String, _ body: (inout [UInt8]) -> Void) throws {
    var bytes = try TemporaryFolder.read(path)
    body(&bytes)
    try TemporaryFolder.write(path, bytes)
  }

  @Test func `every row of a sound store is found, and no other`() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let (path, rows) = try store(in: folder)
    let salvage = try PageSalvage(path: path)
    #expect(salvage.missingPages == 0)
    #expect(try found(salvage, .segment) == rows)
    #expect(try found(salvage, .meta).count == 1)
    #expect(try found(salvage, .record).isEmpty)
    let first = try #require(rows.first)
    #expect(try salvage.read { try $0.get(.segment, first.key) } == first.value)
    // What is not found may be lost, so it is no "nothing".
    #expect(throws: SyncError.self) { try salvage.read { try $0.get(.segment, [0]) } }
  }

  @Test func `half of a file gives about half of the rows, each as it was`() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let (path, rows) = try store(in: folder)
    try change(path) { $0.removeLast($0.count / 2) }
    #expect(throws: SyncError.self) {
      let storage = try SQLiteStorage(path: path, isCreated: false)
      try storage.read { try $0.scan(.segment, prefix: [], after: nil) { _, _ in true } }
    }
    let salvage = try PageSalvage(path: path)
    let left = try found(salvage, .segment)
    #expect(left.count > rows.count / 5 && left.count < rows.count)
    #expect(left.allSatisfy { rows[$0.key] == $0.value })
    #expect(try found(salvage, .meta).count == 1)
    #expect(salvage.missingPages > 0)
  }

  @Test func `pages of rubbish and a lost header cost only what was in them`() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let (path, rows) = try store(in: folder)
    try change(path) { bytes in
      for index in 0..<100 { bytes[index] = 0xAA }
      for page in stride(from: 15, to: bytes.count / 8_192, by: 7) {
        for index in page * 8_192..<(page + 1) * 8_192 { bytes[index] = UInt8.random(in: 0...255) }
      }
    }
    let left = try found(try PageSalvage(path: path), .segment)
    #expect(left.count > rows.count / 2)
    #expect(left.allSatisfy { rows[$0.key] == $0.value })
  }

  @Test func `what lies in the log alone is found, and half of a transaction is not`() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let (path, rows) = try store(in: folder)
    let storage = try SQLiteStorage(path: path)
    try storage.write { try $0.put(.change, [1], [7]) }
    let copy = "\(folder.path)/copy.sqlite"
    try TemporaryFolder.write(copy, try TemporaryFolder.read(path))
    let log = try TemporaryFolder.read(path + "-wal")
    try #require(!log.isEmpty)
    try TemporaryFolder.write(copy + "-wal", log)
    #expect(try found(try PageSalvage(path: copy), .change) == [[1]: [7]])
    #expect(try found(try PageSalvage(path: copy), .segment) == rows)
    try TemporaryFolder.write(copy + "-wal", Array(log.dropLast(100)))
    #expect(try found(try PageSalvage(path: copy), .change).isEmpty)
    storage.close()
  }

  @Test func `deleted rows do not come back from free pages`() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let (path, rows) = try store(in: folder)
    let storage = try SQLiteStorage(path: path)
    try storage.write { writer in for key in rows.keys { try writer.delete(.segment, key) } }
    storage.close()
    #expect(try found(try PageSalvage(path: path), .segment).isEmpty)
  }

  @Test(arguments: [0, 99, 8_192, 60_000])
  func `a file that is not a store is refused`(size: Int) throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let path = "\(folder.path)/rubbish.sqlite"
    try TemporaryFolder.write(path, (0..<size).map { _ in UInt8.random(in: 0...255) })
    let error = #expect(throws: SyncError.self) { try PageSalvage(path: path) }
    #expect(error?.code == .storeDamaged)
  }
}
