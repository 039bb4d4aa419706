/// A class of things that go wrong in a simulated world.
///
/// Each seed switches a random subset on (swarm testing): faults that are always on hide each
/// other, and some mistakes need no fault at all.
public enum SimulatedFault: String, CaseIterable, Sendable, Comparable {
  /// A stored segment becomes visible to other devices later, each in its own time.
  case delay
  /// A listing comes in any order.
  case reorder
  /// A file is there with its name but not yet with all of its bytes.
  case partial
  /// A listing leaves out entries.
  case missing
  /// A listing tells entries twice.
  case duplicate
  /// The provider makes conflict copies of files.
  case conflictCopy
  /// A file is listed and cannot be read for a while.
  case evict
  /// A file disappears and comes back.
  case revert
  /// The remote fails before it does anything.
  case errorBefore
  /// The remote does what it is asked and reports a failure.
  case errorAfter
  /// A device stops at a storage transaction, before or after its commit.
  case crash
  /// A store is copied, and both go on.
  case clone
  /// An older copy of a store is put back.
  case restore
  /// Clocks are wrong from the beginning.
  case skew
  /// Clocks jump.
  case jump

  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

  /// The faults of a seed; one seed in ten has none.
  public static func drawn(from seed: SeededRandom) -> Set<SimulatedFault> {
    var random = seed.fork("faults")
    guard !random.chance(10) else { return [] }
    return Set(allCases.filter { _ in random.chance(35) })
  }
}
