import SyncKitModel

/// A user action, the same on every device.
public struct HistoryBatch: Sendable {
  /// What happened to one field or record.
  public struct Entry: Sendable {
    /// What was done.
    public enum Kind: String, Sendable {
      /// The record was created.
      case create
      /// A field or group got a value.
      case set
      /// The record was deleted.
      case delete
      /// The record was brought back.
      case restore
      /// The record was removed with its content.
      case erase
      /// Written, but behind a remote value that was there first; see `RebasePolicy.remoteWins`.
      case overridden
    }

    /// What was done.
    public var kind: Kind
    /// The record.
    public var key: RecordKey
    /// The field or group; nil when the record as a whole is meant.
    public var field: FieldName?
    /// What was shown before; nil for nothing, null for a value that was too large to carry.
    public var from: Value?
    /// What was written; nil for nothing.
    public var to: Value?
  }

  /// The batch's id.
  public var id: BatchID
  /// Milliseconds since 1970.
  public var at: Int64
  /// The device that did it.
  public var device: DeviceName
  /// What was done, in order.
  public var entries: [Entry]
  /// Whether all of its parts are here.
  public var isComplete: Bool
}

extension HistoryBatch {
  /// Adds what one part of it did.
  fileprivate mutating func add(_ more: [Entry], at time: Int64, isFirst: Bool) {
    entries.insert(contentsOf: more, at: isFirst ? 0 : entries.count)
    at = max(at, time)
  }
}

/// Which batches are wanted.
public struct HistoryFilter: Sendable {
  /// Only batches that touch this record, and of them only its entries.
  public var record: (collection: CollectionName, id: RecordID)?
  /// Only batches of the device with this name or id.
  public var device: String?
  /// Only batches at or after these milliseconds.
  public var since: Int64?
  /// The most batches; nil for all.
  public var limit: Int?

  /// Wants everything.
  public init() {}
}

/// A change with where it lies.
package struct LoggedChange {
  package var zone: ZoneID
  package var series: ReplicaID
  package var dot: Dot
  package var change: Change
}

/// Which parts of a batch are known; each zone counts for itself.
struct BatchParts {
  private struct Zone {
    var count = 0
    var last = 0
  }

  private var zones: [ZoneID: Zone] = [:]
  private var hasEnd = false

  package mutating func add(_ logged: LoggedChange) {
    var zone = zones[logged.zone] ?? Zone()
    zone.count += 1
    zone.last = max(zone.last, logged.change.part)
    zones[logged.zone] = zone
    if logged.change.isLastPart { hasEnd = true }
  }

  /// Whether the end is here and nothing before it is missing; an end in one zone is the end of all.
  var areAll: Bool { hasEnd && zones.values.allSatisfy { $0.count > $0.last } }
}

extension StoreReader {
  /// Visits all changes, those of the newest segments first; unsealed ones before them.
  ///
  /// `body` gets the changes of one segment, oldest first, and the newest stamp that any later
  /// segment can hold; it returns false to stop.
  func forEachChange(
    _ body: (_ changes: [LoggedChange], _ nextNewest: UInt64) throws -> Bool
  ) throws {
    let zones = try zones()
    var rows: [(zone: ZoneID, row: LogRow)] = []
    for id in zones.keys { rows += try logRows(id).filter { !$0.isHashIndex }.map { (id, $0) } }
    rows.sort { ($0.row.newest, $0.row.arrival) > ($1.row.newest, $1.row.arrival) }
    for id in zones.keys.sorted() {
      let changes = try unsealedChanges(id)
      if !changes.isEmpty, try !body(changes, .max) { return }
    }
    for (index, item) in rows.enumerated() {
      let segment = try segment(item.row)
      var context = segment.info.base
      var changes: [LoggedChange] = []
      for (offset, bytes) in try coding.changes(of: segment).enumerated() {
        let change = try bytes.reading(allowingRest: true) {
          try Change(&$0, series: segment.info.series, after: context)
        }
        context = change.context
        let dot = Dot(item.row.series, item.row.first + UInt64(offset))
        changes.append(
          LoggedChange(zone: item.zone, series: item.row.series, dot: dot, change: change))
      }
      let next = index + 1 < rows.count ? rows[index + 1].row.newest : 0
      guard try body(changes, next) else { return }
    }
  }

  private func unsealedChanges(_ id: ZoneID) throws -> [LoggedChange] {
    let zone = try zone(id)
    var context = zone.sealedContext
    return try unsealed(id).map { row in
      let change = try row.bytes.reading(allowingRest: true) {
        try Change(&$0, series: zone.own, after: context)
      }
      context = change.context
      return LoggedChange(
        zone: id, series: zone.own, dot: Dot(zone.own, row.seq), change: change)
    }
  }

  /// The changes of one batch, in order.
  package func changes(of batch: BatchID) throws -> [LoggedChange] {
    var found: [LoggedChange] = []
    // A batch may have parts in zones that come later, so no part says that all were found.
    try forEachChange { changes, _ in
      found += changes.filter { $0.change.batch == batch }
      return true
    }
    return found.sorted { ($0.zone, $0.dot) < ($1.zone, $1.dot) }
  }
}

extension SyncStore {
  /// What ``SyncStore/history(_:)`` does.
  func listHistory(_ filter: HistoryFilter = HistoryFilter()) throws -> [HistoryBatch] {
    try read { reader in
      var batches: [BatchID: HistoryBatch] = [:]
      var parts: [BatchID: BatchParts] = [:]
      try reader.forEachChange { changes, nextNewest in
        for logged in changes {
          parts[logged.change.batch, default: BatchParts()].add(logged)
          let entries = entries(of: logged, filter)
          guard !entries.isEmpty else { continue }
          let at = logged.change.stamp.milliseconds
          if let since = filter.since, at < since { continue }
          let device = try reader.view.device(logged.zone, logged.dot.replica)
          if let wanted = filter.device, device.name != wanted, device.id != wanted { continue }
          let id = logged.change.batch
          // In place: a copy for each part of a batch would cost the square of its length.
          batches[
            id,
            default: HistoryBatch(
              id: id, at: at, device: device, entries: [], isComplete: false)
          ].add(entries, at: at, isFirst: logged.change.part == 0)
        }
        guard let limit = filter.limit, batches.count >= limit else { return true }
        let newest = Self.sorted(batches, parts).prefix(limit)
        // Older segments may hold newer batches, or the rest of one that is wanted.
        return newest.contains { !$0.isComplete || $0.at <= Int64(nextNewest >> 16) }
      }
      return Array(Self.sorted(batches, parts).prefix(filter.limit ?? .max))
    }
  }

  private static func sorted(
    _ batches: [BatchID: HistoryBatch], _ parts: [BatchID: BatchParts]
  ) -> [HistoryBatch] {
    batches.values.map { batch in
      var batch = batch
      batch.isComplete = parts[batch.id]?.areAll ?? false
      return batch
    }.sorted {
      $0.at != $1.at ? $0.at > $1.at : $0.id.bytes.lexicographicallyPrecedes($1.id.bytes)
    }
  }

  private func entries(
    of logged: LoggedChange, _ filter: HistoryFilter
  ) -> [HistoryBatch.Entry] {
    var entries: [HistoryBatch.Entry] = []
    func wants(_ collection: CollectionName, _ id: RecordID) -> Bool {
      guard !Rules.isSystem(collection) else { return false }
      guard let record = filter.record else { return true }
      return record.collection == collection && record.id == id
    }
    for operation in logged.change.operations where wants(operation.collection, operation.id) {
      let key = RecordKey(
        zone: logged.zone, collection: operation.collection, id: operation.id)
      let kind: HistoryBatch.Entry.Kind? =
        switch operation.kind {
        case .create: .create
        case .edit, .touch: .set
        case .delete: .delete
        case .restore: .restore
        case .erase: .erase
        // Nothing visible has happened.
        case .forget: nil
        }
      guard let kind else { continue }
      if operation.writes.isEmpty, kind != .set {
        entries.append(HistoryBatch.Entry(kind: kind, key: key))
      }
      for write in operation.writes where write.name != .parent {
        entries.append(
          HistoryBatch.Entry(
            kind: write.isOverridden ? .overridden : kind, key: key, field: write.name.field,
            from: write.prior, to: write.value))
      }
    }
    return entries
  }
}
