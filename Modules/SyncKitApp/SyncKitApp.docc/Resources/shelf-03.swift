import Foundation
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

@main struct Shelf {
  static func main() async throws {
    let home = URL.homeDirectory.appending(path: "shelf")
    let store = try await SyncStore.open(RecordDomain("shelf", Book.self), at: home)
    try await store.write { try $0.insert(Book(id: "dune", title: "Dune")) }
    try await store.write { try $0.update(Book.self, "dune") { $0.note = "lent to Ada" } }
  }
}
