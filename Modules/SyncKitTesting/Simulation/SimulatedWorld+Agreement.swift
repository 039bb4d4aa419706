import SyncKit

// What all devices must agree upon in the end.
extension SimulatedWorld {
  func checkAgreement() throws {
    let first = try View(devices[0])
    statistics.conflicts = first.conflicts.count
    statistics.batches = written.batches.count
    statistics.rolledBack = written.batches.filter(\.isRolledBack).count
    for device in devices.dropFirst() {
      let other = try View(device)
      if let difference = first.difference(from: other) {
        throw SimulationBreach("\(devices[0].name) and \(device.name) differ: \(difference)")
      }
    }
    say("all agree: \(first.digests)")
  }

  /// What one device shows.
  private struct View {
    var digests: [String] = []
    var vectors: [String] = []
    var states: [RecordKey: RecordState] = [:]
    var records: [String] = []
    var conflicts: [String] = []
    var counts: [String] = []
    var history: [String] = []

    init(_ device: SimulatedDevice) throws {
      let store = device.store
      for zone in try store.verify() {
        digests.append("\(zone.zone) \(zone.digest)")
        vectors.append("\(zone.zone) \(zone.vector.map { "\($0.replica)/\($0.seq)" })")
        states.merge(try store.states(in: zone.zone)) { $1 }
      }
      for collection in store.domain.schema.collections {
        try store.forEachRecord(in: collection.name, includingDeleted: true) { record in
          records.append(
            "\(record.key.zone) \(record.key) \(SimulatedWorld.text(record.fields)) of "
              + "\(record.parent.map { "\($0)" } ?? "nobody") \(record.created) "
              + "\(record.modified) \(record.conflicts) \(record.isDeleted ? "deleted" : "there")")
        }
      }
      conflicts = try store.conflicts().map { conflict in
        "\(conflict.key) \(conflict.field) shows \(SimulatedWorld.text(conflict.shown)) of "
          + conflict.candidates.map { "\(SimulatedWorld.text($0.value))@\($0.at)" }
          .joined(separator: " | ")
      }
      counts = try store.counts().filter { $0.value != 0 }.map { "\($0.key) \($0.value)" }.sorted()
      history = try store.history().map { batch in
        "\(batch.id)@\(batch.at)\(batch.isComplete ? "" : " incomplete") "
          + batch.entries.map(Self.text).sorted().joined(separator: ", ")
      }.sorted()
      let status = try store.status(remotes: device.remotes.map { "r\($0 + 1)" })
      if status.pending + status.waiting > 0 {
        throw SimulationBreach(
          "\(device.name) says that \(status.pending) changes are pending, \(status.waiting) wait")
      }
    }

    private static func text(_ entry: HistoryBatch.Entry) -> String {
      "\(entry.kind) \(entry.key) \(entry.field?.text ?? "") "
        + "\(entry.from.map(SimulatedWorld.text) ?? "") → \(entry.to.map(SimulatedWorld.text) ?? "")"
    }

    func difference(from other: View) -> String? {
      let parts: [(String, [String], [String])] = [
        ("vectors", vectors, other.vectors), ("records", records, other.records),
        ("conflicts", conflicts, other.conflicts), ("counts", counts, other.counts),
        ("history", history, other.history),
      ]
      for (name, here, there) in parts where here != there {
        let mine = Set(here).subtracting(there).sorted()
        let theirs = Set(there).subtracting(here).sorted()
        return "\(name): \(mine.joined(separator: "; ")) | \(theirs.joined(separator: "; "))"
      }
      for (key, state) in states.sorted(by: { $0.key < $1.key }) where other.states[key] != state {
        let found = other.states[key].map { OracleRecord($0).description } ?? "nothing"
        return "state of \(key): \(OracleRecord(state)) | \(found)"
      }
      return digests == other.digests ? nil : "digests: \(digests) | \(other.digests)"
    }
  }
}
