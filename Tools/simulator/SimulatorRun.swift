import SyncKitTesting

/// Runs the seeds, some in parallel, and adds up their statistics.
struct SimulatorRun {
  let arguments: SimulatorArguments

  init(_ arguments: SimulatorArguments) { self.arguments = arguments }

  func run() async throws {
    let start = ContinuousClock.now
    var total = SimulationStatistics()
    let failed = await withTaskGroup(
      of: (UInt64, Simulation.Outcome).self, returning: (UInt64, Simulation.Outcome)?.self
    ) { group in
      var next = arguments.seeds.makeIterator()
      func startNext() {
        guard let seed = next.next() else { return }
        let simulation = Simulation(arguments.plan(seed), parts: arguments.parts)
        let runsTwice = arguments.twiceEvery.map { seed % $0 == 0 } ?? false
        group.addTask {
          (seed, runsTwice ? await simulation.runTwice() : await simulation.run())
        }
      }
      for _ in 0..<arguments.jobs { startNext() }
      while let (seed, outcome) = await group.next() {
        total.add(outcome.statistics)
        if arguments.isVerbose { print(outcome.story.joined(separator: "\n")) }
        if outcome.failure != nil {
          group.cancelAll()
          return (seed, outcome)
        }
        startNext()
      }
      return nil
    }
    print(Self.summary(total, ContinuousClock.now - start))
    guard let (seed, outcome) = failed else { return }
    throw SimulatorFailure(await report(seed, outcome))
  }

  private func report(_ seed: UInt64, _ outcome: Simulation.Outcome) async -> String {
    let plan = arguments.plan(seed)
    guard arguments.shrinks else { return outcome.report(of: plan) }
    let small = await Simulation(plan, parts: arguments.parts).shrunk()
    let again = await Simulation(small, parts: arguments.parts).run()
    return again.report(of: small) + "\nAll of it: \(plan.command)"
  }

  static func summary(_ total: SimulationStatistics, _ time: Duration) -> String {
    let faults = total.faults.sorted { $0.key < $1.key }.map { "\($0.key.rawValue) \($0.value)" }
    return """
      \(total.seeds) seeds, \(total.operations) operations, \(total.syncs) syncs, \
      \(total.batches) batches in \(time)
      faults: \(faults.isEmpty ? "none" : faults.joined(separator: ", "))
      \(total.forks) forks, \(total.conflicts) conflicts, \(total.isOverridden) yields, \
      \(total.rolledBack) rolled back; \(total.merged) segments merged, \(total.removed) removed; \(total.snapshots) snapshots, \(total.joins) devices started from one; \(total.refusals) refusals; at most \(total.rounds) rounds to heal
      """
  }
}
