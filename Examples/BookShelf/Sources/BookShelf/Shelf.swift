import SyncKitApp

// What this app says in its own words.
extension SyncStore {
  /// Puts a book on the shelf, or changes some of its fields.
  func save(_ id: RecordID, _ fields: [FieldName: Value]) async throws {
    try await write { try $0.save(RecordDraft("book", id: id, fields: fields)) }
  }

  /// Decides a conflict on every device.
  func settle(_ conflict: Conflict, as value: Value) async throws {
    try await write { try $0.resolve(conflict.key, register: conflict.field, value: value) }
  }

  /// Every book as one line of text, in the order of their ids.
  func lines() throws -> [String] {
    try records("book").map { book in
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
