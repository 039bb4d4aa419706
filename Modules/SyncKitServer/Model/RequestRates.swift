/// How often a token or an address may ask.
public struct RequestRates: Sendable {
  /// A steady rate with a reserve for bursts.
  public struct Rate: Sendable {
    /// How many in a minute, in the long run.
    public var perMinute: Double
    /// How many at once.
    public var burst: Double

    /// Describes a rate.
    public init(perMinute: Double, burst: Double) {
      self.perMinute = perMinute
      self.burst = burst
    }
  }

  /// Of one token.
  public var token = Rate(perMinute: 6_000, burst: 1_000)
  /// Of one address, however many tokens come from there.
  public var address = Rate(perMinute: 30_000, burst: 5_000)
  /// Of refused tokens from one address.
  public var failures = Rate(perMinute: 60, burst: 100)
  /// Of wrong codes from one address.
  public var joins = Rate(perMinute: 5, burst: 5)

  /// The usual rates.
  public init() {}
}
