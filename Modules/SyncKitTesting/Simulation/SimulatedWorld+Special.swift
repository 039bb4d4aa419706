import SyncKit
import Synchronization

// What happens in some worlds only: trees published and withdrawn, another vault, many records.
extension SimulatedWorld {
  /// Saves a record in a tree of its own, or one that must never leave the device.
  func saveTree(_ device: SimulatedDevice, _ random: inout SeededRandom) throws -> String {
    let names: [CollectionName] = ["album", "photo", "photo", "diary", "page", "page", "secret"]
    let name = names[Int.random(in: names.indices, using: &random)]
    let schema = device.domain.schema
    let fields =
      schema[name].map { device.domain.draft(for: $0, number: step, using: &random) } ?? [:]
    var draft = RecordDraft(name, id: random.chance(60) ? "1" : "2", fields: fields)
    let root: CollectionName? = name == "photo" ? "album" : name == "page" ? "diary" : nil
    let key = try device.store.write { transaction in
      if let root {
        draft.parent = try transaction.save(RecordDraft(root, id: draft.id, fields: [:])).key
      }
      return try transaction.save(draft).key
    }.result
    expect(draft.fields, of: key, on: device)
    return "saves \(key) \(Self.text(draft.fields))"
  }

  /// Lets a tree out or takes it back.
  func setScope(
    _ scope: Record.Scope, _ device: SimulatedDevice, _ random: inout SeededRandom
  ) throws -> String {
    var roots: [Record] = []
    for name in ["album", "diary"] as [CollectionName] {
      roots += try device.store.records(name).filter { $0.scope != scope }
    }
    guard let root = roots.randomElement(using: &random) else {
      return "finds nothing to make \(scope)"
    }
    device.expected = [:]
    statistics.faults[.scope, default: 0] += 1
    try device.store.setScope(scope, of: root.key)
    // While an erasure is on its way, the same root may be here in two generations.
    let now = try device.store.records(root.key.collection, id: root.key.id)
    guard let found = now.first(where: { !$0.isDeleted && $0.scope == scope }) else {
      throw SimulationBreach("\(device.name) has made \(root.key) \(scope), and it is not")
    }
    return "makes \(root.key) \(scope), now in \(found.key.zone)"
  }

  /// I24: a device comes to the remote of another vault, under the name of a remote that it knows.
  func stray(_ device: SimulatedDevice) async throws -> String {
    guard try !device.store.vault().isEmpty else { return "rests" }
    statistics.faults[.stranger, default: 0] += 1
    let name = "r\((device.remotes.first ?? 0) + 1)"
    let view = RemoteView(remote: stranger, device: device.number, coding: device.coding)
    let remote = Remote(name, location: "sim:stranger", transport: view)
    let vault = try device.store.vault()
    let outcomes = await SyncEngine(store: device.store, remotes: [remote]).sync()
    if device.crash.hasCrashed { throw SimulatedCrash() }
    for outcome in outcomes where outcome.error?.code != .remoteVault {
      throw SimulationBreach(
        "\(device.name) has met another vault: \(Self.text(outcome)), and should have refused")
    }
    let isTouched = stranger.state.withLock { !$0.files.isEmpty || $0.markers != ["another-vault"] }
    guard !isTouched, try device.store.vault() == vault else {
      throw SimulationBreach("\(device.name) has mixed two vaults")
    }
    return "refuses another vault"
  }

  /// More records than the guard against mass deletion lets go.
  static let floodSize = MassDeleteGuard.floor + 20

  func flood(_ device: SimulatedDevice) throws -> String {
    guard device.domain.schema["log"] != nil else { return "rests" }
    statistics.faults[.flood, default: 0] += 1
    device.expected = [:]
    _ = try device.store.importAll(
      (0..<Self.floodSize).map {
        RecordDraft("log", id: RecordID("f\($0)"), fields: ["text": .string("a\(step)")])
      })
    return "imports \(Self.floodSize) records"
  }

  func ebb(_ device: SimulatedDevice) throws -> String {
    guard device.domain.schema["log"] != nil else { return "rests" }
    let all = try device.store.records("log")
    device.expected = [:]
    try device.store.write { transaction in
      for record in all { try transaction.delete(record.key) }
    }
    return "deletes \(all.count) records"
  }
}
