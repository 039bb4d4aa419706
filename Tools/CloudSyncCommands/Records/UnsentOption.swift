import ArgumentParser
import CommandFoundation
import SyncKit

/// `--unsent` of the commands that write records to a file.
struct UnsentOption: ParsableArguments {
  @Flag(
    help: """
      Only records with edits of this device that are not sent, and the records above them; \
      'cloudsync status' lists them. The default format is 'records'.
      """)
  var unsent = false
}

extension SyncStore {
  /// The records of some collections with unsent edits, and the records above them.
  func unsentRecords(of collections: [RecordType]) throws -> [Record] {
    var records: [RecordKey: Record] = [:]
    for key in try unsentEdits().flatMap(\.records) {
      var next = try record(key)
      while let record = next, records[record.key] == nil {
        if !record.isDeleted { records[record.key] = record }
        next = try record.parent.flatMap { try self.record($0) }
      }
    }
    let order = Dictionary(
      collections.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    return records.values.filter { order[$0.key.collection] != nil }
      .sorted { (order[$0.key.collection] ?? 0, $0.key) < (order[$1.key.collection] ?? 0, $1.key) }
  }
}
