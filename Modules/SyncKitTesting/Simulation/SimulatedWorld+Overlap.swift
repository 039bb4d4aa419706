import SyncKit

/// A device that syncs in the middle of another one's run.
struct InterruptingDevice {
  let device: SimulatedDevice
  let place: SimulatedRemote
  /// How many records it had that are made in floods.
  let flooded: Int
}

// Runs of two devices overlap: what one has found out may have changed by the time when it acts on it.
extension SimulatedWorld {
  /// The kind of a step, as far as the device is where it could do that.
  func kind(of step: SimulatedStep, on device: SimulatedDevice) -> SimulatedStep.Kind {
    switch step.kind {
    case .syncAll, .syncSome, .pull, .push:
      plan.absence(of: device.number).contains(step.number) ? .stayAway : step.kind
    default: step.kind
    }
  }

  /// Has another device sync in the middle of the run that a step may be.
  func armInterruption(
    of device: SimulatedDevice, _ step: SimulatedStep
  ) async throws -> InterruptingDevice? {
    guard plan.faults.contains(.overlap),
      [.syncAll, .syncSome, .push].contains(kind(of: step, on: device))
    else { return nil }
    var random = step.random.fork("overlap")
    let others = devices.filter { other in
      other !== device && !plan.absence(of: other.number).contains(step.number)
        && !Set(other.remotes).isDisjoint(with: device.remotes)
    }
    guard random.chance(50), let other = others.randomElement(using: &random) else { return nil }
    let points: [Interruption.Point] = [.store, .store, .store, .fetch, .remove]
    let point = points[Int.random(in: points.indices, using: &random)]
    let engine = SyncEngine(
      store: other.store, remotes: try await remotes(other.remotes, for: other))
    let options = options(.both)
    let common = remotes.filter {
      device.remotes.contains($0.number) && other.remotes.contains($0.number)
    }
    guard let place = common.randomElement(using: &random) else { return nil }
    place.interruption.arm(point, after: Int.random(in: 0...3, using: &random)) {
      await engine.sync(options)
    }
    return InterruptingDevice(
      device: other, place: place, flooded: try floodSize(of: other))
  }

  /// Takes note of what a device has written and seen, and the one that has interrupted it.
  func observe(_ device: SimulatedDevice, interruptedBy other: InterruptingDevice?) throws {
    let ended = other?.place.interruption.disarm()
    guard let other, let ended else { return try observe(device) }
    statistics.faults[.overlap, default: 0] += 1
    other.device.expected = [:]
    say(
      "   \(other.device.name) syncs meanwhile "
        + ended.outcomes.map(Self.text).joined(separator: ", "))
    // A device that stored something by then may have been seen by the other; else it may have seen the other.
    for observed in ended.isAfterStoring ? [device, other.device] : [other.device, device] {
      try observe(observed)
    }
    try judge(ended.outcomes, of: other.device, other.flooded)
    try check(other.device)
  }
}
