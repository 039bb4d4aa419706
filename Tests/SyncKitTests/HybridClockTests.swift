import SyncKit
import SyncKitTesting
import Testing

/// Stamps grow and stay near the physical time, whatever clocks do.
struct HybridClockTests {
  private static let now: Int64 = 1_782_000_000_000

  @Test func `a stamp says the physical time`() {
    var clock = HybridClock()
    #expect(Self.milliseconds(clock.tick(now: Self.now)) == Self.now)
    #expect(Self.milliseconds(clock.tick(now: Self.now + 5)) == Self.now + 5)
  }

  @Test func `within one millisecond the counter tells the order`() {
    var clock = HybridClock()
    var last = clock.tick(now: Self.now)
    for _ in 0..<70_000 {
      let next = clock.tick(now: Self.now)
      #expect(next == last + 1)
      last = next
    }
    #expect(Self.milliseconds(last) == Self.now + 1, "the counter is full and carries over")
  }

  @Test func `a clock that is set back a little goes on from where it was`() {
    var clock = HybridClock()
    let before = clock.tick(now: Self.now)
    #expect(clock.tick(now: Self.now - HybridClock.maximumLead) > before)
  }

  @Test func `a clock that was far ahead falls back to the physical time`() {
    var clock = HybridClock()
    _ = clock.tick(now: Self.now + 10 * HybridClock.maximumLead)
    #expect(Self.milliseconds(clock.tick(now: Self.now)) == Self.now)
  }

  @Test func `what follows a seen stamp is greater`() {
    for lead in [-1_000, 0, 1, HybridClock.maximumLead - 1, HybridClock.maximumLead] as [Int64] {
      for last in [0, Self.now - 5, Self.now + 9 * HybridClock.maximumLead] {
        var clock = HybridClock(last: Stamp.pack(milliseconds: last))
        let seen = Stamp.pack(milliseconds: Self.now + lead)
        clock.observe(seen, now: Self.now)
        #expect(clock.tick(now: Self.now) > seen, "\(lead) after \(last)")
      }
    }
  }

  @Test func `a stamp too far ahead is not followed`() {
    var clock = HybridClock()
    let own = clock.tick(now: Self.now)
    clock.observe(Stamp.pack(milliseconds: Self.now + HybridClock.maximumLead + 1), now: Self.now)
    clock.observe(.max, now: Self.now)
    #expect(clock.tick(now: Self.now) == own + 1)
  }

  /// A friend's clock is ahead by just what is allowed; ours must neither stall nor jump back.
  @Test func `own stamps grow also at the edge of what is allowed`() {
    var clock = HybridClock()
    let edge = Stamp.pack(milliseconds: Self.now + HybridClock.maximumLead)
    for seen in [edge - 1, edge] {
      clock.observe(seen, now: Self.now)
      var last = clock.last
      for _ in 0..<100 {
        let next = clock.tick(now: Self.now)
        #expect(next > last)
        last = next
      }
    }
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `stamps grow as long as the clock is not set back far, and never lead far`(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var clock = HybridClock()
    var now = Self.now
    var latest = now
    var last: UInt64 = 0
    for _ in 0..<2_000 {
      switch Int.random(in: 0..<100, using: &random) {
      case 0..<30: now += .random(in: 0...1_000, using: &random)
      case 30..<35: now -= .random(in: 0...HybridClock.maximumLead / 2, using: &random)
      case 35: now += 100_000_000
      default: break
      }
      now = max(now, latest - HybridClock.maximumLead)
      latest = max(latest, now)
      // A clock that goes back makes what was followed before look far ahead: it may fall back.
      let mayFall = Self.milliseconds(clock.last) > now + HybridClock.maximumLead
      if random.chance(40) {
        let lead = Int64.random(in: -1_000_000...1_000_000, using: &random)
        clock.observe(Stamp.pack(milliseconds: now + lead, counter: 3), now: now)
      }
      let next = clock.tick(now: now)
      #expect(next > last || mayFall)
      #expect(Self.milliseconds(next) <= now + HybridClock.maximumLead)
      #expect(Self.milliseconds(next) >= now)
      last = next
    }
  }

  @Test func `clocks without sense do not trap`() {
    for now in [.min, -1, 0, 1 << 48, .max] as [Int64] {
      var clock = HybridClock(last: .max)
      _ = clock.tick(now: now)
      clock.observe(.max, now: now)
      _ = clock.tick(now: now)
    }
  }

  @Test func `packing clamps what does not fit`() {
    #expect(Stamp.pack(milliseconds: -5) == 0)
    #expect(Stamp.pack(milliseconds: .max, counter: .max) == .max)
    let stamp = Stamp(time: Stamp.pack(milliseconds: Self.now, counter: 7), replica: .ann)
    #expect(stamp.milliseconds == Self.now)
  }

  @Test func `of two stamps the later is greater, then the one of the lower replica`() {
    let (ann, bob) = (Stamp(time: 5, replica: .ann), Stamp(time: 5, replica: .bob))
    #expect(bob < ann)
    #expect(ann < Stamp(time: 6, replica: .bob))
  }

  private static func milliseconds(_ time: UInt64) -> Int64 {
    Stamp(time: time, replica: .ann).milliseconds
  }
}
