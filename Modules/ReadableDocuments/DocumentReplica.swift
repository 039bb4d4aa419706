import SyncKitModel
import SyncKitStore

/// The state of one zone that a set of segments describes: the state of any device that has applied exactly these.
///
/// A store in memory without writers; the segments alone decide what it contains.
package final class DocumentReplica {
  let zone: ZoneID
  let store: SyncStore
  private var arrangement: DocumentArrangement?

  /// Replays the segments of a zone, in whatever order they come.
  init(
    _ domain: any SyncDomain, coding: any SegmentCoding, zone: ZoneID, segments: [Segment]
  ) throws {
    self.zone = zone
    store = try SyncStore(
      domain, storage: InMemoryStorage(), coding: coding, device: Device(id: "", name: ""),
      // There are no writers here, so neither a clock nor chance can influence the result.
      environment: SyncEnvironment(now: { 0 }, random: { 0x6d61_696c_626f_7821 }))
    var intake = Intake(store)
    try intake.apply(segments, of: zone, isInitial: true)
  }

  /// What has been applied of the zone.
  func vector() throws -> VersionVector {
    try store.read { try $0.zones()[zone]?.vector ?? VersionVector() }
  }

  /// Visits the records of some collections, deleted ones included, erased ones left out.
  func forEachRecord(
    of collections: Set<CollectionName>, _ body: (ReplicatedRecord) throws -> Void
  ) throws {
    try store.read { reader in
      for collection in collections.sorted() {
        try reader.storage.scan(.record, prefix: Keys.prefix(zone, collection), after: nil) {
          row, packed in
          let state = try RecordState(packed: packed, reader.symbols)
          let record = try reader.replicated(try Keys.record(parsing: row), state)
          if let record { try body(record) }
          return true
        }
      }
    }
  }

  /// A record; nil if it is unknown or erased.
  func record(_ key: RecordKey) throws -> ReplicatedRecord? {
    try store.read { try $0.replicated(key, $0.state(key)) }
  }

  /// Whether a record was erased, so that nothing brings it back.
  func isErased(_ key: RecordKey) throws -> Bool {
    try store.read { try !$0.state(key).erasures.isEmpty }
  }

  /// The order of the records in a document.
  package func arrangement(for document: some ReadableDocument) throws -> DocumentArrangement {
    if let arrangement { return arrangement }
    let made = try DocumentArrangement(self, document)
    arrangement = made
    return made
  }

  /// Reads the members that a document writes for records of an arrangement.
  package func objects<T>(
    of document: some ReadableDocument, _ body: ((DocumentPlace) throws -> ValueMap) throws -> T
  ) throws -> T {
    try store.read { reader in
      try body { place in
        guard let record = try reader.replicated(place.key, reader.state(place.key)) else {
          throw SyncError(.bug, "A record of a document is gone while the document is written.")
        }
        return document.write(record.document)
      }
    }
  }
}

/// The replicas of the zones of a document: all of them if they are small, otherwise the last one that was used.
///
/// So the memory for a large document follows its largest zone, at the price of replaying a zone again.
package final class DocumentReplicas {
  /// As many bytes of segments are kept replayed.
  package static let keptBytes = 1 << 20

  /// The domain of the document.
  package let domain: any SyncDomain
  /// How segments are read.
  package let coding: any SegmentCoding
  private let segments: [ZoneID: [Segment]]
  private let keepsAll: Bool
  private var replicas: [ZoneID: DocumentReplica] = [:]

  /// Prepares to replay segments, in whatever order they come.
  package init(
    _ domain: any SyncDomain, coding: any SegmentCoding, segments: some Sequence<Segment>,
    keeping keptBytes: Int = keptBytes
  ) {
    self.domain = domain
    self.coding = coding
    var zones: [ZoneID: [Segment]] = [:]
    var bytes = 0
    for segment in segments {
      zones[segment.info.zone, default: []].append(segment)
      bytes += segment.bytes.count
    }
    self.segments = zones
    keepsAll = bytes <= keptBytes
  }

  /// The zones that have segments, in order.
  package var zones: [ZoneID] { segments.keys.sorted() }

  /// How many replicas are in memory.
  package var count: Int { replicas.count }

  /// The state of a zone; nil without segments.
  package func replica(of zone: ZoneID) throws -> DocumentReplica? {
    if let replica = replicas[zone] { return replica }
    guard let segments = segments[zone] else { return nil }
    // First, so that there are never two large ones.
    if !keepsAll { replicas.removeAll() }
    let replica = try DocumentReplica(domain, coding: coding, zone: zone, segments: segments)
    replicas[zone] = replica
    return replica
  }
}

extension StoreReader {
  /// A record as a document sees it; nil if it is unknown or erased.
  func replicated(_ key: RecordKey, _ state: RecordState) throws -> ReplicatedRecord? {
    let rule = rules[key.collection]?.deleteRule ?? .editWins
    guard let alive = rule.shown(state.alive), alive.kind != .erased else { return nil }
    return ReplicatedRecord(
      try view.record(key, state),
      deleted: alive.kind.isVisible ? nil : alive.stamp.milliseconds,
      registers: state.registers.map {
        ($0.name, rules.shown($0.name, of: state, in: key.collection))
      })
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
