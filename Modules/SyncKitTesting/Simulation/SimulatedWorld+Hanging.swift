import SyncKit
import Synchronization

// What waits for something that is nowhere any more. A device that is put back to an older copy loses
// what it had written since; when a remote was wiped, too, no device may have it, while one has what
// came after it. Such changes wait for ever, and rightly: no engine can bring back what is gone.
extension SimulatedWorld {
  /// Finds the changes that hang in the air, and takes their batches for lost.
  func findHanging() async throws {
    guard server != nil || !plan.faults.isDisjoint(with: [.restore, .wipe, .rewind, .drop]) else {
      return
    }
    var grounded: Set<ContentHash> = []
    var found: Set<LocalWrite> = []
    var open: [ContentHash: SimulatedLog.Entry] = [:]
    for device in devices {
      found.formUnion(
        try SimulatedLog.unsealed(in: device.storage).map {
          LocalWrite(batch: $0.change.batch, zone: $0.zone)
        })
      let (segments, _) = try SimulatedLog.segments(
        in: device.storage, after: nil, coding: coding)
      for entry in try segments.flatMap({ try SimulatedLog.changes(of: $0, coding: coding) }) {
        grounded.insert(entry.hash)
        found.insert(LocalWrite(batch: entry.change.batch, zone: entry.zone))
      }
      for entry in try written.indexed(device) {
        grounded.insert(entry.hash)
        found.insert(LocalWrite(batch: entry.change.batch, zone: entry.zone))
      }
    }
    var others = try devices.flatMap { try SimulatedLog.waiting(in: $0.storage, coding: coding) }
    for remote in remotes { others += remote.segments() }
    if let server { others += try await server.segments() }
    let erased = Set(remotes.flatMap { $0.state.withLock(\.erased).keys })
    for segment in others where !erased.contains(segment.info.zone) {
      for entry in try written.indexed(segment, coding) {
        grounded.insert(entry.hash)
        found.insert(LocalWrite(batch: entry.change.batch, zone: entry.zone))
      }
    }
    for segment in others where !erased.contains(segment.info.zone) {
      for entry in try SimulatedLog.changes(of: segment, coding: coding)
      where !grounded.contains(entry.hash) { open[entry.hash] = entry }
    }
    var ready = open
    while !ready.isEmpty {
      ready = open.filter { _, entry in
        (entry.dot.seq == 1 || grounded.contains(entry.previous))
          && entry.change.context.heads.values.allSatisfy { grounded.contains($0.hash) }
      }
      for (hash, entry) in ready {
        grounded.insert(hash)
        found.insert(LocalWrite(batch: entry.change.batch, zone: entry.zone))
        open[hash] = nil
      }
    }
    try findTorn(grounded, outside: erased)
    guard !open.isEmpty else { return }
    hanging = Set(open.keys)
    let lost = Set(open.values.map { LocalWrite(batch: $0.change.batch, zone: $0.zone) })
      .subtracting(found)
    written.rollBack(lost)
    say(
      "\(hanging.count) changes wait for what is nowhere, "
        + "\(Set(lost.map(\.batch)).count) batches are gone")
  }

  /// Finds files that were cut off while they were written and that no device can complete: even their writers have lost
  /// the changes.
  private func findTorn(_ grounded: Set<ContentHash>, outside erased: Set<ZoneID>) throws {
    for remote in remotes {
      torn[remote.name] = try remote.tornSegments().filter { segment in
        guard !erased.contains(segment.info.zone) else { return false }
        let changes = try SimulatedLog.changes(of: segment, coding: coding)
        return !changes.isEmpty && !changes.allSatisfy { grounded.contains($0.hash) }
      }.map(\.info)
      for info in torn[remote.name] ?? [] {
        say("half of \(info.series)/\(info.first)-\(info.last) stays on \(remote.name)")
      }
    }
  }

  /// How many of the changes that a device waits for at a remote can never come.
  func hangingCount(on device: SimulatedDevice, at remote: String) throws -> Int {
    var found = torn[remote, default: []]
    if !found.isEmpty {
      let open = try device.store.openZones()
      found.removeAll { open[$0.zone] == false }
    }
    if !hanging.isEmpty {
      found += try SimulatedLog.waiting(in: device.storage, coding: coding).map(\.info)
        .filter { hanging.contains($0.head) }
    }
    return found.reduce(0) { $0 + Int(clamping: $1.last - $1.first) + 1 }
  }
}
