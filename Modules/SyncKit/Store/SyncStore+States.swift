extension SyncStore {
  /// The whole state of every record of a zone, the engine's own records included.
  ///
  /// Not for apps: the simulator compares it with its model, value by value.
  package func states(in zone: ZoneID) throws -> [RecordKey: RecordState] {
    try read { reader in
      var states: [RecordKey: RecordState] = [:]
      for (row, packed) in try reader.storage.entries(.record, prefix: Keys.prefix(zone)) {
        states[try Keys.record(parsing: row)] = try RecordState(packed: packed, reader.symbols)
      }
      return states
    }
  }
}
