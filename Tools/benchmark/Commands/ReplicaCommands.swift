import SyncKitFormats
import SyncKit

// The verbs on one device. A peer with the same verbs can be measured for comparison.
extension Replica {
  func importAll(_ file: String) throws {
    let domain = CanonicalDomain()
    let reader = RecordLine(domain)
    let drafts = try lines(of: POSIX.read(file)).map { try reader.draft($0) }
    _ = try store().importAll(drafts)
  }

  /// Writes some fields of records that exist.
  func edit(_ file: String) throws {
    let reader = RecordLine(CanonicalDomain())
    let drafts = try lines(of: POSIX.read(file)).map { try reader.draft($0) }
    try store().write { transaction in
      for draft in drafts {
        guard let id = draft.id else { continue }
        let key = RecordKey(collection: CanonicalDomain.task, id: id)
        try transaction.edit(key, draft.fields)
      }
    }
  }

  func sync() async throws {
    let store = try store()
    let report = try await engine(store).syncNow()
    guard report.waiting == 0, report.notes.isEmpty else {
      throw SyncError(
        .failure, "The run is incomplete: \(report.waiting) waiting, \(report.notes).")
    }
  }

  /// Writes every record to standard output, sorted by id.
  func export() throws {
    let writer = RecordLine(CanonicalDomain())
    var output = LineWriter()
    try store().forEachRecord(in: CanonicalDomain.task) { record in
      output.append(writer.json(record).serialized())
      if output.bytes.count > 1 << 20 {
        try POSIX.write(output.bytes, to: 1)
        output.removeAll()
      }
    }
    try POSIX.write(output.bytes, to: 1)
  }
}
