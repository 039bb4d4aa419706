import SyncKitModel
import SyncKitStore

/// The state that a set of segments describes: the state of any device that has applied exactly these.
///
/// A store in memory without writers; the segments alone decide what it contains.
package struct DocumentReplica {
  let store: SyncStore
  /// The segments that cannot be read by this version, in words.
  package let problems: [SyncError]

  /// Replays segments, in whatever order they come.
  package init(
    _ domain: any SyncDomain, coding: any SegmentCoding, segments: some Sequence<Segment>
  ) throws {
    store = try SyncStore(
      domain, storage: InMemoryStorage(), coding: coding, device: Device(id: "", name: ""),
      // There are no writers here, so neither a clock nor chance can influence the result.
      environment: SyncEnvironment(now: { 0 }, random: { 0x6d61_696c_626f_7821 }))
    var zones: [ZoneID: [Segment]] = [:]
    for segment in segments { zones[segment.info.zone, default: []].append(segment) }
    var intake = Intake(store)
    for (zone, segments) in zones.sorted(by: { $0.key < $1.key }) {
      try intake.apply(segments, of: zone, isInitial: true)
    }
    problems = intake.problems
  }

  /// What has been applied of a zone.
  func vector(of zone: ZoneID) throws -> VersionVector {
    try store.read { try $0.zones()[zone]?.vector ?? VersionVector() }
  }

  /// The records of some collections, deleted ones included, erased ones left out.
  func records(of collections: Set<CollectionName>) throws -> [ReplicatedRecord] {
    try store.read { reader in
      var found: [ReplicatedRecord] = []
      for zone in try reader.zones().keys.sorted() {
        for collection in collections.sorted() {
          let rows = try reader.storage.entries(
            .record, prefix: Keys.prefix(zone, collection))
          for (row, packed) in rows {
            let key = try Keys.record(parsing: row)
            let state = try RecordState(packed: packed, reader.symbols)
            let rule = reader.rules[collection]?.deleteRule ?? .editWins
            guard let alive = rule.shown(state.alive), alive.kind != .erased else { continue }
            let record = try reader.view.record(key, state)
            found.append(
              ReplicatedRecord(
                record, deleted: alive.kind.isVisible ? nil : alive.stamp.milliseconds,
                registers: state.registers.map {
                  ($0.name, reader.rules.shown($0.name, of: state, in: collection))
                }))
          }
        }
      }
      return found
    }
  }

  /// Whether a record was erased, so that nothing brings it back.
  func isErased(_ key: RecordKey) throws -> Bool {
    try store.read { try !$0.state(key).erasures.isEmpty }
  }
}

/// A record of a replica, as it is shown and as it is kept.
struct ReplicatedRecord {
  let key: RecordKey
  let parent: RecordKey?
  /// What a document makes of it.
  let document: DocumentRecord
  /// The value that each register shows.
  let registers: [FieldName: Value]

  init(_ record: Record, deleted: Int64?, registers: [(FieldName, Value)]) {
    key = record.key
    parent = record.parent
    document = DocumentRecord(
      record.key.collection, id: record.key.id, fields: record.fields, created: record.created,
      modified: record.modified, deleted: deleted, device: record.device.id)
    self.registers = Dictionary(registers, uniquingKeysWith: { first, _ in first })
  }
}

extension SyncStore {
  /// The sealed segments that a remote held when this device last met it.
  package func heldSegments(on remote: String) throws -> [Segment] {
    let held = try self.remote(remote).acknowledged
    return try read { reader in
      var segments: [Segment] = []
      let published = try reader.zones().filter(\.value.isPublished)
      for (zone, vector) in held.sorted(by: { $0.key < $1.key }) where published[zone] != nil {
        for row in try reader.logRows(zone)
        where !row.isHashIndex && row.last <= vector[row.series]?.seq ?? 0 {
          segments.append(try reader.segment(row))
        }
        for row in try reader.baseRows(zone) {
          // What a snapshot stands for that was made here may lie there as changes.
          let isHeld =
            try row.last <= vector[row.series]?.seq ?? 0
            || reader.base(zone, row.series).map { vector.includes($0.header.vector) } ?? false
          if isHeld { segments.append(try reader.segment(row)) }
        }
      }
      return segments
    }
  }
}
