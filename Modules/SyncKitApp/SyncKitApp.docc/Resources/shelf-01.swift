import SyncKitApp

struct Book: SyncedRecord {
  var id = RecordID.random
  var title = ""
  var tags: Set<String> = []
  var note: String?

  static let schema = RecordSchema<Book>("book") {
    SyncedField("title", \.title)
    SyncedField("tags", \.tags)
    SyncedField("note", \.note)
  }
}
