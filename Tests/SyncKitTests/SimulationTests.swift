import SyncKitTesting
import Testing

/// A few worlds; `cloudsync-sim` plays thousands of them in release, these among them.
@Test(arguments: 1...6 as ClosedRange<UInt64>)
func `devices agree after any chaos and lose nothing`(_ seed: UInt64) async {
  let plan = SimulationPlan(seed: seed)
  let outcome = await Simulation(plan).run()
  if outcome.failure != nil { Issue.record("\(outcome.report(of: plan))") }
}

@Test(arguments: [2, 8] as [Int])
func `the fewest and the most devices agree too`(_ replicas: Int) async {
  let plan = SimulationPlan(seed: 101, replicas: replicas, operations: 100)
  let outcome = await Simulation(plan).run()
  if outcome.failure != nil { Issue.record("\(outcome.report(of: plan))") }
}

@Test func `a seed repeats a world to its last step`() async {
  let first = await Simulation(SimulationPlan(seed: 41, operations: 100)).runTwice()
  let second = await Simulation(SimulationPlan(seed: 42, operations: 100)).run()
  #expect(first.failure == nil)
  #expect(first.trace != second.trace)
}

/// What the simulation has found once, as small as it could be made.
struct SimulationRegressionTests {
  private func failure(
    _ seed: UInt64, _ faults: Set<SimulatedFault>, _ kept: [Int]? = nil, replicas: Int = 5,
    operations: Int = 200, isForking: Bool = false
  ) async -> String? {
    var plan = SimulationPlan(seed: seed, replicas: replicas, operations: operations)
    plan.isForking = isForking
    plan.faults = faults
    plan.kept = kept
    return await Simulation(plan).run().failure
  }

  @Test func `an overridden create still replaces what it had seen`() async {
    #expect(await failure(9, [], [63, 98, 101, 128, 133, 164, 168, 198]) == nil)
  }

  @Test func `a creation under a deleted ancestor can be undone`() async {
    #expect(await failure(42, [], [10, 13, 16, 25, 27, 28, 35, 36, 42]) == nil)
  }

  @Test func `an equal remote write covers for good, and a cut segment keeps its order`() async {
    #expect(await failure(285, SimulationPlan(seed: 285).faults) == nil)
    #expect(await failure(285, [.clone], [9, 20, 36, 41, 43, 51, 64]) == nil)
  }

  @Test func `a segment that is known in part and waits does not stop the pull`() async {
    #expect(await failure(2, SimulationPlan(seed: 2).faults) == nil)
  }

  @Test func `a branch has seen the series that it left`() async {
    #expect(await failure(27, [.clone], [47, 63, 65, 85, 104, 117, 119]) == nil)
    #expect(await failure(8, [.clone, .delay, .partial], [139, 149, 171, 172, 174, 180]) == nil)
  }

  @Test func `a record keeps its parent when it is restored as of a time before it`() async {
    let kept = [107, 108, 112, 122, 126, 128, 152, 174, 175, 176, 177, 178, 198]
    #expect(await failure(784, [.crash, .delay, .jump, .revert], kept, replicas: 8) == nil)
  }

  @Test func `a run that tells a numbered remote of an erasure is not a quiet one`() async {
    let kept = [3, 4, 9, 11, 29]
    #expect(
      await failure(1_038_178, [.scope, .stranger], kept, replicas: 3, operations: 30) == nil)
  }

  @Test func `a copy that has more in one segment than its original brought is quiet in the end`()
    async
  {
    let kept = [2, 3, 4, 9, 11, 14, 21, 28]
    let faults: Set<SimulatedFault> = [.clone, .errorBefore, .skew]
    #expect(await failure(1_122_317, faults, kept, replicas: 3, operations: 30) == nil)
  }

  @Test func `a store that lost a zone after it met a copy of itself is not an older copy`() async {
    let kept = [4, 9, 15, 61, 63, 71, 72, 73, 89, 99]
    let faults: Set<SimulatedFault> = [.clone, .scope, .skew]
    #expect(await failure(39, faults, kept, replicas: 3, isForking: true) == nil)
  }

  @Test func `a snapshot of another branch is not covered by one that goes further`() async {
    let kept = [
      6, 7, 8, 9, 10, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 28, 29, 42, 43, 44,
      45,
      46, 47, 49, 50, 52, 53, 57, 58, 59, 60, 63, 64, 65, 66, 68, 70, 85, 86, 88, 89, 115, 116, 120,
      122, 124, 150,
    ]
    let faults: Set<SimulatedFault> = [
      .clone, .duplicate, .flood, .newer, .rewind, .skew, .stranger,
    ]
    #expect(await failure(204, faults, kept, replicas: 3, isForking: true) == nil)
    let longer = [
      15, 28, 29, 56, 62, 73, 74, 75, 77, 78, 90, 92, 93, 94, 97, 99, 100, 134, 141, 169,
    ]
    #expect(
      await failure(982, [.clone, .rewind, .skew], longer, replicas: 3, isForking: true) == nil)
  }

  @Test func `what goes to two zones may be lost in one of them with the store that held it`() async
  {
    let kept = [1, 3, 4, 8, 9, 17, 26, 33, 34, 48, 56, 59, 61, 62, 66, 69, 73, 91, 98]
    let faults: Set<SimulatedFault> = [.crash, .errorAfter, .errorBefore, .restore]
    #expect(await failure(376, faults, kept, replicas: 2, operations: 150) == nil)
  }

  @Test func `half a file whose writer has lost the rest is awaited for good`() async {
    let faults: Set<SimulatedFault> = [
      .crash, .delay, .errorBefore, .evict, .missing, .reorder, .restore, .scope, .skew, .stale,
      .torn, .unguarded,
    ]
    let kept = [
      1, 2, 4, 5, 6, 8, 9, 11, 12, 13, 14, 15, 16, 18, 19, 20, 21, 23, 27, 29, 30, 31, 32, 33, 34,
      36, 39, 43, 44, 45, 46, 55, 57, 58, 59, 60, 62, 64, 65, 66, 68, 70, 71, 77, 79, 80, 85, 88,
      89, 90, 91, 96, 97, 116, 118, 119, 121,
    ]
    #expect(await failure(1597, faults, kept) == nil)
  }
}
