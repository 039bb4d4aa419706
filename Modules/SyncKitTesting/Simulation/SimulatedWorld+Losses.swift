import SyncKit

// I2 and I3: what has become of each acknowledged edit.
extension SimulatedWorld {
  /// Follows every acknowledged edit: it stands, or its replacement's author had seen it, or it was overridden.
  func checkNothingLost(_ oracles: [ZoneID: Oracle]) throws {
    let book = try LossRecord(self, oracles)
    for (number, batch) in written.batches.enumerated() where !batch.isRolledBack {
      let zones = Set(batch.operations.keys.map(\.zone)).subtracting(batch.lost)
      let out = zones.filter { zone in
        let write = LocalWrite(batch: batch.id, zone: zone)
        // What was never sent is still where it was written when its tree has become local there.
        return oracles[zone] != nil && !kept.contains(write) && !leftBehind.contains(write)
          && !book.present.contains(write)
      }
      if !out.isEmpty, !book.logged.contains(number) {
        throw SimulationBreach(
          "batch \(batch.id) of \(devices[batch.author].name) in step \(batch.step) is lost from "
            + out.sorted().map(\.text).joined(separator: ", "))
      }
      for (key, wanted) in batch.operations.sorted(by: { $0.key < $1.key })
      where !batch.lost.contains(key.zone) {
        if out.contains(key.zone) {
          try book.checkOut(number, batch, key, wanted, in: self)
        } else {
          try book.checkMoved(number, batch, key, wanted, in: self)
        }
      }
    }
  }
}

/// A register, or a record as a whole, in a zone or in whatever zone its tree was in.
private struct Place: Hashable {
  var zone: ZoneID?
  let collection: CollectionName
  let id: RecordID
  let register: FieldName?
}

/// The authors of writes in a world.
private struct LossRecord {
  var logged: Set<Int> = []
  private var operations: [Int: [RecordOperation]] = [:]
  private var writers: [Place: Set<Int>] = [:]
  /// The same, by what was written at first and whatever became of it, and without zones.
  private var anywhere: [Place: Set<Int>] = [:]
  /// The devices that erased a record, in whatever zone its tree was.
  private var erasures: [Place: Set<Int>] = [:]
  private var dots: [Int: Set<Dot>] = [:]
  private let records: [ZoneID: [RecordKey: OracleRecord]]
  /// The batches that lie on a device, in zones that are not closed.
  private(set) var present: Set<LocalWrite> = []

  init(_ world: SimulatedWorld, _ oracles: [ZoneID: Oracle]) throws {
    records = oracles.mapValues { $0.records() }
    for (zone, oracle) in oracles {
      for (dot, change) in oracle.changes where !change.operations.isEmpty {
        guard let number = world.written.number(change.batch) else {
          throw SimulationBreach("change \(dot) is of a batch that no device wrote")
        }
        logged.insert(number)
        dots[number, default: []].insert(dot)
        operations[number, default: []] += change.operations
        for operation in change.operations {
          note(operation, zone) { writers[$0, default: []].insert(number) }
        }
      }
    }
    for (number, batch) in world.written.batches.enumerated() {
      for (_, operations) in batch.operations {
        for operation in operations {
          note(operation, nil) { anywhere[$0, default: []].insert(number) }
          guard operation.kind == .erase else { continue }
          let place = Place(
            zone: nil, collection: operation.collection, id: operation.id, register: nil)
          erasures[place, default: []].insert(number)
        }
      }
    }
    for device in world.devices {
      let open = try device.store.openZones()
      for (zone, change) in try SimulatedLog.unsealed(in: device.storage) where open[zone] != nil {
        present.insert(LocalWrite(batch: change.batch, zone: zone))
      }
    }
  }

  private func note(_ operation: RecordOperation, _ zone: ZoneID?, _ body: (Place) -> Void) {
    let collection = operation.collection
    let id = operation.id
    if [.create, .restore, .erase, .delete, .forget].contains(operation.kind), zone == nil {
      body(Place(zone: nil, collection: collection, id: id, register: nil))
    } else if [.create, .restore, .erase, .forget].contains(operation.kind) {
      body(Place(zone: zone, collection: collection, id: id, register: nil))
    }
    for write in operation.writes {
      body(Place(zone: zone, collection: collection, id: id, register: write.name))
    }
  }

  /// Whether a record was erased by a device of which the author of a batch did not know: that takes what is
  /// written beside it.
  private func isErased(_ key: RecordKey, beside batch: WrittenBatches.Batch) -> Bool {
    let place = Place(zone: nil, collection: key.collection, id: key.id, register: nil)
    return erasures[place, default: []].contains {
      $0 != batch.number && !batch.seen.contains($0)
    }
  }

  /// An edit in a zone that every device has.
  func checkOut(
    _ number: Int, _ batch: WrittenBatches.Batch, _ key: RecordKey, _ wanted: [RecordOperation],
    in world: SimulatedWorld
  ) throws {
    for operation in wanted {
      let found = operations[number, default: []].filter {
        $0.kind == operation.kind && $0.collection == key.collection && $0.id == key.id
      }
      guard !found.isEmpty else {
        throw SimulationBreach("batch \(batch.id) has lost its \(operation.kind) of \(key)")
      }
      for write in operation.writes {
        var overriding = write
        overriding.isOverridden = true
        if !found.contains(where: { $0.writes.contains(write) || $0.writes.contains(overriding) }) {
          throw SimulationBreach("batch \(batch.id) has lost its \(write.name) of \(key)")
        }
        guard let value = write.value, !value.isNull else { continue }
        let stands = records[key.zone]?[key]?.registers[write.name, default: []].contains {
          $0.value == value && dots[number, default: []].contains($0.dot)
        }
        if stands == true || isErased(key, beside: batch) { continue }
        let places = [write.name, nil].map {
          Place(zone: key.zone, collection: key.collection, id: key.id, register: $0)
        }
        let isOverwritten = places.contains { place in
          writers[place, default: []].contains { writer in
            // A batch may write a register twice; then it is its own successor.
            writer == number || world.written.batches[writer].seen.contains(number)
          }
        }
        guard isOverwritten else {
          throw SimulationBreach(
            "\(key) \(write.name)=\(SimulatedWorld.text(value)) of batch \(batch.id) in step "
              + "\(batch.step) is gone, and no author that wrote over it had seen it")
        }
      }
    }
  }

  /// An edit in a tree that was published or withdrawn since: its mover had seen it, or wrote over
  /// it, or deleted it; or it lies where it was written.
  func checkMoved(
    _ number: Int, _ batch: WrittenBatches.Batch, _ key: RecordKey, _ wanted: [RecordOperation],
    in world: SimulatedWorld
  ) throws {
    // What a device lost with its store and a remote by an erasure is nowhere, and no device could help.
    guard world.plan.faults.isDisjoint(with: [.restore, .wipe, .rewind, .clone]) else { return }
    guard key.collection.text.utf8.first != UInt8(ascii: "_") else { return }
    guard !present.contains(LocalWrite(batch: batch.id, zone: key.zone)) else { return }
    guard !isErased(key, beside: batch) else { return }
    let root: CollectionName? =
      key.collection == "photo" ? "album" : key.collection == "page" ? "diary" : nil
    for operation in wanted where [.create, .edit, .restore].contains(operation.kind) {
      for write in operation.writes where write.value?.isNull == false {
        var places = [write.name, nil].map {
          Place(zone: nil, collection: key.collection, id: key.id, register: $0)
        }
        if let root { places.append(Place(zone: nil, collection: root, id: key.id, register: nil)) }
        let isFollowed = places.contains { place in
          anywhere[place, default: []].contains { writer in
            writer == number && operation.kind == .edit
              ? false : world.written.batches[writer].seen.contains(number)
          }
        }
        guard isFollowed else {
          throw SimulationBreach(
            "\(key) \(write.name)=\(SimulatedWorld.text(write.value ?? .null)) of batch "
              + "\(batch.id) in step \(batch.step) is gone with its zone, and no device kept it")
        }
      }
    }
  }
}
