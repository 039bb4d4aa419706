import SyncKit
import SyncKitTesting
import Testing

/// Storages that break one promise each; a contract that passes them would be worth nothing.
enum BrokenStorage: String, CaseIterable, Sendable {
  case keepsFailedTransactions, scansBackwards, ignoresPrefix, startsAtKeyNotBehindIt
  case forgetsDeletes, mixesTables, ignoresStop, losesOldTransactions, readsBeforeItsWrites
  case swallowsErrors, putsOnce, takesTheNextForTheLast

  func make() -> any Storage {
    switch self {
    case .keepsFailedTransactions, .losesOldTransactions, .swallowsErrors, .readsBeforeItsWrites:
      BrokenTransactions(fault: self)
    default: Distorted(base: InMemoryStorage(), fault: self)
    }
  }
}

@Suite struct TheStorageContractCatches {
  @Test(arguments: BrokenStorage.allCases)
  func aBrokenPromise(_ broken: BrokenStorage) async throws {
    var caught: [String] = []
    for check in StorageContract.checks {
      do {
        try await check(
          StorageContract {
            broken.make()
          } reopening: {
            $0
          })
      } catch {
        caught.append("\(error)")
      }
    }
    #expect(!caught.isEmpty)
  }
}

/// Passes everything through, with one distortion on the way.
private struct Distorted: Storage {
  let base: InMemoryStorage
  let fault: BrokenStorage
  var fingerprint: String? { nil }

  func read<T>(_ body: (any StorageReader) throws -> T) throws -> T {
    try base.read { try body(DistortedReader(base: $0, fault: fault)) }
  }

  func write<T>(_ body: (any StorageWriter) throws -> T) throws -> T {
    try base.write { try body(DistortedWriter(base: $0, fault: fault)) }
  }
}

private class DistortedReader: StorageReader {
  let reader: any StorageReader
  let fault: BrokenStorage

  init(base: any StorageReader, fault: BrokenStorage) {
    reader = base
    self.fault = fault
  }

  func place(_ table: Table) -> Table { fault == .mixesTables ? .meta : table }

  func get(_ table: Table, _ key: [UInt8]) throws -> [UInt8]? { try reader.get(place(table), key) }

  func scan(
    _ table: Table, prefix: [UInt8], after: [UInt8]?,
    _ body: (_ key: [UInt8], _ value: [UInt8]) throws -> Bool
  ) throws {
    var found: [(key: [UInt8], value: [UInt8])] = []
    if fault == .startsAtKeyNotBehindIt, let after, after.starts(with: prefix),
      let value = try reader.get(place(table), after)
    {
      found.append((after, value))
    }
    let prefix = fault == .ignoresPrefix ? [] : prefix
    try reader.scan(place(table), prefix: prefix, after: after) {
      found.append(($0, $1))
      return true
    }
    if fault == .scansBackwards { found.reverse() }
    for (key, value) in found {
      let goesOn = try body(key, value)
      guard goesOn || fault == .ignoresStop else { return }
    }
  }

  func scanBackward(
    _ table: Table, prefix: [UInt8], before: [UInt8]?,
    _ body: (_ key: [UInt8], _ value: [UInt8]) throws -> Bool
  ) throws {
    let prefix = fault == .takesTheNextForTheLast ? Array(prefix.dropLast()) : prefix
    try reader.scanBackward(table, prefix: prefix, before: before, body)
  }
}

private final class DistortedWriter: DistortedReader, StorageWriter {
  let writer: any StorageWriter

  init(base: any StorageWriter, fault: BrokenStorage) {
    writer = base
    super.init(base: base, fault: fault)
  }

  func put(_ table: Table, _ key: [UInt8], _ value: [UInt8]) throws {
    if fault == .putsOnce, try writer.get(place(table), key) != nil { return }
    try writer.put(place(table), key, value)
  }

  func delete(_ table: Table, _ key: [UInt8]) throws {
    if fault != .forgetsDeletes { try writer.delete(place(table), key) }
  }
}

/// Gets the ends of transactions wrong.
private struct BrokenTransactions: Storage {
  let base = InMemoryStorage()
  let fault: BrokenStorage
  var fingerprint: String? { nil }

  func read<T>(_ body: (any StorageReader) throws -> T) throws -> T { try base.read(body) }

  func write<T>(_ body: (any StorageWriter) throws -> T) throws -> T {
    switch fault {
    case .losesOldTransactions:
      // Two transactions that start from the same moment, and the last one wins.
      let copy = InMemoryStorage(copying: base)
      let result = try copy.write(body)
      try base.write { writer in
        for table in Table.allCases {
          let entries = try copy.read { try StorageTestEntries.all($0, table) }
          for entry in entries { try writer.put(table, entry.key, entry.value) }
        }
      }
      return result
    case .readsBeforeItsWrites:
      return try base.write { try body(StaleWriter(before: InMemoryStorage(), writer: $0)) }
    default:
      var outcome: Result<T, any Error>?
      try base.write { writer in outcome = Result { try body(writer) } }
      guard let outcome else { throw SyncError(.bug, "The body did not run.") }
      if fault == .swallowsErrors, case .failure = outcome {
        return try base.read { _ in throw SyncError(.failure, "Something went wrong.") }
      }
      return try outcome.get()
    }
  }
}

private struct StaleWriter: StorageWriter {
  let before: InMemoryStorage
  let writer: any StorageWriter

  func get(_ table: Table, _ key: [UInt8]) throws -> [UInt8]? {
    try before.read { try $0.get(table, key) }
  }

  func scan(
    _ table: Table, prefix: [UInt8], after: [UInt8]?,
    _ body: (_ key: [UInt8], _ value: [UInt8]) throws -> Bool
  ) throws {
    try before.read { try $0.scan(table, prefix: prefix, after: after, body) }
  }

  func put(_ table: Table, _ key: [UInt8], _ value: [UInt8]) throws {
    try writer.put(table, key, value)
  }

  func delete(_ table: Table, _ key: [UInt8]) throws { try writer.delete(table, key) }
}

enum StorageTestEntries {
  static func all(
    _ reader: any StorageReader, _ table: Table
  ) throws -> [(key: [UInt8], value: [UInt8])] {
    var found: [(key: [UInt8], value: [UInt8])] = []
    try reader.scan(table, prefix: [], after: nil) {
      found.append(($0, $1))
      return true
    }
    return found
  }
}
