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

  /// The zones that hold records here, and whether each of them may leave the device.
  ///
  /// Not for apps: the simulator follows what people let out and take back.
  package func openZones() throws -> [ZoneID: Bool] {
    try storage.read { reader in
      var zones: [ZoneID: Bool] = [:]
      for (key, row) in try reader.entries(.meta, prefix: Keys.zones) {
        let zone = try ZoneState(decoding: row)
        guard !zone.isClosed else { continue }
        zones[ZoneID(String(decoding: key.dropFirst(Keys.zones.count), as: UTF8.self))] =
          zone.isPublished
      }
      return zones
    }
  }
}
