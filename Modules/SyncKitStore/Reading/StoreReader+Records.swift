import SyncKitModel

// The reading behind the records of ``SyncStore``.
extension StoreReader {
  func record(_ key: RecordKey) throws -> Record? {
    let state = try state(key)
    return state.isEmpty ? nil : try view.record(key, state)
  }

  func record(_ collection: CollectionName, _ id: RecordID) throws -> Record? {
    for zone in try zones().keys.sorted() {
      let found = try record(RecordKey(zone: zone, collection: collection, id: id))
      if let found { return found }
    }
    return nil
  }

  func records(_ collection: CollectionName, id: RecordID) throws -> [Record] {
    try zones().keys.sorted().compactMap { zone in
      try record(RecordKey(zone: zone, collection: collection, id: id))
    }
  }

  func forEachRecord(
    in collection: CollectionName, includingDeleted: Bool, _ body: (Record) throws -> Void
  ) throws {
    for zone in try zones().keys.sorted() {
      try storage.scan(
        .record, prefix: Keys.prefix(zone, collection), after: nil
      ) { row, packed in
        let key = try Keys.record(parsing: row)
        let record = try view.record(key, RecordState(packed: packed, symbols))
        if includingDeleted || !record.isDeleted { try body(record) }
        return true
      }
    }
  }

  func counts() throws -> [CollectionName: Int] {
    try zones().values.reduce(into: [:]) { counts, zone in
      for (name, count) in zone.live where !Rules.isSystem(name) {
        counts[name, default: 0] += count
      }
    }
  }
}
