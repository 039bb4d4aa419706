import SyncKit

// What the model says about all changes of a world, and what has become of each edit.
extension SimulatedWorld {
  func checkOracle() throws {
    let (segments, _) = try SimulatedLog.segments(
      in: devices[0].storage, after: nil, coding: coding)
    let history = try SimulatedHistory(segments, coding: coding)
    let oracles: [ZoneID: Oracle]
    do {
      oracles = try history.oracles()
    } catch let error as SyncError where error.code == .bug {
      throw SimulationBreach(error.message)
    }
    for (zone, oracle) in oracles.sorted(by: { $0.key < $1.key }) {
      if let waiting = oracle.waiting.min() {
        throw SimulationBreach("change \(waiting) counts, but what it has seen does not")
      }
      let states = try devices[0].store.states(in: zone)
      if let difference = oracle.differences(from: states).first {
        throw SimulationBreach("against the model, \(difference)")
      }
      try checkShown(oracle, zone)
    }
    try checkNothingLost(oracles)
  }

  /// Compares what is shown with what the model shows.
  private func checkShown(_ oracle: Oracle, _ zone: ZoneID) throws {
    let schema = devices[0].store.domain.schema
    let records = oracle.records()
    for (key, record) in records.sorted(by: { $0.key < $1.key }) {
      guard let collection = schema[key.collection] else { continue }
      let isVisible = Oracle.isVisible(
        key, in: records, rule: { schema[$0]?.deleteRule ?? .editWins },
        parent: { Self.parent($0, $1, schema) })
      guard let shown = try devices[0].store.record(key), shown.isDeleted != isVisible else {
        throw SimulationBreach("\(key) should \(isVisible ? "" : "not ")be there")
      }
      let values = record.shown { name in
        collection.fields.first { $0.name == name.field }?.policy ?? NewestPolicy()
      }
      for field in collection.fields where field.type != .set {
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
    guard let siblings = record.registers["_parent"], let first = siblings.first else { return nil }
    let isMovable = schema[key.collection]?.isMovable == true
    let chosen = siblings.reduce(first) { left, right in
      let isRightNewer = (left.stamp, left.dot) < (right.stamp, right.dot)
      return isRightNewer == isMovable ? right : left
    }
    guard let parts = chosen.value.string?.split(separator: "/"), parts.count == 2 else {
      return nil
    }
    let parent = RecordKey(
      zone: key.zone, collection: Name(String(parts[0])), id: Name(String(parts[1])))
    return (parent, chosen.stamp)
  }

  /// Follows every acknowledged edit: it stands, or who wrote over it had seen it, or it gave way.
  private func checkNothingLost(_ oracles: [ZoneID: Oracle]) throws {
    struct Place: Hashable {
      let zone: ZoneID
      let collection: Name
      let id: Name
      let register: Name?
    }
    var logged: Set<Int> = []
    var operations: [Int: [RecordOperation]] = [:]
    var yielded: [Int: [YieldedWrite]] = [:]
    var writers: [Place: Set<Int>] = [:]
    var dots: [Int: Set<Dot>] = [:]
    for (zone, oracle) in oracles {
      for (dot, change) in oracle.changes where !change.operations.isEmpty {
        guard let number = written.number(change.batch) else {
          throw SimulationBreach("change \(dot) is of a batch that nobody wrote")
        }
        logged.insert(number)
        dots[number, default: []].insert(dot)
        operations[number, default: []] += change.operations
        yielded[number, default: []] += change.yielded
        for operation in change.operations {
          let isWhole = [.create, .restore, .erase].contains(operation.kind)
          if isWhole {
            let place = Place(
              zone: zone, collection: operation.collection, id: operation.id, register: nil)
            writers[place, default: []].insert(number)
          }
          for write in operation.writes {
            let place = Place(
              zone: zone, collection: operation.collection, id: operation.id, register: write.name)
            writers[place, default: []].insert(number)
          }
        }
      }
    }
    let records = oracles.mapValues { $0.records() }
    for (number, batch) in written.batches.enumerated() {
      guard logged.contains(number) else {
        if batch.isRolledBack { continue }
        throw SimulationBreach(
          "batch \(batch.id) of \(devices[batch.author].name) in step \(batch.step) is lost")
      }
      for (key, wanted) in batch.operations.sorted(by: { $0.key < $1.key }) {
        for operation in wanted {
          let found = operations[number, default: []].filter {
            $0.kind == operation.kind && $0.collection == key.collection && $0.id == key.id
          }
          guard !found.isEmpty else {
            throw SimulationBreach("batch \(batch.id) has lost its \(operation.kind) of \(key)")
          }
          for write in operation.writes {
            if !found.contains(where: { $0.writes.contains(write) }) {
              let hasYielded = yielded[number, default: []].contains {
                $0.collection == key.collection && $0.id == key.id && $0.write == write
              }
              if hasYielded { continue }
              throw SimulationBreach("batch \(batch.id) has lost its \(write.name) of \(key)")
            }
            guard let value = write.value, !value.isNull else { continue }
            let stands = records[key.zone]?[key]?.registers[write.name, default: []].contains {
              $0.value == value && dots[number, default: []].contains($0.dot)
            }
            if stands == true { continue }
            let places = [write.name, nil].map {
              Place(zone: key.zone, collection: key.collection, id: key.id, register: $0)
            }
            let isOverwritten = places.contains { place in
              writers[place, default: []].contains { writer in
                writer == number || written.batches[writer].seen.contains(number)
              }
            }
            // A batch may write a register twice; then it is its own successor.
            guard isOverwritten else {
              throw SimulationBreach(
                "\(key) \(write.name)=\(Self.text(value)) of batch \(batch.id) in step "
                  + "\(batch.step) is gone, and nobody who wrote over it had seen it")
            }
          }
        }
      }
    }
  }
}
