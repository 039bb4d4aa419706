import SQLiteFile
import SyncKit

/// The rows of a store that SQLite cannot read any more, found page by page.
///
/// Every row is under a checksum over its table, key and value, so what is found is right, wherever it lies.
/// What is not found may be lost or may never have been: a key without a row is damage here, and a scan visits
/// what there is. All of it is held in memory.
public final class PageSalvage: Storage {
  public var fingerprint: String? { nil }
  /// How many pages are gone or cannot be read.
  public let missingPages: Int
  private let rows: [Table: [[UInt8]: [UInt8]]]
  private let path: String

  /// Reads all that is there of a store and its log, and changes nothing.
  ///
  /// - Throws: ``SyncError`` `store.damaged` when no row can be told from rubbish, `store.io`.
  public init(path: String) throws {
    self.path = path
    let pages = DatabasePages(
      file: try POSIX.contents(of: path) ?? [], log: try POSIX.contents(of: path + "-wal") ?? [])
    let leaves = (1...max(pages.count, 1)).filter { !pages.free.contains($0) }
    guard let seed = leaves.lazy.compactMap({ Self.seed(in: $0, pages) }).first else {
      throw SyncError(
        .storeDamaged, "Nothing of the store '\(path)' can be read, not even its seed.")
    }
    var rows: [Table: [[UInt8]: [UInt8]]] = [:]
    for number in leaves {
      for cell in Self.cells(of: number, pages) {
        guard let row = Row(cell), let table = row.table(store: seed) else { continue }
        rows[table, default: [:]][row.key] = row.value
      }
    }
    self.rows = rows
    missingPages =
      max(pages.expected, pages.count) - (1...max(pages.count, 1)).count { pages[$0] != nil }
  }

  public func read<T>(_ body: (any StorageReader) throws -> T) throws -> T {
    try body(Reader(rows: rows, path: path))
  }

  public func write<T>(_ body: (any StorageWriter) throws -> T) throws -> T {
    throw SyncError(.storeReadOnly, "The remains of the store '\(path)' are read-only.")
  }

  private struct Reader: StorageReader {
    let rows: [Table: [[UInt8]: [UInt8]]]
    let path: String

    func get(_ table: Table, _ key: [UInt8]) throws -> [UInt8]? {
      if let value = rows[table]?[key] { return value }
      throw SyncError(.storeDamaged, "A row of the store '\(path)' is missing.")
    }

    func scan(
      _ table: Table, prefix: [UInt8], after: [UInt8]?,
      _ body: (_ key: [UInt8], _ value: [UInt8]) throws -> Bool
    ) throws {
      let found = (rows[table] ?? [:]).filter { key, _ in
        key.starts(with: prefix) && after?.lexicographicallyPrecedes(key) ?? true
      }
      for (key, value) in found.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
        guard try body(key, value) else { return }
      }
    }
  }
}

extension PageSalvage {
  /// The kinds of pages that hold rows; the tables of a store are kept in pages of an index.
  private enum Kind: UInt8 {
    case inner = 0x02
    case leaf = 0x0A
    case table = 0x0D
  }

  /// The payloads of the cells of a page.
  private static func cells(
    of number: Int, _ pages: DatabasePages, in kinds: [Kind] = [.inner, .leaf]
  )
    -> [[UInt8]]
  {
    guard let page = pages[number] else { return [] }
    let start = number == 1 ? 100 : 0
    guard let kind = Kind(rawValue: UInt8(page.number(start, 1))), kinds.contains(kind) else {
      return []
    }
    let pointers = start + (kind == .inner ? 12 : 8)
    let count = min(Int(page.number(start + 3, 2)), (pages.size - pointers) / 2)
    return (0..<max(count, 0)).compactMap { index in
      payload(at: Int(page.number(pointers + 2 * index, 2)), of: page, kind, pages)
    }
  }

  private static func payload(
    at offset: Int, of page: ArraySlice<UInt8>, _ kind: Kind, _ pages: DatabasePages
  ) -> [UInt8]? {
    var reader = CellReader(page, at: offset + (kind == .inner ? 4 : 0))
    guard let size = reader.varint(), size > 0, size < 1 << 30 else { return nil }
    if kind == .table { guard reader.varint() != nil else { return nil } }
    let usable = pages.usable
    let largest = kind == .table ? usable - 35 : (usable - 12) * 64 / 255 - 23
    guard size > largest else { return reader.take(size) }
    let least = (usable - 12) * 32 / 255 - 23
    let fitting = least + (size - least) % (usable - 4)
    guard var bytes = reader.take(fitting <= largest ? fitting : least), let next = reader.take(4)
    else {
      return nil
    }
    var overflow = Int(next.number(0, 4))
    while bytes.count < size {
      guard let page = pages[overflow] else { return nil }
      let part = page.dropFirst(4).prefix(min(usable - 4, size - bytes.count))
      guard !part.isEmpty else { return nil }
      bytes += part
      overflow = Int(page.number(0, 4))
    }
    return bytes
  }

  /// The number that a store's rows are checked with, if this page holds it.
  private static func seed(in number: Int, _ pages: DatabasePages) -> UInt64? {
    for cell in cells(of: number, pages, in: [.table]) {
      // One column, a blob of eight bytes.
      guard cell.count == 10, cell[0] == 2, cell[1] == 28 else { continue }
      return cell.number(2, 8)
    }
    return nil
  }
}

/// A row as it lies in a cell: key, checksum, value.
private struct Row {
  var key: [UInt8]
  var value: [UInt8]
  var checksum: UInt64

  /// Reads a record of three columns; nil for anything else.
  init?(_ cell: [UInt8]) {
    var reader = CellReader(cell[...], at: 0)
    guard let header = reader.varint(), header <= cell.count, let keyType = reader.varint(),
      let sumType = reader.varint(), let valueType = reader.varint(), reader.offset == header,
      let keySize = Self.blob(keyType), let valueSize = Self.blob(valueType),
      let key = reader.take(keySize), let sum = reader.number(ofType: sumType),
      let value = reader.take(valueSize)
    else { return nil }
    (self.key, self.value, checksum) = (key, value, sum)
  }

  private static func blob(_ type: Int) -> Int? {
    type >= 12 && type.isMultiple(of: 2) ? (type - 12) / 2 : nil
  }

  /// The table under whose number the checksum is right.
  func table(store seed: UInt64) -> Table? {
    key.withUnsafeBytes { key in
      value.withUnsafeBytes { value in
        Table.allCases.first { table in
          RowChecksum.row(store: seed, table: table.rawValue, key: key, value: value) == checksum
        }
      }
    }
  }
}

/// Reads a cell from its beginning; nil where it ends too early.
private struct CellReader {
  private let bytes: ArraySlice<UInt8>
  private(set) var offset: Int

  init(_ bytes: ArraySlice<UInt8>, at offset: Int) {
    self.bytes = bytes
    self.offset = offset
  }

  mutating func take(_ count: Int) -> [UInt8]? {
    guard count >= 0, offset + count <= bytes.count else { return nil }
    defer { offset += count }
    return Array(bytes.dropFirst(offset).prefix(count))
  }

  /// A number of SQLite's variable length: seven bits a byte, and all eight of the ninth.
  mutating func varint() -> Int? {
    var value: UInt64 = 0
    for index in 0..<9 {
      guard let byte = take(1)?[0] else { return nil }
      if index == 8 { return Int(exactly: value << 8 | UInt64(byte)) }
      value = value << 7 | UInt64(byte & 0x7F)
      if byte & 0x80 == 0 { return Int(exactly: value) }
    }
    return nil
  }

  /// A whole number by the type that a record gives it.
  mutating func number(ofType type: Int) -> UInt64? {
    let sizes = [1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8]
    if type == 8 || type == 9 { return type == 8 ? 0 : 1 }
    guard let size = sizes[type], let bytes = take(size) else { return nil }
    let raw = bytes.number(0, size)
    let shift = UInt64(64 - 8 * size)
    // Kept with its sign.
    return UInt64(bitPattern: Int64(bitPattern: raw << shift) >> Int64(shift))
  }
}
