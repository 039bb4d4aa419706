/// The two things the core never takes by itself: the time and chance.
///
/// A program passes the system's; a simulation passes its own, so that a seed repeats a whole run.
public struct SyncEnvironment: Sendable {
  /// Milliseconds since 1970, as the machine's clock says; it may jump.
  public let now: @Sendable () -> Int64
  /// Sixty-four random bits; from a cryptographic source outside of tests.
  public let random: @Sendable () -> UInt64

  /// Makes an environment from a clock and a source of randomness.
  public init(now: @escaping @Sendable () -> Int64, random: @escaping @Sendable () -> UInt64) {
    self.now = now
    self.random = random
  }
}
