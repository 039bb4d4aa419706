import ServerSimulation
import SyncKitTesting
import Testing

/// Some worlds with a server; `cloudsync-sim --server` runs more of them in release.
@Suite struct ServerSimulationTests {
  private func plan(_ seed: UInt64) -> (SimulationPlan, SimulationParts) {
    var parts = SimulationParts()
    parts.server = ServedRemote.part
    return (SimulationPlan(seed: seed, replicas: 3, operations: 80), parts)
  }

  @Test(arguments: [1, 2, 3, 4, 5, 6, 7, 8] as [UInt64])
  func `devices agree over a server and folders, whatever befalls the server`(
    _ seed: UInt64
  ) async {
    let (plan, parts) = plan(seed)
    let outcome = await Simulation(plan, parts: parts).run()
    if outcome.failure != nil { Issue.record("\(outcome.report(of: plan))") }
  }

  @Test func `a seed repeats a world with a server to its last step`() async {
    let (plan, parts) = plan(3)
    let outcome = await Simulation(plan, parts: parts).runTwice()
    if let failure = outcome.failure { Issue.record("\(failure)") }
  }
}
