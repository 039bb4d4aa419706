import SyncKitApp

/// A list of items, such as "Errands".
struct TaskList: SyncedRecord {
  var id = RecordID.random
  var name = ""

  static let schema = RecordSchema<TaskList>("list") {
    SyncedField("name", \.name)
  }
}

/// Something to do, which belongs to a list.
struct Item: SyncedRecord {
  var id = RecordID.random
  var title = ""
  /// Two people who write a note at the same time both keep theirs until someone joins them.
  var note: String?
  var due: Day?
  /// Where it stands in its list, see ``Ranks``.
  var rank = 0.0
  var isDone = false
  var finished: Day?

  static let schema = RecordSchema<Item>("item", in: TaskList.self) {
    SyncedField("title", \.title)
    SyncedField("note", \.note, policy: KeepBothPolicy())
    SyncedField("due", \.due)
    // Moving an item never saves it from a concurrent deletion.
    SyncedField("rank", \.rank, weight: .touch)
    // An open item with a date of completion would make no sense.
    SyncedGroup("completion") {
      SyncedField("isDone", \.isDone)
      SyncedField("finished", \.finished)
    }
    // The items of a list come in their order without a look at those of other lists.
    SyncedIndex(withinParent: \.rank)
  }
}

extension SyncDomain where Self == RecordDomain {
  /// All that this app keeps.
  static var todo: RecordDomain { RecordDomain("todo", TaskList.self, Item.self) }
}
