import SyncKit

// What people do on a device. Few records and few fields, so that they get into each other's way.
extension SimulatedWorld {
  /// Saves one or two records as a batch, new ones or known ones.
  func save(
    _ device: SimulatedDevice, moves: Bool, _ random: inout SeededRandom
  ) throws -> String {
    let drafts = (0..<(random.chance(15) ? 2 : 1)).map { _ in
      draft(for: device, moves: moves, &random)
    }
    var keys: [RecordKey] = []
    try device.store.write { transaction in
      for var draft in drafts {
        try complete(&draft, moves: moves, transaction)
        keys.append(try transaction.save(draft).key)
      }
    }
    for (key, draft) in zip(keys, drafts) { expect(draft.fields, of: key, on: device) }
    return (moves ? "moves " : "saves ")
      + zip(keys, drafts).map { "\($0) \(Self.text($1.fields))" }.joined(separator: " and ")
  }

  func importAll(_ device: SimulatedDevice, _ random: inout SeededRandom) throws -> String {
    var drafts: [RecordDraft] = []
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      var draft = draft(for: device, moves: false, &random)
      guard draft.collection == "note" || draft.collection == "log" else { continue }
      if random.chance(80) {
        draft.at = device.clock.now - .random(in: -10_000...10_000_000, using: &random)
      }
      drafts.append(draft)
    }
    guard !drafts.isEmpty else { return "imports nothing" }
    _ = try device.store.importAll(drafts)
    device.expected = [:]
    return "imports "
      + drafts.map { "\($0.collection)/\($0.id ?? "") \(Self.text($0.fields))" }
      .joined(separator: " and ")
  }

  func edit(_ device: SimulatedDevice, _ random: inout SeededRandom) throws -> String {
    guard let record = try pick(device, deleted: false, &random),
      let collection = device.domain.schema[record.key.collection]
    else { return "finds nothing to edit" }
    let fields = device.domain.draft(for: collection, number: step, using: &random)
    try device.store.write { try $0.edit(record.key, fields) }
    expect(fields, of: record.key, on: device)
    return "edits \(record.key) \(Self.text(fields))"
  }

  func touch(_ device: SimulatedDevice, _ random: inout SeededRandom) throws -> String {
    guard let record = try pick(device, deleted: false, &random) else {
      return "finds nothing to touch"
    }
    let now = device.clock.now
    try device.store.write { try $0.edit(record.key, ["opened": .instant(now)]) }
    return "touches \(record.key)"
  }

  func delete(_ device: SimulatedDevice, _ random: inout SeededRandom) throws -> String {
    guard let record = try pick(device, deleted: false, &random) else {
      return "finds nothing to delete"
    }
    try device.store.write { try $0.delete(record.key) }
    device.expected = [:]
    guard try device.store.record(record.key)?.isDeleted == true else {
      throw SimulationBreach("\(device.name) has deleted \(record.key) and still shows it")
    }
    return "deletes \(record.key)"
  }

  func erase(_ device: SimulatedDevice, _ random: inout SeededRandom) throws -> String {
    guard let record = try pick(device, deleted: random.chance(20), &random) else {
      return "finds nothing to erase"
    }
    statistics.faults[.erase, default: 0] += 1
    try device.store.write { try $0.erase(record.key) }
    device.expected = [:]
    guard let left = try device.store.record(record.key), left.isDeleted else {
      throw SimulationBreach("\(device.name) has erased \(record.key) and still shows it")
    }
    let shown = left.fields.filter { !$0.value.isNull && $0.key != "hidden" }
    guard shown.isEmpty else {
      throw SimulationBreach("\(device.name) has erased \(record.key) and still has its content")
    }
    return "erases \(record.key)"
  }

  func restore(_ device: SimulatedDevice, _ random: inout SeededRandom) throws -> String {
    guard let record = try pick(device, deleted: true, &random) else {
      return "finds nothing to restore"
    }
    device.expected = [:]
    do {
      _ = try device.store.restore(record.key)
    } catch let error as SyncError where error.code == .notFound && plan.faults.contains(.erase) {
      guard try device.store.states(in: record.key.zone)[record.key]?.erasures.isEmpty == false
      else { throw error }
      return "cannot restore \(record.key), which is erased"
    }
    return "restores \(record.key)"
  }

  func restoreAt(_ device: SimulatedDevice, _ random: inout SeededRandom) throws -> String {
    guard let record = try pick(device, deleted: random.chance(50), &random) else {
      return "finds nothing to restore"
    }
    device.expected = [:]
    let at = device.clock.now - .random(in: 0...100_000, using: &random)
    do {
      _ = try device.store.restore(record.key, at: at)
    } catch let error as SyncError where error.code == .notFound {
      return "cannot restore \(record.key) as of \(at): it was not there"
    }
    return "restores \(record.key) as of \(at)"
  }

  func resolve(_ device: SimulatedDevice, _ random: inout SeededRandom) throws -> String {
    guard let conflict = try device.store.conflicts().randomElement(using: &random) else {
      return "has no conflict to resolve"
    }
    let own: Value = .string("a\(step)")
    let takesOwn =
      random.chance(30) && conflict.candidates.allSatisfy { $0.value.string != nil }
      && conflict.field != "_parent"
    let value =
      takesOwn ? own : conflict.candidates.randomElement(using: &random)?.value ?? conflict.shown
    try device.store.write {
      try $0.resolve(conflict.key, register: conflict.field, value: value)
    }
    device.expected = [:]
    let isLeft = try device.store.conflicts().contains {
      $0.key == conflict.key && $0.field == conflict.field
    }
    if isLeft { throw SimulationBreach("\(conflict.key) \(conflict.field) is still in conflict") }
    return "resolves \(conflict.key) \(conflict.field) as \(Self.text(value))"
  }

  // MARK: Choices

  private func pick(
    _ device: SimulatedDevice, deleted: Bool, _ random: inout SeededRandom
  ) throws -> Record? {
    var found: [Record] = []
    for collection in device.domain.schema.collections where collection.placement != .local {
      found += try device.store.records(collection.name, includingDeleted: true)
        .filter { $0.isDeleted == deleted }
    }
    return found.randomElement(using: &random)
  }

  private func draft(
    for device: SimulatedDevice, moves: Bool, _ random: inout SeededRandom
  ) -> RecordDraft {
    let names: [CollectionName] =
      moves ? ["task"] : ["note", "note", "note", "task", "log", "album", "photo"]
    let drawn = names[Int.random(in: names.indices, using: &random)]
    let schema = device.domain.schema
    let name = schema[drawn] == nil ? "note" : drawn
    let fields =
      schema[name].map { device.domain.draft(for: $0, number: step, using: &random) } ?? [:]
    var draft = RecordDraft(name, id: random.chance(60) ? "1" : "2", fields: fields)
    if name == "task" {
      draft.parent = RecordKey(collection: "note", id: random.chance(50) ? "1" : "2")
    }
    return draft
  }

  /// Finds the parent that a draft needs; makes the album of a photo if there is none.
  private func complete(
    _ draft: inout RecordDraft, moves: Bool, _ transaction: WriteTransaction
  ) throws {
    if draft.collection == "photo" {
      let album = RecordDraft("album", id: draft.id, fields: [:])
      draft.parent = try transaction.save(album).key
    } else if draft.collection == "task", !moves, let id = draft.id,
      let known = try transaction.record(RecordKey(collection: "task", id: id)),
      !known.isDeleted
    {
      // One that others had forgotten may have come back without it.
      draft.parent = known.parent ?? draft.parent
    }
  }

  func expect(
    _ fields: [FieldName: Value], of key: RecordKey, on device: SimulatedDevice
  ) {
    // A writer of a greatest or least value may find that a greater or lesser one stands.
    let plain = fields.filter { !["score", "low", "stars"].contains($0.key) }
    device.expected[key, default: [:]].merge(plain) { $1 }
  }
}
