public import SyncKit

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

extension SyncEnvironment {
  /// The machine's clock, and its source of cryptographic randomness.
  public static let system = SyncEnvironment(
    now: {
      var time = timespec()
      clock_gettime(CLOCK_REALTIME, &time)
      return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    },
    random: { UInt64.random(in: .min ... .max) })
}
