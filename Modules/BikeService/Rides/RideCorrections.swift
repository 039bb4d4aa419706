public import SyncKit

/// What a rider has corrected by hand: it stays, whatever a file or a service says of the ride again.
public struct RideCorrections: Sendable {
  private var fields: [RecordID: Set<FieldName>] = [:]

  /// Reads the local store.
  ///
  /// - Throws: ``SyncKit/SyncError`` `store.damaged` and the like.
  public init(_ rides: SyncStore) throws {
    var found: [RecordID: Set<FieldName>] = [:]
    try rides.forEachRecord(in: .activity) { record in
      let names = Self.names(in: record)
      if !names.isEmpty { found[record.key.id] = names }
    }
    fields = found
  }

  /// A draft without the fields that its rider has corrected.
  public func kept(_ draft: RecordDraft) -> RecordDraft {
    guard draft.collection == .activity, let id = draft.id, let names = fields[id] else {
      return draft
    }
    var draft = draft
    for name in names { draft.fields[name] = nil }
    return draft
  }

  /// Marks fields of a ride as corrected, beside those that are already.
  public static func mark(_ names: some Sequence<FieldName>, of record: Record) -> Value {
    .list(self.names(in: record).union(names).sorted().map { .string($0.text) })
  }

  private static func names(in record: Record) -> Set<FieldName> {
    guard case .list(let names) = record["corrected"] else { return [] }
    return Set(names.compactMap(\.string).map { FieldName($0) })
  }
}
