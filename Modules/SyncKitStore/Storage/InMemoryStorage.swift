import SyncKitModel
import Synchronization

/// A storage that lives and dies with its process; keeps every promise but durability.
///
/// A copy (``init(copying:)``) is what a backup, a clone or the disk after a crash is to a real
/// store; ``fingerprint`` says what the test wants it to say.
public final class InMemoryStorage: Storage {
  private struct State {
    var tables: [SortedBytes]
    var fingerprint: String?
  }

  /// Held for the length of a transaction.
  private let turn = Turn()
  private let state: Mutex<State>

  /// Makes an empty storage.
  public init(fingerprint: String? = nil) {
    state = Mutex(
      State(
        tables: Array(repeating: SortedBytes(), count: Table.allCases.count),
        fingerprint: fingerprint))
  }

  /// Makes a storage with the committed content and the fingerprint of another one.
  public init(copying other: InMemoryStorage) {
    state = Mutex(other.state.withLock { $0 })
  }

  /// What the storage says of its file; set it to play a copied, restored or moved one.
  public var fingerprint: String? {
    get { state.withLock { $0.fingerprint } }
    set { state.withLock { $0.fingerprint = newValue } }
  }

  public func read<T>(_ body: (any StorageReader) throws -> T) throws -> T {
    try turn.take {
      let transaction = InMemoryTransaction(tables: state.withLock { $0.tables })
      defer { transaction.end() }
      return try body(transaction)
    }
  }

  public func write<T>(_ body: (any StorageWriter) throws -> T) throws -> T {
    try turn.take {
      let transaction = InMemoryTransaction(tables: state.withLock { $0.tables })
      defer { transaction.end() }
      let result = try body(transaction)
      let tables = transaction.tables
      state.withLock { $0.tables = tables }
      return result
    }
  }
}

/// One transaction: a copy of the tables that becomes the state, or is forgotten.
private final class InMemoryTransaction: StorageWriter {
  private(set) var tables: [SortedBytes]
  private var isOver = false

  init(tables: [SortedBytes]) { self.tables = tables }

  func end() { isOver = true }

  func get(_ table: Table, _ key: [UInt8]) throws -> [UInt8]? {
    try check()
    return tables[Int(table.rawValue)][key]
  }

  func scan(
    _ table: Table, prefix: [UInt8], after: [UInt8]?,
    _ body: (_ key: [UInt8], _ value: [UInt8]) throws -> Bool
  ) throws {
    try check()
    var start = prefix
    var isStrict = false
    if let after, !after.precedes(prefix) {
      start = after
      isStrict = true
    }
    while let (key, value) = tables[Int(table.rawValue)].first(from: start, isStrict: isStrict),
      key.starts(with: prefix), try body(key, value)
    {
      start = key
      isStrict = true
    }
  }

  func scanBackward(
    _ table: Table, prefix: [UInt8], before: [UInt8]?,
    _ body: (_ key: [UInt8], _ value: [UInt8]) throws -> Bool
  ) throws {
    try check()
    var end = prefix.successor
    if let before, end.map(before.precedes) ?? true { end = before }
    while let (key, value) = tables[Int(table.rawValue)].last(before: end),
      key.starts(with: prefix), try body(key, value)
    {
      end = key
    }
  }

  func put(_ table: Table, _ key: [UInt8], _ value: [UInt8]) throws {
    try check()
    tables[Int(table.rawValue)][key] = value
  }

  func delete(_ table: Table, _ key: [UInt8]) throws {
    try check()
    tables[Int(table.rawValue)][key] = nil
  }

  private func check() throws {
    guard !isOver else {
      throw SyncError(.bug, "A transaction was used after its end.")
    }
  }
}
