import SyncKit

extension SimulatedWorld {
  /// Runs a device's engine; only failures that the world has caused are allowed.
  func sync(
    _ device: SimulatedDevice, _ numbers: [Int], _ direction: SyncOptions.Direction
  ) async throws -> String {
    let flooded = try floodSize(of: device)
    let outcomes = try await outcomes(device, numbers, direction)
    if device.crash.hasCrashed { throw SimulatedCrash() }
    try judge(outcomes, of: device, flooded)
    let word =
      switch direction {
      case .both: "syncs"
      case .pullOnly: "pulls"
      case .pushOnly: "pushes"
      }
    return "\(word) " + outcomes.map(Self.text).joined(separator: ", ")
  }

  /// How many records of the kind that is made in floods a device has; 0 where there are no floods, and where
  /// the device does not know that kind yet: under the rules it learns later, fewer of them may show.
  func floodSize(of device: SimulatedDevice) throws -> Int {
    guard plan.faults.contains(.flood), device.domain.schema["log"] != nil else { return 0 }
    return try device.store.counts()["log"] ?? 0
  }

  /// Judges how a run has ended.
  func judge(_ outcomes: [SyncOutcome], of device: SimulatedDevice, _ flooded: Int) throws {
    statistics.syncs += 1
    try checkLocalZones(of: device)
    try checkGuard(device, flooded, outcomes)
    for outcome in outcomes {
      statistics.add(outcome.report)
      guard let error = outcome.error, !isExpected(error) else { continue }
      if plan.hasFewHashes, error.code == .fork { throw SimulatedRefusal() }
      throw SimulationBreach("\(device.name) cannot sync with \(outcome.remote): \(error)")
    }
  }

  func outcomes(
    _ device: SimulatedDevice, _ numbers: [Int], _ direction: SyncOptions.Direction
  ) async throws -> [SyncOutcome] {
    // What comes in may win over what was written here.
    device.expected = [:]
    let engine = SyncEngine(
      store: device.store, remotes: try await remotes(numbers, for: device))
    return await engine.sync(options(direction))
  }

  func options(_ direction: SyncOptions.Direction) -> SyncOptions {
    var options = SyncOptions()
    options.direction = direction
    options.consent = .adopt
    options.limits = plan.limits
    options.retention = plan.retention
    options.history = plan.history
    // In the end a person has allowed the deletions.
    if isHealing { options.massDeleteGuard = nil }
    return options
  }

  static func text(_ outcome: SyncOutcome) -> String {
    let report = outcome.report
    var text = "\(outcome.remote) -\(report.pulled) +\(report.pushed)"
    if report.waiting > 0 { text += " waiting \(report.waiting)" }
    if report.forks > 0 { text += " forks \(report.forks)" }
    if report.overridden > 0 { text += " overridden \(report.overridden)" }
    let compaction = report.compaction
    if compaction.hasWork { text += " merged \(compaction.merged) removed \(compaction.removed)" }
    if compaction.snapshots > 0 { text += " snapshots \(compaction.snapshots)" }
    if let error = outcome.error { text += " \(error.code)" }
    return text
  }

  private func isExpected(_ error: SyncError) -> Bool {
    switch error.code {
    case .remoteUnavailable, .remoteIO:
      !plan.faults.isDisjoint(with: [.errorBefore, .errorAfter, .torn])
    // Something may be awaited for more than a day where clocks jump.
    case .remoteWaiting: true
    case .formatNewer: plan.faults.contains(.newer)
    case .massDelete: plan.faults.contains(.flood)
    case .remoteQuota: plan.faults.contains(.quota)
    default:
      plan.isMalicious && Self.isOfMalice(error)
        || error.code.name == "remote.signed-out" && plan.faults.contains(.revoke)
    }
  }

  /// I17: nothing that comes in lets a zone out that is local here.
  private func checkLocalZones(of device: SimulatedDevice) throws {
    let zones = try device.store.openZones()
    if let zone = device.localZones.sorted().first(where: { zones[$0] == true }) {
      throw SimulationBreach("\(zone) was local on \(device.name), and a sync has published it")
    }
    let gone = device.localRoots.subtracting(try localRoots(of: device))
    if let root = gone.first {
      throw SimulationBreach(
        "\(root.collection)/\(root.id) was local on \(device.name), and is not after a sync")
    }
  }

  /// The roots that are there and local.
  func localRoots(of device: SimulatedDevice) throws -> Set<RootRecord> {
    guard plan.faults.contains(.scope) else { return [] }
    var roots: Set<RootRecord> = []
    for name in ["album", "diary"] as [CollectionName] {
      for record in try device.store.records(name) where record.scope == .local {
        roots.insert(RootRecord(collection: name, id: record.key.id))
      }
    }
    return roots
  }

  /// Promise 5: what would delete most of a zone is stopped before it deletes anything.
  private func checkGuard(
    _ device: SimulatedDevice, _ before: Int, _ outcomes: [SyncOutcome]
  ) throws {
    guard before > MassDeleteGuard.floor else { return }
    let now = try device.store.counts()["log"] ?? 0
    guard before - now > max(MassDeleteGuard.floor, before / 4) else { return }
    throw SimulationBreach(
      "\(device.name) had \(before) records, has \(now), and no question was asked")
  }

  /// What must be true of a device at any time; its whole store is read where that is wanted.
  func check(_ device: SimulatedDevice, isDeep: Bool = true) throws {
    for (key, fields) in device.expected.sorted(by: { $0.key < $1.key }) {
      let record = try device.store.record(key)
      for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
        let shown = record?[name] ?? .null
        guard shown != value, !(value == .list([]) && shown.isNull) else { continue }
        guard !Self.isSameSet(shown, value) else { continue }
        throw SimulationBreach(
          "\(device.name) has written \(key) \(name)=\(Self.text(value)) and shows "
            + Self.text(shown))
      }
    }
    // What is not sealed may yet be overridden, and is sealed as something else under the same number.
    let unsealed = isDeep ? Set(try SimulatedLog.unsealed(in: device.storage).map(\.zone)) : []
    for zone in isDeep ? try device.store.verify() : [] {
      if let problem = zone.problems.first {
        throw SimulationBreach(
          "the store of \(device.name) is not sound in \(zone.zone): \(problem)")
      }
      if !unsealed.contains(zone.zone) { try checkDigest(of: zone, device) }
    }
    if let problem = watch.problems.first { throw SimulationBreach(problem) }
    for remote in remotes {
      guard let problem = remote.problems(written).first else { continue }
      throw SimulationBreach("on \(remote.name), \(problem)")
    }
  }

  /// I1: devices with the same changes have the same bytes, at any time and not only in the end.
  private func checkDigest(of zone: ZoneVerification, _ device: SimulatedDevice) throws {
    // Two histories under one name have equal numbers until a device notices.
    guard plan.faults.isDisjoint(with: [.clone, .restore]), zone.zone != .local else { return }
    let name =
      "\(zone.zone) " + zone.vector.map { "\($0.replica)/\($0.seq)" }.joined(separator: " ")
    guard let known = digests.updateValue(zone.digest, forKey: name), known != zone.digest else {
      return
    }
    throw SimulationBreach(
      "\(device.name) has what another device had in \(zone.zone), and other bytes")
  }

  private static func isSameSet(_ left: Value, _ right: Value) -> Bool {
    guard case .list(let left) = left, case .list(let right) = right else { return false }
    return Set(left) == Set(right)
  }
}
