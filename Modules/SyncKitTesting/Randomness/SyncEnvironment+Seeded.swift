import SyncKit
import Synchronization

extension SyncEnvironment {
  /// An environment that a seed and a clock repeat exactly.
  ///
  /// Fork a stream for each device. Devices share the clock; one whose clock is wrong by `skew`
  /// milliseconds still moves with the others.
  public static func seeded(
    _ random: SeededRandom, clock: VirtualClock = VirtualClock(), skew: Int64 = 0
  ) -> SyncEnvironment {
    let stream = SharedRandom(random)
    return SyncEnvironment(now: { clock.now &+ skew }, random: { stream.next() })
  }

  /// An environment that a seed repeats exactly.
  public static func seeded(_ seed: UInt64) -> SyncEnvironment {
    seeded(SeededRandom(seed: seed))
  }
}

/// A stream that the copies of an environment draw from in turn.
private final class SharedRandom: Sendable {
  private let random: Mutex<SeededRandom>

  init(_ random: SeededRandom) { self.random = Mutex(random) }

  func next() -> UInt64 { random.withLock { $0.next() } }
}
