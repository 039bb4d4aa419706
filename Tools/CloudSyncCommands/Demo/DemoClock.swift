import CommandFoundation
import SyncKit
import Synchronization

/// The clock and the randomness of a demonstration: the same in every run, so the results are too.
final class DemoClock: Sendable {
  private struct State {
    /// 2026-01-01, in milliseconds since 1970.
    var now: Int64 = 1_767_225_600_000
    var seed: UInt64 = 2026
  }

  private let state = Mutex(State())

  /// Lets time pass.
  func advance(seconds: Int64) { state.withLock { $0.now += seconds * 1_000 } }

  var environment: SyncEnvironment {
    SyncEnvironment(
      now: { self.state.withLock { $0.now } },
      // SplitMix64, after Steele, Lea and Flood.
      random: {
        self.state.withLock { state in
          state.seed &+= 0x9E37_79B9_7F4A_7C15
          var mixed = state.seed
          mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
          mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
          return mixed ^ (mixed >> 31)
        }
      })
  }
}
