import SyncKit
import SyncKitTesting
import Testing

/// What the model says about a whole zone; single records are told in the tests of their merge.
struct OracleTests {
  @Test func `a change waits until all that it names is there`() throws {
    var story = Story()
    let one = story.add(.ann, .create(set("a", 1)))
    let two = story.add(.ann, .edit(set("a", 2)))
    let three = story.add(.bob, seeing: [two], .edit(set("a", 3)))
    let four = story.add(.bob, .edit(set("a", 4)))

    var oracle = Oracle()
    for entry in story.entries.reversed() {
      let missing = Set([one, two, three, four]).subtracting(oracle.changes.keys)
      #expect(oracle.waiting == Set(oracle.changes.keys), "\(missing)")
      #expect(oracle.records().isEmpty)
      oracle.insert(entry.change, at: entry.dot)
    }
    #expect(oracle.waiting == [])
    #expect(oracle.heads == [.ann: 2, .bob: 2])
    #expect(oracle.records()[Self.key("x")]?.values("a") == [4])
  }

  @Test func `inserting again changes nothing`() {
    let history = RandomHistory(seed: 5)
    var oracle = history.oracle
    for entry in history.entries.reversed() { oracle.insert(entry.change, at: entry.dot) }
    #expect(oracle.records() == history.oracle.records())
  }

  @Test func `a device that has received less sees less`() throws {
    var story = Story()
    let one = story.add(.ann, .create(set("a", 1)))
    story.add(.bob, seeing: [one], .edit(set("a", 2)))
    let vector = VersionVector([.ann: Head(seq: 1, hash: ContentHash(high: 0, low: 1))])
    let part = story.oracle.seen(by: vector)
    #expect(part.records()[Self.key("x")]?.values("a") == [1])
    #expect(part.waiting == [])
  }

  @Test func `children disappear with their parent and come back with it`() throws {
    var story = Story()
    story.add(.ann, .create(id: "parent"), .create(set("parent", "parent"), id: "child"))
    #expect(Self.isVisible("child", story))
    let deleted = story.add(.ann, .delete(id: "parent"))
    #expect(!Self.isVisible("child", story))
    #expect(Self.isVisible("orphan", story) == false, "no device wrote it")
    story.add(.bob, seeing: [deleted], RecordOperation(.restore, "item", "parent"))
    #expect(Self.isVisible("child", story))
  }

  @Test func `a parent that is not known is not known to be deleted`() {
    var story = Story()
    story.add(.ann, .create(set("parent", "elsewhere"), id: "child"))
    #expect(Self.isVisible("child", story))
  }

  /// Each moves one folder into the other; the later move is dropped, so nothing is out of reach.
  @Test func `a circle of parents is cut at the edge with the greatest stamp`() {
    var story = Story()
    let both = story.add(.ann, .create(id: "p"), .create(id: "q"))
    story.add(.ann, at: 10, .edit(set("parent", "q"), id: "p"))
    story.add(.bob, seeing: [both], at: 20, .edit(set("parent", "p"), id: "q"))
    story.add(.bob, .create(set("parent", "q"), id: "child"))
    for id in ["p", "q", "child"] as [RecordID] { #expect(Self.isVisible(id, story), "\(id)") }

    // `q` became the root: with it all of the circle goes, with `p` only `p`.
    var first = story
    let (ann, bob) = (Dot(.ann, 2), Dot(.bob, 2))
    first.add(.cleo, seeing: [ann, bob], .delete(id: "q"))
    for id in ["p", "q", "child"] as [RecordID] { #expect(!Self.isVisible(id, first), "\(id)") }
    story.add(.cleo, seeing: [ann, bob], .delete(id: "p"))
    #expect(!Self.isVisible("p", story))
    for id in ["q", "child"] as [RecordID] { #expect(Self.isVisible(id, story), "\(id)") }
  }

  @Test func `conflicts leave out what is meant to have several values`() throws {
    let red = FieldName.element(of: "tags", "red")
    var story = Story()
    story.add(.ann, .edit(set("a", 1), set("n", 1), set(red, "red")))
    story.add(.bob, .edit(set("a", 2), set("n", 2), set(red, "RED")))
    let policies: [FieldName: any ConflictPolicy] = ["n": ExtremePolicy.max]
    let conflicts = try story.record().conflicts { policies[$0] ?? NewestPolicy() }
    #expect(conflicts == ["a"])
  }

  private static func key(_ id: RecordID) -> RecordKey { RecordKey(collection: "item", id: id) }

  private static func isVisible(_ id: RecordID, _ story: Story) -> Bool {
    Oracle.isVisible(
      key(id), in: story.oracle.records(), rule: { _ in .editWins },
      parent: { _, record in
        let value = record.registers["parent"]?.max { $0.stamp < $1.stamp }
        guard let value, let id = value.value.string else { return nil }
        return (key(RecordID(id)), value.stamp)
      })
  }
}
