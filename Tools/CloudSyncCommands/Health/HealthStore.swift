import CommandFoundation
import HealthRecords
import SyncKit

extension SyncStore {
  /// All people and pets, people first.
  func healthSubjects() throws -> [HealthSubject] {
    try records("subject").compactMap { HealthSubject($0) }
      .sorted { ($0.sortKey, $0.record.key.id) < ($1.sortKey, $1.record.key.id) }
  }

  /// The person or pet that a text names: by id, by the start of the id, or by a name.
  ///
  /// - Throws: ``SyncError`` `record.not-found`, `usage` for several; no name is repeated.
  func healthSubject(_ text: String) throws -> HealthSubject {
    try HealthSubject.find(text, among: healthSubjects())
  }

  /// A person or pet with its entries.
  func healthTree(_ subject: HealthSubject) throws -> HealthTree {
    var entries: [Record] = []
    for kind in EntryKind.allCases {
      try forEachRecord(in: kind.collection) { record in
        if record.parent?.id == subject.record.key.id { entries.append(record) }
      }
    }
    return HealthTree(subject, entries: entries)
  }

  /// Every person and pet with its entries; only one where a text names it.
  func healthTrees(_ text: String?) throws -> [HealthTree] {
    if let text { return [try healthTree(healthSubject(text))] }
    var records = try healthSubjects().map(\.record)
    for kind in EntryKind.allCases { records += try self.records(kind.collection) }
    return HealthTree.trees(records)
  }
}
