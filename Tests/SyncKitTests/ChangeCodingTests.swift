import SyncKitTesting
import Testing

@testable import SyncKitEngine
@testable import SyncKitModel
@testable import SyncKitStore

/// A change is the same after it has been bytes.
struct ChangeCodingTests {
  @Test(arguments: 0..<4 as Range<UInt64>)
  func `a change comes back as it was`(block: UInt64) throws {
    for seed in block * 250..<(block + 1) * 250 {
      let sample = RandomChange(seed: seed)
      let bytes = sample.encoded()
      let read = try sample.decoded(bytes)
      #expect(read == sample.change, "seed \(seed)")
      let again = read.encoded(series: sample.series, after: sample.previous) {
        $0 == "item" ? 3 : 1
      }
      #expect(again == bytes, "seed \(seed)")
    }
  }

  @Test func `equal changes have equal bytes, in whatever order their vectors were filled`() {
    for seed in 0..<50 as Range<UInt64> {
      let sample = RandomChange(seed: seed)
      var context = VersionVector()
      for (replica, head) in sample.change.context.sorted.reversed() { context[replica] = head }
      var twin = sample.change
      twin.context = context
      #expect(
        twin.encoded(series: sample.series, after: sample.previous) { $0 == "item" ? 3 : 1 }
          == sample.encoded())
    }
  }

  @Test func `bytes that a newer version adds at the end are left for the caller`() throws {
    let sample = RandomChange(seed: 7)
    let bytes = sample.encoded()
    try (bytes + [1, 2, 3]).reading(allowingRest: true) { reader in
      let read = try Change(&reader, series: sample.series, after: sample.previous)
      #expect(read == sample.change)
      #expect(reader.remaining == 3)
    }
  }

  @Test func `a feature of a newer version is told from damage`() throws {
    var story = Story()
    story.add(.ann, .edit(set("a", .null)))
    let change = try #require(story.entries.first?.change)
    let bytes = change.encoded(series: .ann, after: VersionVector()) { _ in 1 }
    // The change's flags; at the end the operation's kind, and the write's flags before a null.
    for index in [0, bytes.count - 9, bytes.count - 2] {
      var newer = bytes
      newer[index] |= 0x40
      let error = #expect(throws: SyncError.self) {
        try newer.reading { try Change(&$0, series: .ann, after: VersionVector()) }
      }
      #expect(error?.code == .formatNewer, "\(index)")
    }
  }

  @Test func `a change of more operations than allowed is damaged`() throws {
    for count in [Change.maximumOperations, Change.maximumOperations + 1] {
      var sample = try #require(RandomHistory(seed: 1).entries.first).change
      sample.context = VersionVector()
      sample.operations = Array(repeating: .touch(), count: count)
      let bytes = sample.encoded(series: .ann, after: VersionVector()) { _ in 1 }
      let read = try? bytes.reading { try Change(&$0, series: .ann, after: VersionVector()) }
      #expect((read == sample) == (count <= Change.maximumOperations))
    }
  }

  @Test func `a change by another author than the series' carries that author`() throws {
    let sample = RandomChange(seed: 3)
    var change = sample.change
    change.stamp.replica = ReplicaID(high: 1, low: 2)
    let bytes = change.encoded(series: sample.series, after: sample.previous) { _ in 1 }
    #expect(try sample.decoded(bytes).stamp == change.stamp)
  }

  @Test func `only what is new in the context takes space`() throws {
    let sample = RandomChange(seed: 3)
    let first = sample.change.encoded(series: sample.series, after: VersionVector()) { _ in 1 }
    let next = sample.change.encoded(series: sample.series, after: sample.change.context) { _ in 1 }
    #expect(next.count + 33 <= first.count)
    let read = try next.reading {
      try Change(&$0, series: sample.series, after: sample.change.context)
    }
    #expect(read == sample.change)
  }
}
