import SyncKit

// What a step does. Every choice comes from the step's own stream.
extension SimulatedWorld {
  func run(_ step: SimulatedStep) async throws {
    self.step = step.number
    statistics.operations += 1
    var random = step.random
    let most: Int64 = random.chance(4) ? 7_200_000 : 5_000
    time.advance(by: .random(in: 0...most, using: &random))
    for remote in remotes {
      remote.begin(
        step.number, step.random.fork("remote"), plan.faults, severity: plan.isUnlimited ? 3 : 1)
      remote.place?.begin(step.random.fork("place \(remote.number)"), plan.faults)
    }
    try await lose(step)
    turnShare(step)
    let device = devices[step.device % devices.count]
    var chance = step.random.fork("crash")
    let isAfterCommit = chance.chance(50)
    if plan.faults.contains(.crash), chance.chance(8) {
      device.crash.arm(after: .random(in: 0...4, using: &chance), isAfterCommit: isAfterCommit)
    }
    let before = "#\(step.number) \(device.name) "
    let other = try await armInterruption(of: device, step)
    do {
      say(before + (try await perform(kind(of: step, on: device), device, &random)))
      device.crash.disarm()
    } catch {
      guard device.crash.hasCrashed else {
        try checkRefusal(error, of: device)
        say(before + "may not \(step.kind.rawValue) what belongs to another device")
        return
      }
      say(before + "stops during \(step.kind.rawValue)")
      // What was committed and not acknowledged may be there.
      if isAfterCommit { device.expected = [:] }
      try restart(device, &random)
    }
    if device.crash.hasCrashed { try restart(device, &random) }
    try observe(device, interruptedBy: other)
    try checkHonesty(of: device, hasWritten: step.kind.isOfPerson)
    // Reading a whole store after every write would take as long as everything else.
    try check(device, isDeep: step.kind.mayChangeMuch || step.number % 4 == 0)
  }

  /// Takes note of what a device has written and seen, and of what must not leave it.
  func observe(_ device: SimulatedDevice) throws {
    let zones = try device.store.openZones()
    device.localZones = Set(zones.filter { !$0.value }.keys)
    device.localRoots = try localRoots(of: device)
    if plan.faults.contains(.scope), !device.localZones.isEmpty {
      for (zone, change) in try SimulatedLog.unsealed(in: device.storage)
      where device.localZones.contains(zone) {
        leftBehind.insert(LocalWrite(batch: change.batch, zone: zone))
      }
    }
    let known = written.batches.count
    let fresh = try written.observe(device, step: step, coding: coding)
    try checkForgetting(known..<written.batches.count, by: device)
    let new = fresh.filter { device.localZones.contains($0.zone) }
    guard !new.isEmpty else { return }
    kept.formUnion(new)
    for remote in remotes { remote.keep(new) }
    watch.keep(new)
  }

  /// A server loses what it had, between the steps of devices.
  private func lose(_ step: SimulatedStep) async throws {
    var random = step.random.fork("server")
    for remote in remotes where remote.kind == .numbered || remote.place != nil {
      if plan.faults.contains(.rewind), random.chance(8) { remote.remember() }
      for fault in [SimulatedFault.wipe, .rewind]
      where random.chance(2) && plan.faults.contains(fault) {
        let before = try batches(in: remote)
        guard let what = remote.lose(fault, &random) else { continue }
        try remote.recount()
        let lost = before.subtracting(try await batchesSomewhere())
        written.rollBack(lost)
        say(
          "#\(step.number) \(remote.name) \(what), \(Set(lost.map(\.batch)).count) batches are gone"
        )
      }
    }
    guard let server else { return }
    server.begin(step.random.fork("real server"), plan.faults)
    guard let (what, gone) = try await server.suffer() else { return }
    let before = try batches(in: gone)
    let lost = before.isEmpty ? [] : before.subtracting(try await batchesSomewhere())
    written.rollBack(lost)
    say("#\(step.number) the server \(what), \(Set(lost.map(\.batch)).count) batches are gone")
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
    case .restoreCopy: return try await putBack(device, &random)
    case .publishHint: return try setScope(.synced, device, &random)
    case .takeBack: return try setScope(.local, device, &random)
    case .saveTree: return try saveTree(device, &random)
    case .stray: return try await stray(device)
    case .flood: return try flood(device)
    case .ebb: return try ebb(device)
    case .erase: return try erase(device, &random)
    case .stayAway: return "is away"
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
    let isNoticed = !plan.isForking && copy.witness != nil && random.chance(70)
    if isNoticed { copy.storage.fingerprint = "disk \(devices.count)" }
    let number = devices.count
    let identity = random.chance(50) ? device.identity : nil
    var met = random.chance(50) ? device.remotes : remoteNumbers
    // A device with only one remote learns late of the others that write under the same id.
    if plan.isForking, let place = remoteNumbers.randomElement(using: &random) { met = [place] }
    let new = try SimulatedDevice(
      number, identity: identity, clock: DeviceClock(time, skew: 0),
      random: root.fork("clone \(step)"), remotes: met, storage: copy.storage,
      witness: copy.witness, parts: parts, version: device.version, versions: versions)
    add(new)
    try observe(new)
    return "is copied to \(new.name)\(new.store.isCopy ? ", which notices" : "")"
  }

  private func putBack(
    _ device: SimulatedDevice, _ random: inout SeededRandom
  ) async throws -> String {
    guard plan.faults.contains(.restore), let backup = device.backups.randomElement(using: &random)
    else { return "rests" }
    statistics.faults[.restore, default: 0] += 1
    let before = try batches(in: device.storage)
    device.putBack(backup, withWitness: random.chance(40))
    let lost = before.subtracting(try await batchesSomewhere())
    written.rollBack(lost)
    try device.reopen()
    return "is put back to an older copy\(device.store.isCopy ? " and notices" : ""), "
      + "\(Set(lost.map(\.batch)).count) batches are gone"
  }

  /// The batches that any device has, with their zones.
  func batchesSomewhere() async throws -> Set<LocalWrite> {
    var found: Set<LocalWrite> = []
    if let server { found.formUnion(try batches(in: await server.segments())) }
    for device in devices { found.formUnion(try batches(in: device.storage)) }
    for remote in remotes { found.formUnion(try batches(in: remote)) }
    return found
  }

  func batches(in remote: SimulatedRemote) throws -> Set<LocalWrite> {
    try batches(in: remote.segments())
  }

  private func batches(in segments: [Segment]) throws -> Set<LocalWrite> {
    Set(
      try segments.flatMap {
        try (SimulatedLog.changes(of: $0, coding: coding) + written.indexed($0, coding))
          .map { LocalWrite(batch: $0.change.batch, zone: $0.zone) }
      })
  }

  /// The batches that lie in a store, waiting ones included.
  private func batches(in storage: InMemoryStorage) throws -> Set<LocalWrite> {
    var found = Set(
      try SimulatedLog.unsealed(in: storage).map {
        LocalWrite(batch: $0.change.batch, zone: $0.zone)
      })
    for table in [Table.segment, .waiting] {
      try storage.read { reader in
        try reader.scan(table, prefix: [], after: nil) { _, bytes in
          found.formUnion(try batches(in: [coding.read(bytes)]))
          return true
        }
      }
    }
    return found
  }
}
