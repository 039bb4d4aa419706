/// A class of things that happen in a simulated world and may lead to mistakes.
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
  /// People let trees out and take them back.
  case scope
  /// A remote that numbers what it has loses everything.
  case wipe
  /// A remote that numbers what it has is put back to an older state.
  case rewind
  /// A device syncs with the remote of another vault.
  case stranger
  /// A device is ahead: some of its segments need a version that the others do not have yet.
  case newer
  /// A device is behind: it knows neither all collections nor all fields.
  case older
  /// A server restarts between two steps.
  case restart
  /// A server has no room left for a while.
  case quota
  /// A server does not know a device any more, until it is let in again.
  case revoke
  /// A device makes many records at once, another one deletes them all.
  case flood

  /// The runs of two devices overlap.
  case overlap
  /// A record is erased, with its content and whatever happens beside it.
  case erase
  /// A device is away for a long time and goes on writing.
  case away
  /// For one device a tree is another person's.
  case share
  /// A store fails and leaves half a file, or an empty one, which every device sees.
  case torn
  /// The remote replaces what it was asked to leave alone, and calls free names taken.
  case unguarded
  /// A device sees a listing of before, whole.
  case stale

  /// A malicious place throws away what it says that it has stored.
  case drop
  /// It does not show objects, a series, a zone or everything to a device.
  case withhold
  /// It shows a device an object, a series, a zone or everything as it was before.
  case rollBack
  /// It shows two groups of devices different histories.
  case divide
  /// It gives an object under the name of another one, in another zone or domain.
  case swap
  /// It gives what was removed or replaced.
  case replay
  /// It changes bits, and cuts.
  case alter
  /// It plants garbage, segments in plain, erasures, and what a device has sealed that was let go.
  case plant
  /// It keeps what it was asked to remove.
  case keep

  /// In how many of a hundred seeds it is.
  private var share: Int {
    switch self {
    // Worlds with many records take long.
    case .flood: 8
    case .older, .newer: 20
    default: 35
    }
  }

  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

  /// What only malicious places do.
  public static let lies: Set<SimulatedFault> = [
    .drop, .withhold, .rollBack, .divide, .swap, .replay, .alter, .plant, .keep,
  ]

  /// What has no place in a world of malicious places.
  ///
  /// Encryption brings codings, vaults and shares of its own. Half an object can be completed by its writer alone, and
  /// others wait for it.
  private static let unfit: Set<SimulatedFault> = [
    .newer, .share, .stranger, .restart, .quota, .revoke, .torn,
  ]

  /// The faults of a seed; one seed in ten has none.
  public static func drawn(from seed: SeededRandom) -> Set<SimulatedFault> {
    var random = seed.fork("faults")
    guard !random.chance(10) else { return [] }
    return Set(allCases.filter { !lies.contains($0) && random.chance($0.share) })
  }

  /// Faults in a world of malicious places, and the lies of its seed.
  static func withLies(
    _ faults: Set<SimulatedFault>, from seed: SeededRandom
  ) -> Set<SimulatedFault> {
    var random = seed.fork("lies")
    let drawn = lies.sorted().filter { _ in random.chance(60) }
    return faults.subtracting(unfit).union(drawn.isEmpty ? lies : Set(drawn))
  }
}
