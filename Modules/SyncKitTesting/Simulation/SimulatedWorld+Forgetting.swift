import SyncKit

// I5: a deleted record goes for good only when every device that is waited for knows of it.
extension SimulatedWorld {
  /// Judges what a device has forgotten just now, by what the others have really seen.
  ///
  /// The devices to wait for follow from the device's own records of the others; that they have seen what they
  /// are thought to have seen is known from their stores.
  func checkForgetting(_ fresh: Range<Int>, by device: SimulatedDevice) throws {
    // A store that was put back has forgotten what it said that it knew.
    guard plan.faults.isDisjoint(with: [.restore, .clone]) else { return }
    for batch in written.batches[fresh] {
      let forgotten = batch.operations.filter { $0.value.contains { $0.kind == .forget } }
      for (key, _) in forgotten.sorted(by: { $0.key < $1.key }) {
        try checkForgotten(key, batch, by: device)
      }
    }
  }

  private func checkForgotten(
    _ key: RecordKey, _ batch: WrittenBatches.Batch, by device: SimulatedDevice
  ) throws {
    let known = devices.filter { $0 !== device }.compactMap { other in
      silence(of: other, in: key.zone, on: device).map { (device: other, silence: $0) }
    }
    guard try device.store.access(to: key.zone) == nil else {
      throw SimulationBreach(
        "\(device.name) has forgotten \(key), though others have a part in its tree")
    }
    let active = known.filter { $0.silence < plan.retention.silence }
    guard known.isEmpty || !active.isEmpty else {
      throw SimulationBreach("\(device.name) has forgotten \(key), though all others are silent")
    }
    // What was written while the tree was local never leaves: publishing it starts again with the values.
    let latest = written.latest(of: key, seenBy: batch).filter { number in
      !leftBehind.contains(LocalWrite(batch: written.batches[number].id, zone: key.zone))
    }
    for other in active.map(\.device) {
      guard let unknown = latest.first(where: { !other.seen.contains($0) }) else { continue }
      throw SimulationBreach(
        "\(device.name) has forgotten \(key), and \(other.name) does not know yet what "
          + "\(devices[written.batches[unknown].author].name) did to it in step "
          + "\(written.batches[unknown].step)")
    }
  }

  /// For how long a device was not heard of, as another one thinks; nil when it does not know it.
  private func silence(
    of other: SimulatedDevice, in zone: ZoneID, on device: SimulatedDevice
  ) -> Int64? {
    let records = (try? device.store.records("_device")) ?? []
    return records.filter {
      $0.key.zone == zone && $0["device"] == .string(other.identity.id)
    }.map { device.clock.now &- ($0["lastSeen"].instant ?? 0) }.min()
  }
}
