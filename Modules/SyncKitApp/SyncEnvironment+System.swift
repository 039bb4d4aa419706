import LocalMachine
public import SyncKit

extension SyncEnvironment {
  /// The machine's clock, and its source of cryptographic randomness.
  public static let system = SyncEnvironment(
    now: WallClock.milliseconds, random: { UInt64.random(in: .min ... .max) })
}
