import SyncKit

// What the model says about all changes of a world, and what has become of each edit.
extension SimulatedWorld {
  func checkOracle() throws {
    var segments: [Int: [ZoneID: [SimulatedLog.Entry]]] = [:]
    for device in devices {
      let (all, _) = try SimulatedLog.segments(in: device.storage, after: nil, coding: coding)
      let log = try all.flatMap { try SimulatedLog.changes(of: $0, coding: coding) }
      segments[device.number] = Dictionary(
        grouping: try log + written.indexed(device), by: \.zone)
    }
    var oracles: [ZoneID: Oracle] = [:]
    for (zone, groups) in holdings.sorted(by: { $0.key < $1.key }) {
      var found: [SimulatedLog.Entry] = []
      for group in groups {
        // A device that knows all collections shows how things look.
        guard let device = group.first(where: { $0.version != .behind }) ?? group.first else {
          continue
        }
        let own = segments[device.number]?[zone] ?? []
        found += own
        let oracle = try oracle(of: zone, own)
        if groups.count == 1 { oracles[zone] = oracle }
        try check(oracle, zone, on: device)
      }
      if groups.count > 1 { oracles[zone] = try oracle(of: zone, found) }
    }
    try checkNothingLost(oracles)
  }

  /// Fails when a device shows something else than what follows from all it knows.
  func checkModel(of device: SimulatedDevice) throws {
    let unsealed = Set(try SimulatedLog.unsealed(in: device.storage).map(\.zone))
    let (segments, _) = try SimulatedLog.segments(in: device.storage, after: nil, coding: coding)
    let log = try segments.flatMap { try SimulatedLog.changes(of: $0, coding: coding) }
    let zones = Dictionary(grouping: log + (try written.indexed(device)), by: \.zone)
    // What is not sealed has no place in the history yet.
    for (zone, entries) in zones.sorted(by: { $0.key < $1.key }) where !unsealed.contains(zone) {
      try check(oracle(of: zone, entries), zone, on: device)
    }
  }

  private func oracle(of zone: ZoneID, _ log: [SimulatedLog.Entry]) throws -> Oracle {
    do {
      return try SimulatedHistory(log).oracles()[zone] ?? Oracle(zone: zone)
    } catch let error as SyncError where error.code == .bug {
      throw SimulationBreach(error.message)
    }
  }

  private func check(_ oracle: Oracle, _ zone: ZoneID, on device: SimulatedDevice) throws {
    if let waiting = oracle.waiting.min() {
      throw SimulationBreach("change \(waiting) counts, but what it has seen does not")
    }
    let states = try device.store.states(in: zone)
    if let difference = oracle.differences(from: states).first {
      throw SimulationBreach("against the model, \(difference)")
    }
    guard device.version != .behind else { return }
    try checkShown(oracle, zone, on: device)
    try checkNothingStaleIsShown(oracle, zone, on: device)
  }

  /// Compares what is shown with what the model shows.
  private func checkShown(
    _ oracle: Oracle, _ zone: ZoneID, on device: SimulatedDevice
  ) throws {
    let schema = device.store.domain.schema
    let records = oracle.records()
    for (key, record) in records.sorted(by: { $0.key < $1.key }) {
      guard let collection = schema[key.collection] else { continue }
      let isVisible = Oracle.isVisible(
        key, in: records, rule: { schema[$0]?.deleteRule ?? .editWins },
        parent: { Self.parent($0, $1, schema) })
      guard let shown = try device.store.record(key), shown.isDeleted != isVisible else {
        throw SimulationBreach("\(key) should \(isVisible ? "" : "not ")be there")
      }
      let values = record.shown { name in
        collection.fields.first { $0.name == name.field }?.policy ?? NewestPolicy()
      }
      for field in collection.fields where field.type != .set && !field.isLocal {
        let names = field.members.isEmpty ? [field.name] : field.members.map(\.name)
        for name in names {
          let wanted =
            field.members.isEmpty
            ? values[name] ?? .null : values[field.name]?.map?[name] ?? .null
          guard shown[name] != wanted else { continue }
          throw SimulationBreach(
            "\(key) \(name) shows \(Self.text(shown[name])), the model \(Self.text(wanted))")
        }
      }
    }
  }

  private static func parent(
    _ key: RecordKey, _ record: OracleRecord, _ schema: DomainSchema
  ) -> Oracle.ParentEdge? {
    let siblings = record.candidates("_parent")
    guard let first = siblings.first else { return nil }
    let isMovable = schema[key.collection]?.isMovable == true
    let chosen = siblings.reduce(first) { left, right in
      let isRightNewer = (left.stamp, left.dot) < (right.stamp, right.dot)
      return isRightNewer == isMovable ? right : left
    }
    guard let parts = chosen.value.string?.split(separator: "/"), parts.count == 2 else {
      return nil
    }
    let parent = RecordKey(
      zone: key.zone, collection: CollectionName(String(parts[0])), id: RecordID(String(parts[1])))
    return (parent, chosen.stamp)
  }
}
