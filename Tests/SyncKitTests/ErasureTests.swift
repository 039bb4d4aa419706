import SyncKit
import SyncKitTesting
import Testing

/// Erasing takes a record's content for good, also what others wrote without knowing of it.
struct ErasureTests {
  @Test func `content is gone at once`() throws {
    var story = Story()
    story.add(.ann, .create(set("a", 1), set("b", 2)))
    story.add(.ann, .erase())
    let record = try story.record()
    #expect(record.registers.isEmpty)
    for rule in DeleteRule.allCases { #expect(!record.exists(rule)) }
  }

  @Test func `an erasure beats anything concurrent`() throws {
    let value = set("a", 2)
    let operations: [RecordOperation] = [
      .create(value), .edit(value), .touch(value), .restore(value), .delete(),
    ]
    for operation in operations {
      var story = Story()
      let created = story.add(.ann, .create(set("a", 1)))
      story.add(.ann, .erase())
      story.add(.bob, seeing: [created], at: 1_000, operation)
      let record = try story.record()
      #expect(record.registers.isEmpty)
      for rule in DeleteRule.allCases { #expect(!record.exists(rule)) }
    }
  }

  @Test func `a value that has not seen the erasure is lost also after a new start`() throws {
    var story = Story()
    let created = story.add(.ann, .create(set("a", 1)))
    let erased = story.add(.ann, .erase())
    story.add(.cleo, seeing: [erased], .create(set("b", 3)))
    story.add(.bob, seeing: [created], .edit(set("a", 2), set("b", 2)))
    let record = try story.record()
    #expect(record.shown { _ in NewestPolicy() } == ["b": 3])
    #expect(record.erasures == [erased], "kept although it is covered")
    for rule in DeleteRule.allCases { #expect(record.exists(rule)) }
  }

  @Test func `a write that loses its value still covers`() throws {
    var story = Story()
    let edited = story.add(.ann, .edit(set("a", 1)))
    story.add(.bob, .erase())
    story.add(.cleo, seeing: [edited], .delete(), .touch(set("a", 2)))
    let record = try story.record()
    #expect(record.kinds == [.erased, .deleted])
    #expect(record.registers.isEmpty)
  }

  @Test func `a device that has seen the erasure writes as to a new record`() throws {
    var story = Story()
    story.add(.ann, .create(set("a", 1)))
    let erased = story.add(.ann, .erase())
    story.add(.bob, seeing: [erased], .edit(set("a", 2)))
    let record = try story.record()
    #expect(record.kinds == [.edited])
    #expect(record.values("a") == [2])
  }

  @Test func `of two erasures both must have been seen`() throws {
    var story = Story()
    let ann = story.add(.ann, .erase())
    story.add(.bob, .erase())
    story.add(.cleo, seeing: [ann], .create(set("a", 1)))
    let record = try story.record()
    #expect(record.registers.isEmpty)
    for rule in DeleteRule.allCases { #expect(!record.exists(rule)) }
  }

  @Test func `what follows the erasure in its own change stays`() throws {
    var story = Story()
    story.add(.ann, .create(set("a", 1), set("b", 1)))
    story.add(.ann, .edit(set("b", 2)), .erase(), .create(set("a", 2)))
    let record = try story.record()
    #expect(record.kinds == [.created])
    #expect(record.shown { _ in NewestPolicy() } == ["a": 2])
  }
}
