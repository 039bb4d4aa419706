import SyncKit
import SyncKitTesting
import Testing

/// What stands in the fields, when several people write.
struct FieldMergeTests {
  @Test func `concurrent edits of different fields all survive`() throws {
    var story = Story()
    let created = story.add(.ann, .create(set("a", 1), set("b", 1), set("c", 1)))
    story.add(.ann, .edit(set("a", 2)))
    story.add(.bob, seeing: [created], .edit(set("b", 2)))
    story.add(.cleo, seeing: [created], .edit(set("c", 2)))
    let record = try story.record()
    #expect(record.shown { _ in NewestPolicy() } == ["a": 2, "b": 2, "c": 2])
    #expect(record.conflicts { _ in NewestPolicy() } == [])
  }

  @Test func `concurrent edits of one field show one value and keep the other`() throws {
    var story = Story()
    let created = story.add(.ann, .create(set("a", 1)))
    story.add(.ann, at: 20, .edit(set("a", "ann")))
    story.add(.bob, seeing: [created], at: 10, .edit(set("a", "bob")))
    let record = try story.record()
    #expect(record.values("a") == ["ann", "bob"])
    #expect(record.shown { _ in NewestPolicy() } == ["a": "ann"])
    #expect(record.conflicts { _ in NewestPolicy() } == ["a"])
  }

  @Test func `the next write that has seen both ends the conflict`() throws {
    var story = Story()
    let ann = story.add(.ann, .edit(set("a", "ann")))
    let bob = story.add(.bob, .edit(set("a", "bob")))
    story.add(.cleo, seeing: [ann, bob], .edit(set("a", "both")))
    let record = try story.record()
    #expect(record.values("a") == ["both"])
    #expect(record.conflicts { _ in NewestPolicy() } == [])
  }

  @Test func `a write that has seen one of two values replaces that one`() throws {
    var story = Story()
    let ann = story.add(.ann, .edit(set("a", "ann")))
    story.add(.bob, .edit(set("a", "bob")))
    story.add(.cleo, seeing: [ann], .edit(set("a", "cleo")))
    #expect(try story.record().values("a") == ["bob", "cleo"])
  }

  /// Stamps decide only among truly concurrent values; a wrong clock must not undo what follows.
  @Test func `a later write replaces an earlier one with a greater stamp`() throws {
    var story = Story()
    let future = story.add(.ann, at: 1 << 40, .edit(set("a", "future")))
    story.add(.bob, seeing: [future], at: 1, .edit(set("a", "now")))
    #expect(try story.record().values("a") == ["now"])
  }

  @Test func `one's own earlier values are always covered`() throws {
    var story = Story()
    story.add(.ann, at: 9, .edit(set("a", 1)))
    story.add(.ann, at: 2, .edit(set("a", 2)))
    #expect(try story.record().values("a") == [2])
  }

  @Test func `a covered value stays covered when a third value stands beside it`() throws {
    var story = Story()
    let ann = story.add(.ann, .edit(set("a", 1)))
    let bob = story.add(.bob, seeing: [ann], .edit(set("a", 2)))
    story.add(.cleo, .edit(set("a", 3)))
    story.add(.ann, seeing: [bob], .edit(set("b", 1)))
    #expect(try story.record().values("a") == [2, 3])
  }

  @Test func `equal values show as one and keep their stamps`() throws {
    var story = Story()
    story.add(.ann, at: 5, .edit(set("a", "same")))
    story.add(.bob, at: 7, .edit(set("a", "same")))
    let record = try story.record()
    #expect(record.registers["a"]?.count == 2)
    #expect(Set(record.registers["a"]?.map(\.stamp.milliseconds) ?? []) == [5, 7])
    #expect(record.conflicts { _ in NewestPolicy() } == [])
    #expect(record.shown { _ in KeepBothPolicy() } == ["a": "same"])
  }

  @Test func `of two writes to one register in one change the last counts`() throws {
    var story = Story()
    story.add(.ann, .edit(set("a", 1), set("a", 2)), .edit(set("a", 3)))
    #expect(try story.record().values("a") == [3])
  }

  @Test func `a create covers fields that it does not name`() throws {
    var story = Story()
    let old = story.add(.ann, .create(set("a", 1), set("b", 1)))
    story.add(.bob, seeing: [old], .create(set("a", 2)))
    let record = try story.record()
    #expect(record.values("a") == [2])
    #expect(record.registers["b"] == nil)
  }

  @Test func `two people who create the same record keep each other's fields`() throws {
    var story = Story()
    story.add(.ann, at: 9, .create(set("a", 1), set("b", .null)))
    story.add(.bob, at: 1, .create(set("a", .null), set("b", 2)))
    let record = try story.record()
    #expect(record.shown { _ in NewestPolicy() } == ["a": 1, "b": 2])
    #expect(record.conflicts { _ in NewestPolicy() } == [], "unset is no statement of a creation")
  }

  @Test func `a null that an edit writes is a value like any other`() throws {
    var story = Story()
    story.add(.ann, at: 9, .edit(set("a", .null)))
    story.add(.bob, at: 1, .edit(set("a", 2)))
    let record = try story.record()
    #expect(record.values("a") == [.null, 2])
    #expect(record.shown { _ in NewestPolicy() } == [:])
    #expect(record.conflicts { _ in NewestPolicy() } == ["a"])
  }

  @Test func `a deletion keeps the fields for a restore`() throws {
    var story = Story()
    story.add(.ann, .create(set("a", 1)))
    story.add(.ann, .delete())
    #expect(try story.record().values("a") == [1])
  }

  @Test func `an edit that has not seen the deletion brings all fields back`() throws {
    var story = Story()
    let created = story.add(.ann, .create(set("a", 1), set("b", 1)))
    story.add(.ann, .delete())
    story.add(.bob, seeing: [created], .edit(set("a", 2)))
    #expect(try story.record().shown { _ in NewestPolicy() } == ["a": 2, "b": 1])
  }

  @Test func `elements added to a set at the same time all stay`() throws {
    let (red, blue) = (FieldName.element(of: "tags", "red"), FieldName.element(of: "tags", "blue"))
    var story = Story()
    story.add(.ann, .edit(set(red, "red")))
    story.add(.bob, .edit(set(blue, "blue")))
    #expect(Set(try story.record().registers.keys) == [red, blue])
  }

  @Test func `a removal takes the additions that it has seen and no others`() throws {
    let red = FieldName.element(of: "tags", "red")
    var story = Story()
    let added = story.add(.ann, .edit(set(red, "red")))
    story.add(.bob, seeing: [added], .edit(remove(red)))
    #expect(try story.record().registers.isEmpty)

    story.add(.cleo, .edit(set(red, "red")))
    let record = try story.record()
    #expect(record.values(red) == ["red"])
    #expect(record.conflicts { _ in NewestPolicy() } == [])
  }

  @Test func `an import's own times decide among concurrent values`() throws {
    let (early, late) = (Stamp.pack(milliseconds: 10), Stamp.pack(milliseconds: 20))
    var story = Story()
    story.add(.ann, at: 900, .edit(set("a", "early"), at: early))
    story.add(.bob, at: 800, .edit(set("a", "late"), at: late))
    let record = try story.record()
    #expect(record.shown { _ in NewestPolicy() } == ["a": "late"])
    #expect(Set(record.alive.map(\.stamp.time)) == [early, late])
    #expect(record.alive.allSatisfy { $0.stamp.replica == $0.dot.replica })
  }

  @Test func `a change that was issued again keeps its first author's stamp`() throws {
    var story = Story()
    story.add(.bob, at: 5, stampedBy: .cleo, .edit(set("a", 1)))
    #expect(try story.record().registers["a"]?.first?.stamp.replica == .cleo)
  }

  @Test func `equal times end with the lower replica, equal stamps with the greater dot`() throws {
    var story = Story()
    story.add(.ann, at: 5, .edit(set("a", "ann")))
    story.add(.bob, at: 5, .edit(set("a", "bob")))
    #expect(try story.record().shown { _ in NewestPolicy() } == ["a": "ann"])

    story = Story()
    story.add(.ann, at: 5, stampedBy: .cleo, .edit(set("a", "ann")))
    story.add(.bob, at: 5, stampedBy: .cleo, .edit(set("a", "bob")))
    #expect(try story.record().shown { _ in NewestPolicy() } == ["a": "bob"])
  }

  @Test func `fields whose names differ in normalisation only are two fields`() throws {
    var story = Story()
    story.add(.ann, .edit(set("\u{E9}", 1), set("e\u{301}", 2)))
    #expect(try story.record().registers.count == 2)
  }
}
