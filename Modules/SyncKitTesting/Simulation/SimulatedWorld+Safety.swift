import SyncKit

// What must be true when nothing ever heals: no device agrees with another one, but nothing is lost.
extension SimulatedWorld {
  func checkSafety() async throws {
    for device in devices {
      if device.crash.hasCrashed { try device.reopen() }
      device.crash.disarm()
      try observe(device)
      try check(device)
    }
    statistics.batches = written.batches.count
    statistics.rolledBack = written.batches.filter(\.isRolledBack).count
    // A withdrawn tree is gone with its log; its edits are followed in worlds that heal.
    guard !plan.faults.contains(.scope) else { return }
    let found = Set(try await batchesSomewhere().map(\.batch))
    for batch in written.batches where batch.lost.isEmpty && !found.contains(batch.id) {
      throw SimulationBreach(
        "batch \(batch.id) of \(devices[batch.author].name) in step \(batch.step) is lost")
    }
  }
}
