import SyncKit

// What a step does. Every choice comes from the step's own stream.
extension SimulatedWorld {
  func run(_ step: SimulatedStep) async throws {
    self.step = step.number
    statistics.operations += 1
    var random = step.random
    let most: Int64 = random.chance(4) ? 7_200_000 : 5_000
    time.advance(by: .random(in: 0...most, using: &random))
    for remote in remotes { remote.begin(step.number, step.random.fork("remote"), plan.faults) }
    let device = devices[step.device % devices.count]
    var chance = step.random.fork("crash")
    let isAfterCommit = chance.chance(50)
    if plan.faults.contains(.crash), chance.chance(8) {
      device.crash.arm(after: .random(in: 0...4, using: &chance), isAfterCommit: isAfterCommit)
    }
    let before = "#\(step.number) \(device.name) "
    do {
      say(before + (try await perform(step.kind, device, &random)))
      device.crash.disarm()
    } catch {
      guard device.crash.hasCrashed else { throw error }
      say(before + "stops during \(step.kind.rawValue)")
      // What was committed and not acknowledged may be there.
      if isAfterCommit { device.expected = [:] }
      try restart(device, &random)
    }
    if device.crash.hasCrashed { try restart(device, &random) }
    try written.observe(device, step: step.number, coding: coding)
    try check(device)
  }

  private func restart(_ device: SimulatedDevice, _ random: inout SeededRandom) throws {
    statistics.faults[.crash, default: 0] += 1
    if random.chance(20) {
      do {
        try device.reopen(
          stoppingAfter: .random(in: 0...1, using: &random), isAfterCommit: random.chance(50))
        return
      } catch {
        guard device.crash.hasCrashed else { throw error }
        say("   \(device.name) stops again while it opens its store")
      }
    }
    try device.reopen()
  }

  private func perform(
    _ kind: SimulatedStep.Kind, _ device: SimulatedDevice, _ random: inout SeededRandom
  ) async throws -> String {
    switch kind {
    case .save: return try save(device, moves: false, &random)
    case .move: return try save(device, moves: true, &random)
    case .edit: return try edit(device, &random)
    case .touch: return try touch(device, &random)
    case .delete: return try delete(device, &random)
    case .restore: return try restore(device, &random)
    case .restoreAt: return try restoreAt(device, &random)
    case .undo: return try undo(device, &random)
    case .resolve: return try resolve(device, &random)
    case .importAll: return try importAll(device, &random)
    case .syncAll: return try await sync(device, device.remotes, .both)
    case .syncSome:
      let some = device.remotes.filter { _ in random.chance(50) }
      return try await sync(device, some.isEmpty ? [device.remotes[0]] : some, .both)
    case .pull: return try await sync(device, device.remotes, .pullOnly)
    case .push: return try await sync(device, device.remotes, .pushOnly)
    case .reopen:
      try device.reopen()
      return "restarts"
    case .jump: return jump(device, &random)
    case .crash:
      guard plan.faults.contains(.crash) else { return "rests" }
      statistics.faults[.crash, default: 0] += 1
      try device.reopen()
      return "stops and restarts"
    case .clone: return try clone(device, &random)
    case .backup:
      device.backups.append(device.backUp())
      return "is backed up"
    case .restoreCopy: return try putBack(device, &random)
    }
  }

  private func jump(_ device: SimulatedDevice, _ random: inout SeededRandom) -> String {
    guard plan.faults.contains(.jump) else { return "rests" }
    statistics.faults[.jump, default: 0] += 1
    // Ten minutes, two days, ten years.
    let reaches: [Int64] = [600_000, 600_000, 172_800_000, 315_360_000_000]
    let most = reaches[Int.random(in: reaches.indices, using: &random)]
    let delta = Int64.random(in: -most...most, using: &random)
    device.clock.jump(by: delta)
    return "has its clock moved by \(delta) ms"
  }

  private func clone(_ device: SimulatedDevice, _ random: inout SeededRandom) throws -> String {
    guard plan.faults.contains(.clone), devices.count < SimulationPlan.maximumReplicas else {
      return "rests"
    }
    statistics.faults[.clone, default: 0] += 1
    let copy = device.backUp()
    let isNoticed = copy.witness != nil && random.chance(70)
    if isNoticed { copy.storage.fingerprint = "disk \(devices.count)" }
    let number = devices.count
    let new = try SimulatedDevice(
      number, identity: random.chance(50) ? device.identity : nil,
      clock: DeviceClock(time, skew: 0), random: root.fork("clone \(step)"),
      remotes: random.chance(50) ? device.remotes : Array(remotes.indices),
      storage: copy.storage, witness: copy.witness, parts: parts)
    add(new)
    try written.observe(new, step: step, coding: coding)
    return "is copied to \(new.name)\(new.store.isCopy ? ", which notices" : "")"
  }

  private func putBack(_ device: SimulatedDevice, _ random: inout SeededRandom) throws -> String {
    guard plan.faults.contains(.restore), let backup = device.backups.randomElement(using: &random)
    else { return "rests" }
    statistics.faults[.restore, default: 0] += 1
    let before = try batches(in: device.storage)
    device.putBack(backup, withWitness: random.chance(40))
    var kept = try batches(in: device.storage)
    for other in devices where other !== device { kept.formUnion(try batches(in: other.storage)) }
    for remote in remotes {
      for segment in try remote.segments() {
        kept.formUnion(try SimulatedLog.changes(of: segment, coding: coding).map(\.change.batch))
      }
    }
    let lost = before.subtracting(kept)
    written.rollBack(lost)
    try device.reopen()
    return "is put back to an older copy\(device.store.isCopy ? " and notices" : ""), "
      + "\(lost.count) batches are gone"
  }

  /// The batches that lie in a store, waiting ones included.
  private func batches(in storage: InMemoryStorage) throws -> Set<BatchID> {
    var found = Set(try SimulatedLog.unsealed(in: storage).map(\.change.batch))
    for table in [Table.segment, .waiting] {
      try storage.read { reader in
        try reader.scan(table, prefix: [], after: nil) { _, bytes in
          let changes = try SimulatedLog.changes(of: coding.read(bytes), coding: coding)
          found.formUnion(changes.map(\.change.batch))
          return true
        }
      }
    }
    return found
  }
}
