import FileTransport
import Foundation
import SQLiteStorage
import SegmentFormat
import SyncKit

/// One person's shelf: a store on this device, and a folder that all devices reach.
struct Shelf {
  let store: SyncStore
  let engine: SyncEngine

  /// Opens the shelf of a device, or creates one.
  init(device name: String, in data: String, sharing folder: String) throws {
    store = try SyncStore(
      BookShelfDomain(),
      storage: SQLiteStorage(path: "\(data)/\(name)/bookshelf.sqlite"),
      coding: DeflateSegmentCoding(),
      // An app draws the id once and keeps it.
      device: Device(id: "device-\(name)", name: name),
      environment: SyncEnvironment(
        now: { Int64(Date().timeIntervalSince1970 * 1_000) },
        random: { UInt64.random(in: .min ... .max) }))
    let transport = FileTransport(path: folder, createIfParentExists: true)
    engine = SyncEngine(
      store: store, remotes: [Remote("folder", location: "file:\(folder)", transport: transport)])
  }

  /// Puts a book on the shelf, or changes some of its fields.
  func save(_ id: RecordID, _ fields: [FieldName: Value]) throws {
    try store.write { try $0.save(RecordDraft("book", id: id, fields: fields)) }
  }

  /// Every book as one line of text, in the order of their ids.
  func lines() throws -> [String] {
    try store.records("book").map { book in
      let fields = book.fields.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.shown)" }
      return "\(book.key.id)  \(fields.joined(separator: ", "))"
    }
  }
}

extension Value {
  /// The value as a person reads it.
  fileprivate var shown: String {
    switch self {
    case .string(let text): text
    case .list(let values): "[\(values.map(\.shown).joined(separator: ", "))]"
    default: "\(self)"
    }
  }
}
