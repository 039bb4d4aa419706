import SyncKitModel

/// The tables of a local store; each is an ordered map from bytes to bytes.
public enum Table: UInt8, Sendable, CaseIterable {
  /// Single facts: identity, clock, vault, remotes, zones.
  case meta = 0
  /// The packed row of every record.
  case record = 1
  /// Fields that never leave the device, by record.
  case local = 2
  /// Changes that are not sealed yet.
  case change = 3
  /// Sealed segments, own and foreign, by the order of their arrival.
  case segment = 4
  /// Where in its series each sealed segment lies.
  case series = 5
  /// Segments that cannot be applied yet.
  case waiting = 6
  /// Registers with two or more distinct values.
  case conflict = 7
  /// Names and replicas by number.
  case symbol = 8
  /// The records by the values of indexed fields.
  case index = 9
}

/// Reads of one consistent moment of a local store.
public protocol StorageReader {
  /// The value of a key; nil when there is none.
  ///
  /// - Throws: ``SyncError`` `store.io`, or `store.damaged` when the value fails its checksum.
  func get(_ table: Table, _ key: [UInt8]) throws -> [UInt8]?

  /// Visits the entries whose keys begin with `prefix`, in the order of their keys.
  ///
  /// A visit starts after the key `after`, or with the first entry when it is nil; it ends when
  /// `body` returns false.
  func scan(
    _ table: Table, prefix: [UInt8], after: [UInt8]?,
    _ body: (_ key: [UInt8], _ value: [UInt8]) throws -> Bool
  ) throws

  /// Visits the entries whose keys begin with `prefix`, from the last to the first.
  ///
  /// A visit starts before the key `before`, or with the last entry when it is nil; it ends when `body` returns false.
  /// A storage that has no faster way need not implement it: all entries are read by a scan then.
  func scanBackward(
    _ table: Table, prefix: [UInt8], before: [UInt8]?,
    _ body: (_ key: [UInt8], _ value: [UInt8]) throws -> Bool
  ) throws
}

/// Writes of one transaction; it reads what it has written.
public protocol StorageWriter: StorageReader {
  /// Sets the value of a key.
  func put(_ table: Table, _ key: [UInt8], _ value: [UInt8]) throws

  /// Removes a key; nothing happens when there is none.
  func delete(_ table: Table, _ key: [UInt8]) throws
}

/// A local store: ordered maps from bytes to bytes with durable transactions.
///
/// ## What every storage promises
///
/// - **All or nothing.** A write transaction is there whole or not at all, whatever happens.
/// - **Durable.** When ``write(_:)`` has returned, the transaction survives power loss.
/// - **Isolated.** Transactions of all processes have one order; a read sees one moment.
/// - **Checked.** Damage is an error that names the store, never a different value.
///
/// `StorageContract` in SyncKitTesting checks a conformance.
public protocol Storage: Sendable {
  /// Runs `body` on one consistent moment.
  func read<T>(_ body: (any StorageReader) throws -> T) throws -> T

  /// Runs `body` as one durable transaction; an error that it throws undoes all of it.
  func write<T>(_ body: (any StorageWriter) throws -> T) throws -> T

  /// Something that changes when the store's file is copied, restored or moved to another machine.
  ///
  /// Together with the copy kept beside the store it proves continuity; nil when the storage
  /// cannot tell (an in-memory store).
  var fingerprint: String? { get }
}

extension StorageReader {
  public func scanBackward(
    _ table: Table, prefix: [UInt8], before: [UInt8]?,
    _ body: (_ key: [UInt8], _ value: [UInt8]) throws -> Bool
  ) throws {
    for (key, value) in try entries(table, prefix: prefix).reversed() {
      if let before, !key.precedes(before) { continue }
      guard try body(key, value) else { return }
    }
  }

  /// The last of the entries whose keys begin with `prefix`, in the order of their keys; nil when there is none.
  package func last(
    _ table: Table, prefix: [UInt8]
  ) throws -> (key: [UInt8], value: [UInt8])? {
    var last: (key: [UInt8], value: [UInt8])?
    try scanBackward(table, prefix: prefix, before: nil) { key, value in
      last = (key, value)
      return false
    }
    return last
  }

  /// All entries whose keys begin with `prefix`.
  package func entries(
    _ table: Table, prefix: [UInt8] = []
  ) throws -> [(key: [UInt8], value: [UInt8])] {
    var found: [(key: [UInt8], value: [UInt8])] = []
    try scan(table, prefix: prefix, after: nil) { key, value in
      found.append((key, value))
      return true
    }
    return found
  }
}
