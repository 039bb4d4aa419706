import SyncKit

/// Runs a world of devices from a seed, through chaos to agreement, and judges it.
///
/// Everything that happens follows from the plan: clocks, chance, files and failures are the
/// simulation's own. A failing seed fails again, with the same story.
///
/// - **Chaos.** Devices write, sync, stop, are copied and put back; remotes are late and lose sight
///   of things. At every step a device shows what it has acknowledged, and its store is sound.
/// - **Healing.** All faults cease. Within some rounds all devices agree to the byte, with each
///   other and with the ``Oracle``; no device finds anything more to do; no acknowledged edit is lost.
public struct Simulation: Sendable {
  /// What is to happen.
  public let plan: SimulationPlan
  let parts: SimulationParts

  /// Prepares the run of a plan; the parts are sound ones unless a test plants a fault.
  public init(_ plan: SimulationPlan, parts: SimulationParts = SimulationParts()) {
    self.plan = plan
    self.parts = parts
  }

  /// How a run ended.
  public struct Outcome: Sendable {
    /// Equal for equal plans: a hash of everything that happened.
    public var trace: UInt64
    /// What has gone on.
    public var statistics: SimulationStatistics
    /// What has happened, one line a step.
    public var story: [String]
    /// What must not have happened; nil when all went well.
    public var failure: String?
  }

  /// Runs the plan from the beginning.
  public func run() async -> Outcome {
    let world: SimulatedWorld
    do {
      world = try SimulatedWorld(plan, parts)
    } catch {
      return Outcome(
        trace: 0, statistics: SimulationStatistics(), story: [], failure: "no world: \(error)")
    }
    var failure: String?
    do {
      try await world.openServer()
      try await world.openVault()
      world.beginShare()
      for device in world.devices {
        _ = try await world.sync(device, device.remotes, .both)
        try world.observe(device)
      }
      for step in plan.steps { try await world.run(step) }
      guard !plan.isUnlimited else {
        try await world.checkSafety()
        return await end(world, nil)
      }
      try await world.heal()
      try world.checkAgreement()
      try world.checkOracle()
      try await world.checkQuiet()
      try await world.checkNewcomer()
    } catch is SimulatedRefusal {
      world.statistics.refusals += 1
      do { try await world.checkSafety() } catch { failure = "\(error)" }
    } catch {
      failure = "\(error)"
    }
    if let failure { world.say("failed: \(failure)") }
    return await end(world, failure)
  }

  private func end(_ world: SimulatedWorld, _ failure: String?) async -> Outcome {
    await world.server?.close()
    world.statistics.seeds = 1
    return Outcome(
      trace: world.trace, statistics: world.statistics, story: world.story, failure: failure)
  }

  /// Runs the plan, and again to see that it goes the same way.
  public func runTwice() async -> Outcome {
    var outcome = await run()
    let again = await run()
    guard outcome.failure == nil, outcome.trace != again.trace else { return outcome }
    let difference = zip(outcome.story, again.story).first { $0 != $1 }
    outcome.failure =
      "two runs of one seed differ: \(difference.map { "\($0.0) | \($0.1)" } ?? "at the end")"
    return outcome
  }
}

extension Simulation.Outcome {
  /// The whole report of a failure: what is wrong, how it came to it, how to see it again.
  public func report(of plan: SimulationPlan) -> String {
    let story = story.joined(separator: "\n")
    return """
      Seed \(plan.seed) fails: \(failure ?? "not at all")
      with \(plan.faults.isEmpty ? "no faults" : plan.faults.sorted().map(\.rawValue).joined(separator: ", "))
      \(story)
      Again: \(plan.command)
      """
  }
}
