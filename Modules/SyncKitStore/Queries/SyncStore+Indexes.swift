import SyncKitModel
import Synchronization

extension StoreTransaction {
  /// Whether the rows of the indexes are to be kept in step with the records.
  ///
  /// A store whose indexes are those of another version of the app loses them: kept by half of the processes they would
  /// be wrong. They are built again when the store is next opened.
  func keepsIndexes() throws -> Bool {
    guard let row = try storage.get(.meta, Keys.indexes) else { return false }
    if row == rules.indexes.encoded { return true }
    try storage.delete(.meta, Keys.indexes)
    return false
  }
}

extension StoreReader {
  /// Whether the rows of the indexes may be trusted.
  func hasIndexes() throws -> Bool {
    guard !rules.indexes.isEmpty else { return false }
    return try storage.get(.meta, Keys.indexes) == rules.indexes.encoded
  }
}

extension SyncStore {
  /// Builds the indexes of the schema where the store has none, or others.
  func buildIndexes(evenIfThere isForced: Bool = false) throws {
    guard !rules.indexes.isEmpty else { return }
    let (wanted, key) = (rules.indexes.encoded, Keys.indexes)
    if !isForced, try storage.read({ try $0.get(.meta, key) }) == wanted { return }
    do {
      try storage.write { writer in
        // Another process may have been faster.
        if !isForced, try writer.get(.meta, key) == wanted { return }
        try writer.scan(.index, prefix: [], after: nil) { key, _ in
          try writer.delete(.index, key)
          return true
        }
        try fillIndexes(writer)
        try writer.put(.meta, key, wanted)
      }
    } catch let error as SyncError where error.code == .storeReadOnly {
      // What has no index is searched through.
    }
  }

  private func fillIndexes(_ writer: any StorageWriter) throws {
    let table = try symbols.withLock { $0 }.extended(from: writer)
    for zone in try writer.zoneStates().keys.sorted() {
      for collection in rules.indexes.names {
        try writer.scan(.record, prefix: Keys.prefix(zone, collection), after: nil) { key, packed in
          let state = try RecordState(packed: packed, table)
          for row in try rules.indexRows(of: Keys.record(parsing: key), state) {
            try writer.put(.index, row.key, row.value)
          }
          return true
        }
      }
    }
  }

  /// What the indexes hold that does not follow from the records, or lack.
  func indexProblems(_ reader: StoreReader) throws -> [String] {
    guard try reader.hasIndexes() else { return [] }
    var isWrong = false
    var expected = 0
    for zone in try reader.zones().keys.sorted() {
      for collection in rules.indexes.names {
        try reader.storage.scan(
          .record, prefix: Keys.prefix(zone, collection), after: nil
        ) { key, packed in
          let state = try RecordState(packed: packed, reader.symbols)
          for row in try rules.indexRows(of: Keys.record(parsing: key), state) {
            expected += 1
            if try reader.storage.get(.index, row.key) != row.value { isWrong = true }
          }
          return !isWrong
        }
      }
    }
    try reader.storage.scan(.index, prefix: [], after: nil) { _, _ in
      expected -= 1
      return true
    }
    guard isWrong || expected != 0 else { return [] }
    return ["An index does not match the records; SyncStore.rebuildIndexes() builds it again."]
  }
}
