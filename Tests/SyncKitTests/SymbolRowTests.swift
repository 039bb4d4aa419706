import SyncKit
import SyncKitTesting
import Testing

/// Names and replicas are written once and then called by number; the rows may be any device's.
struct SymbolRowTests {
  @Test(.timeLimit(.minutes(1)), arguments: [Array("tags".utf8), []])
  func `a table that says the same twice is damage and no reason to read for ever`(
    row: [UInt8]
  ) throws {
    let storage = InMemoryStorage()
    let first = try TestDevice("phone", storage: storage)
    _ = try first.store.write {
      try $0.save(
        RecordDraft("book", id: "a", fields: ["title": .string("Emma"), "rating": .int(5)]))
    }
    var keys: [[UInt8]] = []
    try storage.read { reader in
      try reader.scan(.symbol, prefix: [], after: nil) { key, _ in
        keys.append(key)
        return true
      }
    }
    #expect(keys.count > 2)
    try storage.write { writer in for key in keys { try writer.put(.symbol, key, row) } }
    #expect(throws: SyncError.self) {
      let again = try TestDevice("phone", storage: storage)
      _ = try again.store.records("book")
    }
  }
}
