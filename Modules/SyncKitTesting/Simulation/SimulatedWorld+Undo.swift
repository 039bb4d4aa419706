import SyncKit

// A person undoes a batch, their own or another's: only what it wrote, and only where that stands.
extension SimulatedWorld {
  func undo(_ device: SimulatedDevice, _ random: inout SeededRandom) throws -> String {
    var filter = HistoryFilter()
    filter.limit = 6
    guard let batch = try device.store.history(filter).randomElement(using: &random) else {
      return "finds nothing to undo"
    }
    device.expected = [:]
    let others = try worksOfOthers(on: device, besides: batch.id)
    do {
      let result = try device.store.undo(batch.id)
      for work in others { try checkLeft(work, on: device, batch.id) }
      return "undoes \(batch.id), leaving \(result.skipped)"
    } catch let error as SyncError where error.code == .undoRefused && plan.faults.contains(.scope)
    {
      return "cannot undo \(batch.id), which has moved a tree"
    }
  }

  /// What an undo has nothing to do with, of a record that its batch has written to.
  private struct Work {
    let key: RecordKey
    /// The values that are shown and that another device has written; the record is there.
    var values: [FieldName: Value] = [:]
    /// Whether a device that knew of the batch has deleted the record since.
    var isDeleted = false
  }

  private func worksOfOthers(on device: SimulatedDevice, besides id: BatchID) throws -> [Work] {
    guard let number = written.number(id) else { return [] }
    var works: [Work] = []
    for (key, operations) in written.batches[number].operations.sorted(by: { $0.key < $1.key })
    // What lies in a tree may go with it.
    where key.collection == "note" || key.collection == "log" {
      guard let record = try device.store.record(key) else { continue }
      var work = Work(key: key)
      if record.isDeleted {
        work.isDeleted = written.batches.contains { later in
          later.seen.contains(number) && device.seen.contains(later.number)
            && later.operations[key]?.contains { [.delete, .erase].contains($0.kind) } == true
        }
      } else {
        let own = operations.flatMap(\.writes)
        for name in ["title", "text"] as [FieldName] {
          guard let value = record.fields[name], value.string?.isEmpty == false else { continue }
          if !own.contains(where: { $0.name == name && $0.value == value }) {
            work.values[name] = value
          }
        }
      }
      if work.isDeleted || !work.values.isEmpty { works.append(work) }
    }
    return works
  }

  private func checkLeft(_ work: Work, on device: SimulatedDevice, _ id: BatchID) throws {
    let record = try device.store.record(work.key)
    if work.isDeleted, record?.isDeleted == false {
      throw SimulationBreach(
        "\(device.name) has undone \(id), and \(work.key) is back, which was deleted again since")
    }
    for (name, value) in work.values.sorted(by: { $0.key < $1.key })
    where record?.isDeleted != false || record?[name] != value {
      throw SimulationBreach(
        "\(device.name) has undone \(id), and \(work.key) \(name) of another device, "
          + "\(Self.text(value)), is gone")
    }
  }
}
