import Foundation
import SyncKitApp

enum Rating: Int, FieldValue { case poor = 1, good, great }

struct Book: SyncedRecord {
  var id = RecordID.random
  var title = ""
  var pages = 0
  var tags: Set<String> = []
  var note: String?
  var rating: Rating?
  var opened: Date?
  var isRead = false
  var finished: Date?
  var scratch = "only in memory"

  static let schema = RecordSchema<Book>("book") {
    SyncedField("title", \.title)
    SyncedField("pages", \.pages, policy: ExtremePolicy.max)
    SyncedField("tags", \.tags)
    SyncedField("note", \.note, policy: ManualPolicy())
    SyncedField("rating", \.rating)
    SyncedField("opened", \.opened, weight: .touch)
    SyncedGroup("reading", policy: ManualPolicy()) {
      SyncedField("isRead", \.isRead)
      SyncedField("finished", \.finished)
    }
    SyncedIndex(\.isRead, \.pages)
  }
}

struct ShoppingList: SyncedRecord {
  var id = UUID()
  var name = ""

  static let schema = RecordSchema<ShoppingList>("list", placement: .root) {
    SyncedField("name", \.name)
  }
}

struct Item: SyncedRecord {
  var id = UUID()
  var name = ""
  var amount = 1.0
  var isDone = false
  var prices: [String: Double] = [:]
  var link: URL?
  var picture = Data()

  static let schema = RecordSchema<Item>("item", in: ShoppingList.self) {
    SyncedField("name", \.name)
    SyncedField("amount", \.amount)
    SyncedField("isDone", \.isDone)
    SyncedField("prices", \.prices)
    SyncedField("link", \.link)
    SyncedField("picture", \.picture)
    SyncedIndex(withinParent: \.name)
  }
}

let shelf = RecordDomain("shelf", Book.self, ShoppingList.self, Item.self)

/// Two devices and a folder.
final class Pair {
  let path: String
  let desk: SyncStore
  let sofa: SyncStore
  private let sessions: [SyncSession]

  init() throws {
    path = FileManager.default.temporaryDirectory.path + "/cloudsync-typed-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    desk = try SyncStore.inMemory(shelf, deviceName: "desk")
    sofa = try SyncStore.inMemory(shelf, deviceName: "sofa")
    let remote = Remote.folder("\(path)/shared")
    sessions = [desk.sync(with: remote), sofa.sync(with: remote)]
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func sync() async throws {
    for session in sessions + [sessions[0]] { try await session.syncNow() }
  }
}
