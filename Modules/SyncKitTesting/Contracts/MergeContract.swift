import SyncKit

/// Something that merges the changes and states of one zone, as a replica does; a value type.
package protocol MergingReplica {
  /// Applies a change; its whole past has been applied before, and it itself has not.
  mutating func apply(_ change: Change, at dot: Dot) throws

  /// Takes over the state that another replica has arrived at.
  mutating func join(_ other: Self) throws

  /// What the replica knows of each record.
  var records: [RecordKey: RecordState] { get }
}

/// Checks that replicas agree with the ``Oracle`` and with each other, whatever reaches them how.
///
/// - **Any causal order** of the same changes gives the same state, the one that the model defines.
/// - **Joining states** is commutative, associative and idempotent, and gives what the union of the
///   changes gives, also when more changes follow.
package struct MergeContract: Sendable {
  private let seeds: Range<UInt64>
  private let changes: ClosedRange<Int>

  /// Makes the contract.
  ///
  /// - Parameters:
  ///   - seeds: The random histories to try.
  ///   - changes: How long a history is; small ones come first, because they are read with ease.
  package init(seeds: Range<UInt64>, changes: ClosedRange<Int> = 2...12) {
    self.seeds = seeds
    self.changes = changes
  }

  /// What the first failing history shows, one sentence each; empty when all is well.
  ///
  /// Every trial begins with a copy of `new`, which knows nothing yet.
  package func violations<Replica: MergingReplica>(of new: Replica) -> [String] {
    for seed in seeds {
      let length = changes.lowerBound + Int(seed % UInt64(changes.count))
      var trial = Trial(history: RandomHistory(seed: seed, changes: length), new: new)
      do { try trial.run() } catch { trial.note("a merge failed: \(error)") }
      if !trial.faults.isEmpty { return trial.faults }
    }
    return []
  }
}

/// One history, delivered in many ways.
private struct Trial<Replica: MergingReplica> {
  let history: RandomHistory
  let oracle: Oracle
  let new: Replica
  var random: SeededRandom
  var faults: [String] = []

  init(history: RandomHistory, new: Replica) {
    self.history = history
    self.new = new
    oracle = history.oracle
    random = SeededRandom(seed: history.seed).fork("delivery")
  }

  mutating func run() throws {
    let whole = history.vector
    var first: Replica?
    for _ in 0..<3 {
      let replica = try replica(with: whole)
      check(replica, whole, "all changes in some causal order")
      if let first { expectSame(first, replica, "two causal orders of all changes") }
      first = first ?? replica
    }

    let parts = (0..<3).map { _ in history.part(using: &random) }
    let replicas = try parts.map { try replica(with: $0) }
    for (part, replica) in zip(parts, replicas) { check(replica, part, "a part of the changes") }
    let union = parts[0].union(parts[1])
    let joined = try join(replicas[0], replicas[1])
    check(joined, union, "the join of two parts")
    expectSame(joined, try join(replicas[1], replicas[0]), "a join and its mirror image")
    expectSame(joined, try join(joined, joined), "a state and its join with itself")
    expectSame(joined, try join(joined, replicas[0]), "a state and its join with a part of it")
    expectSame(
      try join(joined, replicas[2]), try join(replicas[0], join(replicas[1], replicas[2])),
      "two groupings of three joins")

    var late = joined
    for entry in history.delivery(from: union, to: whole, using: &random) {
      try late.apply(entry.change, at: entry.dot)
    }
    check(late, whole, "a join followed by the other changes")
  }

  mutating func note(_ fault: String) { faults.append("seed \(history.seed): \(fault)") }

  private mutating func replica(with part: VersionVector) throws -> Replica {
    var replica = new
    for entry in history.delivery(to: part, using: &random) {
      try replica.apply(entry.change, at: entry.dot)
    }
    return replica
  }

  private func join(_ left: Replica, _ right: Replica) throws -> Replica {
    var joined = left
    try joined.join(right)
    return joined
  }

  private mutating func check(_ replica: Replica, _ part: VersionVector, _ situation: String) {
    for difference in oracle.seen(by: part).differences(from: replica.records) {
      note("\(situation): \(difference)")
    }
  }

  private mutating func expectSame(_ left: Replica, _ right: Replica, _ situation: String) {
    if left.records != right.records { note("\(situation) differ") }
  }
}

extension VersionVector {
  fileprivate func union(_ other: VersionVector) -> VersionVector {
    var union = self
    union.formUnion(other)
    return union
  }
}
