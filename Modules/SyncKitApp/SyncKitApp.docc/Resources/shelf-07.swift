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
    SyncedField("note", \.note, policy: KeepBothPolicy())
  }
}

@main struct Shelf {
  static func main() async throws {
    let home = URL.homeDirectory.appending(path: "shelf")
    let store = try await SyncStore.open(RecordDomain("shelf", Book.self), at: home)

    let shared = URL.homeDirectory.appending(path: "Shared/shelf")
    let session = store.sync(with: .folder(shared))
    await session.start()

    for conflict in try store.conflicts(of: Book.self) where conflict.needsDecision {
      let notes = conflict.candidates.compactMap(\.model.note)
      let book = conflict.model.id
      try await store.write {
        try $0.resolve(Book.self, book, \.note, with: notes.joined(separator: "; "))
      }
    }
    await session.stop()
  }
}
