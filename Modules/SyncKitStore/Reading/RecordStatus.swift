import SyncKitModel

/// How a record stands with the remotes, for a badge beside it.
public enum RecordStatus: Sendable, Hashable {
  /// Edits of this device are not on every remote yet.
  case pending
  /// A value waits for a person's decision.
  case conflicted
  /// All that this device has written is on every remote, or the record never leaves the device.
  case synced
}

/// The records of a store that are not simply synced, at one moment.
public struct RecordStatuses: Sendable {
  /// The records with edits of this device that are not on every remote yet.
  public let pending: Set<RecordKey>
  /// The records of which a value waits for a person's decision.
  public let conflicted: Set<RecordKey>

  /// How a record stands; a conflict counts before what is pending.
  public subscript(key: RecordKey) -> RecordStatus {
    conflicted.contains(key) ? .conflicted : pending.contains(key) ? .pending : .synced
  }
}

extension SyncStore {
  /// How the records stand with the given remotes.
  ///
  /// Costs as much as there is to send: what every remote has is not looked at.
  /// - Throws: ``SyncError`` `store.damaged` and the like.
  public func statuses(remotes names: [String]) throws -> RecordStatuses {
    let conflicted = Set(try conflicts().lazy.filter(\.needsDecision).map(\.key))
    let pending = try read { reader in
      let remotes = try names.map { try reader.storage.remote($0) }
      var pending: Set<RecordKey> = []
      for (id, zone) in try reader.zones() where zone.isPublished && !zone.isClosed {
        func add(_ change: Change) {
          for record in change.editedRecords {
            pending.insert(RecordKey(zone: id, collection: record.collection, id: record.id))
          }
        }
        for row in try reader.logRows(id) where row.operations > 0 && row.series == zone.own {
          let isEverywhere = remotes.allSatisfy {
            ($0.acknowledged[id]?[row.series]?.seq ?? 0) >= row.last
          }
          if !isEverywhere { try reader.segment(row).forEachChange(coding, add) }
        }
        try reader.forEachUnsealedChange(in: id, zone, add)
      }
      return pending
    }
    return RecordStatuses(pending: pending, conflicted: conflicted)
  }
}

extension Segment {
  /// Visits the changes in their order.
  func forEachChange(_ coding: any SegmentCoding, _ body: (Change) throws -> Void) throws {
    var context = info.base
    for bytes in try coding.changes(of: self) {
      let change = try bytes.reading(allowingRest: true) {
        try Change(&$0, series: info.series, after: context)
      }
      context = change.context
      try body(change)
    }
  }
}

extension StoreReader {
  /// Visits the changes of a zone that no other device can have seen, in their order.
  func forEachUnsealedChange(
    in id: ZoneID, _ zone: ZoneState, _ body: (Change) throws -> Void
  ) throws {
    var context = zone.sealedContext
    for row in try unsealed(id) {
      let change = try row.bytes.reading(allowingRest: true) {
        try Change(&$0, series: zone.own, after: context)
      }
      context = change.context
      try body(change)
    }
  }
}
