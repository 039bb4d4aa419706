import SyncKit

extension SimulatedWorld {
  /// Runs a device's engine; only failures that the world has caused are allowed.
  func sync(
    _ device: SimulatedDevice, _ numbers: [Int], _ direction: SyncOptions.Direction
  ) async throws -> String {
    statistics.syncs += 1
    let outcomes = await outcomes(device, numbers, direction)
    if device.crash.hasCrashed { throw SimulatedCrash() }
    for outcome in outcomes {
      statistics.forks += outcome.report.forks
      statistics.yields += outcome.report.yielded
      guard let error = outcome.error, !isExpected(error) else { continue }
      throw SimulationBreach("\(device.name) cannot sync with \(outcome.remote): \(error)")
    }
    let word =
      switch direction {
      case .both: "syncs"
      case .pullOnly: "pulls"
      case .pushOnly: "pushes"
      }
    return "\(word) " + outcomes.map(Self.text).joined(separator: ", ")
  }

  func outcomes(
    _ device: SimulatedDevice, _ numbers: [Int], _ direction: SyncOptions.Direction
  ) async -> [SyncOutcome] {
    // What comes in may win over what was written here.
    device.expected = [:]
    let engine = SyncEngine(store: device.store, remotes: remotes(numbers, for: device))
    var options = SyncOptions()
    options.direction = direction
    options.consent = .adopt
    return await engine.sync(options)
  }

  static func text(_ outcome: SyncOutcome) -> String {
    let report = outcome.report
    var text = "\(outcome.remote) -\(report.pulled) +\(report.pushed)"
    if report.waiting > 0 { text += " waiting \(report.waiting)" }
    if report.forks > 0 { text += " forks \(report.forks)" }
    if report.yielded > 0 { text += " yielded \(report.yielded)" }
    if let error = outcome.error { text += " \(error.code)" }
    return text
  }

  private func isExpected(_ error: SyncError) -> Bool {
    switch error.code {
    case .remoteUnavailable, .remoteIO:
      plan.faults.contains(.errorBefore) || plan.faults.contains(.errorAfter)
    // Something may be awaited for more than a day where clocks jump.
    case .remoteWaiting: true
    default: false
    }
  }

  /// What must be true of a device at any time.
  func check(_ device: SimulatedDevice) throws {
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
    for zone in try device.store.verify() {
      guard let problem = zone.problems.first else { continue }
      throw SimulationBreach("the store of \(device.name) is not sound in \(zone.zone): \(problem)")
    }
    for remote in remotes {
      guard let problem = remote.problems.first else { continue }
      throw SimulationBreach("on \(remote.name), \(problem)")
    }
  }

  private static func isSameSet(_ left: Value, _ right: Value) -> Bool {
    guard case .list(let left) = left, case .list(let right) = right else { return false }
    return Set(left) == Set(right)
  }
}
