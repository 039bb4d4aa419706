import SyncKit
import SyncKitTesting
import Testing

/// Which of several values show: one that a deletion saw comes last, an overridden one before it.
struct RankTests {
  private static let newest: @Sendable (FieldName) -> any ConflictPolicy = { _ in NewestPolicy() }

  @Test func `an overridden value stays, behind the one it met`() throws {
    var story = Story()
    story.add(.ann, at: 1, .edit(set("a", "ann")))
    story.add(.bob, at: 9, .edit(giveWay("a", "bob")))
    let record = try story.record()
    #expect(record.values("a") == ["ann", "bob"])
    #expect(record.shown(Self.newest) == ["a": "ann"])
    #expect(record.conflicts(Self.newest) == ["a"])
  }

  @Test func `an overridden value covers what its author had seen, including its own`() throws {
    var story = Story()
    let first = story.add(.bob, at: 1, .edit(set("a", "first")))
    story.add(.bob, at: 2, .edit(set("a", "second")))
    story.add(.bob, at: 3, .edit(giveWay("a", "third")))
    story.add(.ann, seeing: [first], at: 2, .edit(set("a", "ann")))
    #expect(try story.record().values("a") == ["ann", "third"])
    #expect(try story.record().shown(Self.newest) == ["a": "ann"])
  }

  @Test func `where all are overridden the policy decides among them`() throws {
    var story = Story()
    story.add(.ann, at: 1, .edit(giveWay("a", "ann")))
    story.add(.bob, at: 2, .edit(giveWay("a", "bob")))
    #expect(try story.record().shown(Self.newest) == ["a": "bob"])
  }

  @Test func `a later write covers an overridden value, and has no mark`() throws {
    var story = Story()
    story.add(.ann, .edit(set("a", "ann")))
    let given = story.add(.bob, .edit(giveWay("a", "bob")))
    story.add(.ann, seeing: [given], .edit(set("a", "both")))
    #expect(try story.record().registers["a"]?.map(\.marks) == [[]])
  }

  @Test func `a value that its author deleted does not stand before one beside it`() throws {
    var story = Story()
    story.add(.bob, at: 8, .create(set("a", "bob")))
    story.add(.bob, at: 9, .delete())
    story.add(.ann, at: 1, .create(set("a", "ann")))
    let record = try story.record()
    #expect(record.exists(.editWins))
    #expect(record.shown(Self.newest) == ["a": "ann"])
    #expect(record.conflicts(Self.newest).isEmpty)
  }

  @Test(
    arguments: [
      NewestPolicy(), ManualPolicy(), KeepBothPolicy(), ImmutablePolicy(), ExtremePolicy.max,
      ExtremePolicy.min, RankPolicy { $0 == 5 ? 1 : 0 },
    ] as [any ConflictPolicy])
  func `a deleted value does not show under any policy, whatever the clocks say`(
    policy: any ConflictPolicy
  ) throws {
    for (deleted, time) in [(1, 1), (9, 1), (1, 900), (9, 900)] as [(Value, Int)] {
      var story = Story()
      let made = story.add(.ann, at: 5, .create(set("a", 0)))
      let written = story.add(.bob, seeing: [made], at: time, .edit(set("a", deleted)))
      story.add(.bob, seeing: [written], at: time + 1, .delete())
      story.add(.ann, at: 7, .edit(set("a", 5)))
      #expect(try story.record().shown { _ in policy } == ["a": 5])
    }
  }

  @Test func `an overridden value stands before one that was deleted`() throws {
    var story = Story()
    story.add(.bob, at: 8, .create(set("a", "bob")))
    story.add(.bob, at: 9, .delete())
    story.add(.ann, at: 1, .create(giveWay("a", "ann")))
    #expect(try story.record().shown(Self.newest) == ["a": "ann"])
  }

  @Test func `an edit of another field keeps a record with the fields that the deletion saw`()
    throws
  {
    var story = Story()
    let made = story.add(.ann, .create(set("a", 1), set("b", 2)))
    story.add(.bob, seeing: [made], .delete())
    story.add(.ann, .edit(set("b", 3)))
    #expect(try story.record().shown(Self.newest) == ["a": 1, "b": 3])
  }

  @Test func `a record made beside a deletion has only the fields it was made with`() throws {
    var story = Story()
    story.add(.bob, .create(set("a", 1), set("b", 2), set(.element(of: "tags", 1), 1)))
    story.add(.bob, .delete())
    let other = story.add(.ann, .create(set("a", 5)))
    #expect(try story.record().shown(Self.newest) == ["a": 5])
    // That stays so when the record is edited by a device that knows of all this.
    story.add(.cleo, seeing: [other, Dot(.bob, 2)], .edit(set("c", 6)))
    #expect(try story.record().shown(Self.newest) == ["a": 5, "c": 6])
  }

  @Test func `what is restored stands as anything written`() throws {
    var story = Story()
    story.add(.bob, .create(set("a", 1)))
    story.add(.bob, .delete())
    story.add(.bob, at: 9, .restore(set("a", 1)))
    story.add(.ann, at: 3, .create(set("a", 5)))
    #expect(try story.record().shown(Self.newest) == ["a": 1])
    #expect(try story.record().registers["a"]?.allSatisfy { $0.marks.isEmpty } == true)
  }

  @Test func `a deletion that had not seen a value does not mark it`() throws {
    var story = Story()
    let made = story.add(.ann, .create(set("a", 1)))
    story.add(.ann, at: 2, .edit(set("a", 2)))
    story.add(.bob, seeing: [made], at: 9, .delete())
    #expect(try story.record().registers["a"]?.map(\.marks) == [[]])
  }
}
