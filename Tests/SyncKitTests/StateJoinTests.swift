import SyncKit
import SyncKitTesting
import Testing

/// Two states of one zone become one, as when a snapshot or a document comes in.
struct StateJoinTests {
  @Test func `a value that the other side has replaced goes`() throws {
    var story = Story()
    let old = story.add(.ann, .edit(set("a", 1)))
    story.add(.bob, seeing: [old], .edit(set("a", 2)))
    let joined = story.join([.ann: 1], [.ann: 1, .bob: 1])
    #expect(try #require(joined).values("a") == [2])
  }

  @Test func `a value that the other side has never seen stays`() throws {
    var story = Story()
    story.add(.ann, .edit(set("a", 1)))
    story.add(.bob, .edit(set("a", 2)))
    let joined = story.join([.ann: 1], [.bob: 1])
    #expect(try #require(joined).values("a") == [1, 2])
  }

  @Test func `a record that one side has never heard of stays`() throws {
    var story = Story()
    story.add(.ann, .create(set("a", 1)))
    #expect(try #require(story.join([:], [.ann: 1])).values("a") == [1])
    #expect(try #require(story.join([.ann: 1], [:])).values("a") == [1])
  }

  @Test func `a removal that one side knows takes the element from the other`() throws {
    let red = FieldName.element(of: "tags", "red")
    var story = Story()
    let added = story.add(.ann, .edit(set(red, "red")))
    story.add(.bob, seeing: [added], .edit(remove(red)))
    #expect(try #require(story.join([.ann: 1, .bob: 1], [.ann: 1])).registers.isEmpty)
  }

  @Test func `an erasure that one side knows takes the other's values`() throws {
    var story = Story()
    let old = story.add(.ann, .create(set("a", 1)))
    story.add(.ann, .erase())
    story.add(.bob, seeing: [old], .edit(set("a", 2)))
    for (left, right) in [([.ann: 2], [.ann: 1, .bob: 1]), ([.ann: 1, .bob: 1], [.ann: 2])]
      as [([ReplicaID: UInt64], [ReplicaID: UInt64])]
    {
      let joined = try #require(story.join(left, right))
      #expect(joined.registers.isEmpty)
      #expect(joined.kinds == [.erased, .edited])
      #expect(!joined.exists(.editWins))
    }
  }

  @Test func `what was written in knowledge of an erasure stays`() throws {
    var story = Story()
    let erased = story.add(.ann, .erase())
    story.add(.bob, seeing: [erased], .create(set("a", 2)))
    story.add(.cleo, .edit(set("b", 3)))
    let joined = try #require(story.join([.ann: 1, .bob: 1], [.cleo: 1]))
    #expect(joined.shown { _ in NewestPolicy() } == ["a": 2])
    #expect(joined.erasures == [erased])
  }

  @Test func `vectors unite`() {
    var one = VersionVector([.ann: Self.head(3), .bob: Self.head(1)])
    one.formUnion(VersionVector([.ann: Self.head(2), .cleo: Self.head(5)]))
    #expect(
      one == VersionVector([.ann: Self.head(3), .bob: Self.head(1), .cleo: Self.head(5)]))
    #expect(one.covers(Dot(.ann, 3)))
    #expect(!one.covers(Dot(.ann, 4)))
    #expect(one.covers(VersionVector([.bob: Self.head(1)])))
    #expect(!one.covers(VersionVector([.bob: Self.head(2)])))
    #expect(one.sorted.map(\.replica) == [.ann, .bob, .cleo])
  }

  private static func head(_ seq: UInt64) -> Head {
    Head(seq: seq, hash: ContentHash(high: 0, low: seq))
  }
}

extension Story {
  /// What comes of joining two replicas that have got so far; nil when nothing is known.
  fileprivate func join(
    _ left: [ReplicaID: UInt64], _ right: [ReplicaID: UInt64]
  ) -> OracleRecord? {
    var (one, two) = (StateReplica(), StateReplica())
    for entry in entries {
      if entry.dot.seq <= left[entry.dot.replica] ?? 0 { one.apply(entry.change, at: entry.dot) }
      if entry.dot.seq <= right[entry.dot.replica] ?? 0 { two.apply(entry.change, at: entry.dot) }
    }
    one.join(two)
    #expect(oracle.seen(by: one.vector).differences(from: one.records) == [])
    return one.records[RecordKey(collection: "item", id: "x")].map(OracleRecord.init)
  }
}
