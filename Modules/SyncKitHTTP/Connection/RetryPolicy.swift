/// How often a request is tried, and how long the pauses between are.
///
/// A value that decides; the caller does the waiting. After the last try the error goes to the caller,
/// and with it to the scheduler of the next run.
public struct RetryPolicy: Hashable, Sendable {
  /// How often a request is sent at most.
  public var tries: Int
  /// The pause after the first try; each later one is four times as long.
  public var firstPause: Duration
  /// The longest pause; a server that asks for a longer one is not waited for.
  public var longestPause: Duration

  /// Makes a policy.
  public init(
    tries: Int = 3, firstPause: Duration = .milliseconds(500), longestPause: Duration = .seconds(20)
  ) {
    self.tries = tries
    self.firstPause = firstPause
    self.longestPause = longestPause
  }

  /// Decides whether there is another try after one that failed, and when.
  ///
  /// What was not asked for is between half and all of its length, so that devices that failed together
  /// do not come back together; what a server asks for is never cut short and up to a quarter longer.
  ///
  /// - Parameters:
  ///   - number: How many tries there have been.
  ///   - asked: What the server asks for.
  ///   - random: Sixty-four random bits.
  /// - Returns: The pause before the next try; nil when there is to be none.
  public func pause(afterTry number: Int, asked: Duration?, random: UInt64) -> Duration? {
    guard number < tries else { return nil }
    let share = Double(random >> 11) / Double(1 << 53)
    if let asked {
      guard asked <= longestPause else { return nil }
      return asked + asked * (share / 4)
    }
    var pause = firstPause
    for _ in 1..<max(1, number) where pause < longestPause { pause = pause * 4 }
    return min(pause, longestPause) * (0.5 + share / 2)
  }
}
