import SyncKit
import SyncKitTesting
import Testing

/// A seed repeats a run, and the parts of a run do not disturb each other.
struct SeededRandomTests {
  @Test func `a seed gives the published stream`() {
    // The first numbers of the reference implementation for this seed.
    var random = SeededRandom(seed: 1_234_567)
    #expect(
      (0..<3).map { _ in random.next() } == [
        6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
      ])
  }

  @Test func `a part's stream does not depend on what others have drawn`() {
    var one = SeededRandom(seed: 1)
    let two = SeededRandom(seed: 1)
    _ = one.next()
    var (left, right) = (one.fork("network"), two.fork("network"))
    #expect((0..<10).map { _ in left.next() } == (0..<10).map { _ in right.next() })
  }

  @Test func `labels and seeds give different streams`() {
    let labels = ["", "a", "b", "ab", "ba", "network", "faults"]
    var first: Set<UInt64> = []
    for seed in 0..<20 as Range<UInt64> {
      for label in labels {
        var stream = SeededRandom(seed: seed).fork(label)
        first.insert(stream.next())
      }
    }
    #expect(first.count == 20 * labels.count)
  }

  @Test func `an environment draws from its stream and reads its clock`() {
    let clock = VirtualClock(at: 1_000)
    let environment = SyncEnvironment.seeded(SeededRandom(seed: 3), clock: clock, skew: 7)
    var stream = SeededRandom(seed: 3)
    #expect([environment.random(), environment.random()] == [stream.next(), stream.next()])
    #expect(environment.now() == 1_007)
    clock.advance(by: 10)
    #expect(environment.now() == 1_017)
    clock.advance(by: -20)
    #expect(environment.now() == 997)
    clock.set(to: 5)
    #expect(environment.now() == 12)
  }

  @Test func `a history is repeated by its seed`() {
    let (one, two) = (RandomHistory(seed: 8), RandomHistory(seed: 8))
    #expect(one.entries.map(\.change) == two.entries.map(\.change))
    #expect(one.entries.map(\.dot) == two.entries.map(\.dot))
    #expect(one.entries.map(\.change) != RandomHistory(seed: 9).entries.map(\.change))
  }

  @Test func `histories collide`() {
    var kinds: Set<OperationKind> = []
    var concurrent = 0
    var equalStamps = 0
    for seed in 0..<300 as Range<UInt64> {
      let history = RandomHistory(seed: seed)
      #expect(history.oracle.waiting == [])
      for record in history.oracle.records().values {
        concurrent += record.registers.values.filter { $0.count > 1 }.count
        let stamps = record.registers.values.flatMap {
          Set($0.map(\.stamp)).count < $0.count ? [1] : []
        }
        equalStamps += stamps.count
      }
      kinds.formUnion(history.entries.flatMap { $0.change.operations.map(\.kind) })
    }
    #expect(kinds.count == 7)
    #expect(concurrent > 200)
    #expect(equalStamps > 0)
  }
}
