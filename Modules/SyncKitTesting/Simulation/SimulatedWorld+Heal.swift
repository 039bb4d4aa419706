import SyncKit
import Synchronization

// The end of a world: all faults cease, every device syncs, and all must agree.
extension SimulatedWorld {
  /// The rounds in which any world must agree.
  static let maximumRounds = 12

  func heal() async throws {
    step = plan.operations
    isHealing = true
    for remote in remotes {
      remote.begin(step, root.fork("heal"), [])
      remote.heal()
      _ = remote.share(as: .writer)
      statistics.faults.merge(remote.counts, uniquingKeysWith: +)
    }
    versions.upgradeAll()
    if let server {
      server.begin(root.fork("heal"), [])
      try await server.heal()
      statistics.faults.merge(server.counts, uniquingKeysWith: +)
    }
    for device in devices {
      if device.crash.hasCrashed { try device.reopen() }
      device.crash.disarm()
    }
    try await becomeHonest()
    try await findHanging()
    for round in 1...Self.maximumRounds {
      let before = stores
      var isQuiet = true
      var isWaiting = false
      for device in devices {
        let so = stores
        let outcomes = try await outcomes(device, device.remotes, .both)
        let stored = stores == so ? "" : ", storing"
        say(
          "round \(round): \(device.name) " + outcomes.map(Self.text).joined(separator: ", ")
            + stored)
        for outcome in outcomes {
          statistics.add(outcome.report)
          if let error = outcome.error, error.code != .remoteWaiting {
            if plan.hasFewHashes, error.code == .fork { throw SimulatedRefusal() }
            throw SimulationBreach("\(device.name) cannot sync in a sound world: \(error)")
          }
          let report = outcome.report
          let waiting = try report.waiting - hangingCount(on: device, at: outcome.remote)
          if report.pulled + report.pushed > 0 { isQuiet = false }
          if waiting > 0 { isWaiting = true }
        }
        try observe(device)
        try check(device)
        try checkHonesty(of: device, hasWritten: false)
      }
      if isQuiet, stores == before {
        guard isWaiting else {
          statistics.rounds = round
          return
        }
        // What goes on below the first known hash is of one branch or the other.
        if plan.hasFewHashes, plan.faults.contains(.clone) { throw SimulatedRefusal() }
      }
    }
    for device in devices {
      for info in try SimulatedLog.waiting(in: device.storage, coding: coding).map(\.info) {
        say("\(device.name) waits with \(info.zone) \(info.series)/\(info.first)-\(info.last)")
      }
    }
    throw SimulationBreach(
      "the devices still have something to tell, or wait, after \(Self.maximumRounds) rounds; "
        + storedLast)
  }

  private var storedLast: String {
    "stored last: "
      + remotes.map { remote in "\(remote.name) \(remote.state.withLock(\.last))" }
      .joined(separator: ", ")
  }

  /// All that is written again by restarting and syncing again: nothing.
  func checkQuiet() async throws {
    for device in devices {
      let before = stores
      try device.reopen()
      for outcome in try await outcomes(device, device.remotes, .both) {
        let report = outcome.report
        let hanging = try hangingCount(on: device, at: outcome.remote)
        let isSound = outcome.error.map { $0.code == .remoteWaiting && hanging > 0 } ?? true
        guard isSound, report.pulled + report.pushed + report.waiting == hanging else {
          throw SimulationBreach(
            "\(device.name) finds something to do when all is done: \(Self.text(outcome))")
        }
      }
      guard stores == before else {
        throw SimulationBreach(
          "a run of \(device.name) without anything to tell has written to a remote; \(storedLast)")
      }
    }
  }
}
