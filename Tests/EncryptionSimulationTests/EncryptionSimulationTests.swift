import EncryptionSimulation
import SyncKitTesting
import Testing

/// Some worlds of places that lie; `cloudsync-sim --malicious` runs more of them in release.
@Suite struct EncryptionSimulationTests {
  private func plan(_ seed: UInt64) -> (SimulationPlan, SimulationParts) {
    var parts = SimulationParts()
    parts.vault = SimulatedKeys.part
    var plan = SimulationPlan(seed: seed, replicas: 3, operations: 80)
    plan.isMalicious = true
    plan.faults = plan.drawnFaults
    return (plan, parts)
  }

  @Test(arguments: 1...6 as ClosedRange<UInt64>)
  func `whatever places lie, nothing forged or old is shown and nothing is lost`(
    _ seed: UInt64
  ) async {
    let (plan, parts) = plan(seed)
    let outcome = await Simulation(plan, parts: parts).run()
    if outcome.failure != nil { Issue.record("\(outcome.report(of: plan))") }
  }

  @Test func `a seed repeats a world of places that lie to its last step`() async {
    let (plan, parts) = plan(3)
    let outcome = await Simulation(plan, parts: parts).runTwice()
    if let failure = outcome.failure { Issue.record("\(failure)") }
  }
}
