import SyncKit
import SyncKitTesting
import Testing

/// Whether a record exists, when people disagree about it.
struct AliveRegisterTests {
  @Test func `a deletion that has seen everything stands alone`() throws {
    var story = Story()
    let created = story.add(.ann, .create(set("a", 1)))
    let edited = story.add(.bob, seeing: [created], .edit(set("a", 2)))
    story.add(.cleo, seeing: [edited], .delete())
    let record = try story.record()
    #expect(record.kinds == [.deleted])
    for rule in DeleteRule.allCases { #expect(!record.exists(rule)) }
  }

  @Test func `an edit that has not seen the deletion beats it under editWins`() throws {
    var story = Story()
    let created = story.add(.ann, .create(set("a", 1)))
    story.add(.ann, .delete())
    story.add(.bob, seeing: [created], .edit(set("a", 2)))
    let record = try story.record()
    #expect(record.kinds == [.deleted, .edited])
    #expect(record.exists(.editWins))
    #expect(!record.exists(.deleteWins))
    #expect(record.exists(.newest))
    #expect(record.values("a") == [2])
  }

  @Test func `under newest the later of edit and deletion counts`() throws {
    for deletionTime in [1, 9] {
      var story = Story()
      let created = story.add(.ann, at: 0, .create(set("a", 1)))
      story.add(.ann, at: deletionTime, .delete())
      story.add(.bob, seeing: [created], at: 5, .edit(set("a", 2)))
      #expect(try story.record().exists(.newest) == (deletionTime == 1))
    }
  }

  @Test func `a touch never beats a deletion, however late it is`() throws {
    var story = Story()
    let created = story.add(.ann, .create(set("a", 1)))
    story.add(.ann, .delete())
    story.add(.bob, seeing: [created], at: 1_000, .touch(set("a", 2)))
    let record = try story.record()
    for rule in DeleteRule.allCases { #expect(!record.exists(rule)) }
    #expect(record.values("a") == [2], "the value itself is kept for a restore")
  }

  @Test func `a touch that has seen the deletion does not revive the record`() throws {
    var story = Story()
    story.add(.ann, .create(set("a", 1)))
    let deleted = story.add(.ann, .delete())
    story.add(.bob, seeing: [deleted], .touch(set("a", 2)))
    let record = try story.record()
    #expect(record.kinds == [.deleted, .touched])
    for rule in DeleteRule.allCases { #expect(!record.exists(rule)) }
  }

  @Test func `a touch covers touches and nothing else`() throws {
    var story = Story()
    let created = story.add(.ann, .create(set("a", 1)))
    let edited = story.add(.bob, seeing: [created], .edit(set("a", 2)))
    let touched = story.add(.cleo, seeing: [edited], .touch(set("n", 1)))
    story.add(.ann, seeing: [touched], .touch(set("n", 2)))
    #expect(try story.record().kinds == [.created, .touched, .edited])
  }

  /// Were the creation's evidence covered, a concurrent deletion would win under deleteWins.
  @Test func `an edit leaves the evidence of the creation that it has seen`() throws {
    var story = Story()
    let created = story.add(.ann, .create(set("a", 1)))
    story.add(.ann, .delete())
    let again = story.add(.bob, seeing: [created], .create(set("a", 2)))
    story.add(.bob, seeing: [again], .edit(set("a", 3)))
    let record = try story.record()
    #expect(record.kinds == [.deleted, .created, .edited])
    for rule in [DeleteRule.editWins, .deleteWins] { #expect(record.exists(rule)) }
  }

  @Test func `an edit covers the deletion, the touch and the edit that it has seen`() throws {
    for operation in [RecordOperation.delete(), .touch(), .edit()] {
      var story = Story()
      let first = story.add(.ann, operation)
      story.add(.bob, seeing: [first], .edit(set("a", 1)))
      #expect(try story.record().kinds == [.edited])
    }
  }

  @Test func `create, restore, delete and erase cover whatever they have seen`() throws {
    let kinds: [(RecordOperation, AliveKind)] = [
      (.create(), .created), (.restore(), .created), (.delete(), .deleted), (.erase(), .erased),
    ]
    let all: [RecordOperation] = [.create(), .edit(), .touch(), .delete(), .restore(), .erase()]
    for (operation, kind) in kinds {
      for before in all {
        var story = Story()
        let first = story.add(.ann, before)
        story.add(.bob, seeing: [first], operation)
        #expect(try story.record().kinds == [kind])
      }
    }
  }

  @Test func `each rule ranks every pair of concurrent values as the table says`() throws {
    // The strongest first; a set holds equals, among which the newest counts.
    let table: [(DeleteRule, [Set<AliveKind>])] = [
      (.editWins, [[.erased], [.created, .edited], [.deleted], [.touched]]),
      (.deleteWins, [[.erased], [.created], [.deleted], [.edited], [.touched]]),
      (.newest, [[.erased], [.created, .edited, .deleted], [.touched]]),
    ]
    for (rule, order) in table {
      for left in AliveKind.allCases {
        for right in AliveKind.allCases {
          let earlier = Self.sibling(.ann, left, at: 1)
          let later = Self.sibling(.bob, right, at: 2)
          let leftRank = try #require(order.firstIndex { $0.contains(left) })
          let rightRank = try #require(order.firstIndex { $0.contains(right) })
          let expected = leftRank < rightRank ? earlier : later
          #expect(rule.shown([earlier, later]) == expected, "\(rule): \(left), \(right)")
          #expect(rule.shown([later, earlier]) == expected, "\(rule): \(right), \(left)")
        }
      }
    }
  }

  @Test func `equal stamps end with the dot`() {
    let stamp = Stamp(time: 7, replica: .cleo)
    let low = AliveSibling(dot: Dot(.ann, 9), stamp: stamp, kind: .edited)
    let high = AliveSibling(dot: Dot(.bob, 1), stamp: stamp, kind: .deleted)
    #expect(DeleteRule.newest.shown([low, high]) == high)
    #expect(DeleteRule.newest.shown([high, low]) == high)
  }

  @Test func `a record that no device has written does not exist`() {
    for rule in DeleteRule.allCases { #expect(rule.shown([]) == nil) }
  }

  @Test func `a restore counts as a creation`() throws {
    var story = Story()
    let created = story.add(.ann, .create(set("a", 1)))
    let deleted = story.add(.ann, .delete())
    story.add(.bob, seeing: [deleted], .restore(set("a", 1)))
    story.add(.cleo, seeing: [created], .delete())
    let record = try story.record()
    #expect(record.kinds == [.created, .deleted])
    #expect(record.exists(.deleteWins))
  }

  @Test func `in one change the later operation counts unless the earlier is stronger`() throws {
    let cases: [([RecordOperation], AliveKind)] = [
      ([.edit(), .touch()], .edited), ([.touch(), .edit()], .edited),
      ([.create(), .edit()], .created), ([.edit(), .create()], .created),
      ([.delete(), .touch()], .deleted), ([.delete(), .edit()], .edited),
      ([.create(), .delete()], .deleted), ([.delete(), .restore()], .created),
      ([.erase(), .create()], .created), ([.create(), .delete(), .edit()], .edited),
    ]
    for (operations, kind) in cases {
      var story = Story()
      switch operations.count {
      case 2: story.add(.ann, operations[0], operations[1])
      default: story.add(.ann, operations[0], operations[1], operations[2])
      }
      #expect(try story.record().kinds == [kind], "\(operations.map(\.kind))")
    }
  }

  private static func sibling(
    _ author: ReplicaID, _ kind: AliveKind, at time: UInt64
  ) -> AliveSibling {
    AliveSibling(dot: Dot(author, 1), stamp: Stamp(time: time, replica: author), kind: kind)
  }
}
