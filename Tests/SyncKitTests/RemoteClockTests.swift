import SyncKit
import Testing

/// What a remote's clock shows, compared with this device's.
struct RemoteClockTests {
  private static let now: Int64 = 1_800_000_000_000

  @Test(arguments: [Int64(0), -999, -600, 30_000])
  func `clocks that may show the same are no difference`(offset: Int64) {
    // The remote answered at some moment of half a minute, and its second is rounded down.
    let clock = RemoteClock(Self.now + offset, between: Self.now, and: Self.now + 30_000)
    #expect(clock.lead == 0 && !clock.isFar)
  }

  @Test func `what the request took is no part of the difference`() {
    let (start, end) = (Self.now, Self.now + 300_000)
    #expect(RemoteClock(Self.now + 400_000, between: start, and: end).lead == 100_000)
    #expect(RemoteClock(Self.now - 121_000, between: start, and: end).lead == -120_000)
  }

  @Test(arguments: [(Int64(120_000), false), (121_000, true), (-121_000, false), (-122_000, true)])
  func `two minutes are borne`(offset: Int64, isFar: Bool) {
    #expect(RemoteClock(Self.now + offset, between: Self.now, and: Self.now).isFar == isFar)
  }
}
