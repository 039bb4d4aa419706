import SyncKitModel
import SyncKitStore

/// A series of changes whose id follows from what they say.
struct ForeignLog {
  private(set) var segments: [Segment] = []
  private(set) var faults: [String] = []

  private static let start = "cloudsync foreign edit 1\u{0}"

  /// Makes the segments of some operations, whose author had seen what is in `context`.
  init(
    _ operations: ForeignLayer.Operations, zone: ZoneID, context: VersionVector, rules: Rules,
    coding: any SegmentCoding
  ) throws {
    var parts: [[RecordOperation]] = []
    for group in [operations.creations, operations.edits, operations.deletions] {
      var part: [RecordOperation] = []
      var size = 0
      let sorted = group.sorted { ($0.collection, $0.id) < ($1.collection, $1.id) }
      for operation in sorted {
        let length = operation.estimatedSize
        guard length <= Change.maximumBytes else {
          faults.append("\(operation.collection)/\(operation.id) is larger than 1 MiB.")
          continue
        }
        if part.count >= Change.maximumOperations || size + length > Change.maximumBytes {
          parts.append(part)
          (part, size) = ([], 0)
        }
        part.append(operation)
        size += length
      }
      if !part.isEmpty { parts.append(part) }
    }
    guard !parts.isEmpty else { return }

    // The id must not be part of what it is a hash of.
    let draft = Self.changes(
      parts, by: ReplicaID(high: 0, low: 0), batch: [UInt8](repeating: 0, count: 10), context,
      rules)
    var hash = Array("\(Self.start)\(rules.schema.name)\u{0}\(zone)\u{0}".utf8)
    for bytes in draft.bytes { hash += coding.hash(bytes).bytes }
    let name = coding.hash(hash)
    let series = ReplicaID(high: name.high, low: name.low)
    let final = Self.changes(parts, by: series, batch: Array(name.bytes.prefix(10)), context, rules)

    var head = coding.root(zone: zone, replica: series)
    var start = 0
    while start < final.bytes.count {
      var info = SegmentInfo(
        domain: rules.schema.name, zone: zone, series: series, first: UInt64(start) + 1, last: 0,
        previous: head, head: head, base: start == 0 ? VersionVector() : context, operations: 0,
        deletions: 0, newest: 0)
      var size = 0
      var end = start
      while end < final.bytes.count,
        end == start || size + final.bytes[end].count <= StoreTransaction.segmentBytes
      {
        size += final.bytes[end].count
        info.count(final.changes[end])
        info.head = coding.chain(info.head, final.bytes[end])
        end += 1
      }
      info.last = UInt64(end)
      head = info.head
      segments.append(try coding.segment(info, changes: Array(final.bytes[start..<end])))
      start = end
    }
  }

  private static func changes(
    _ parts: [[RecordOperation]], by series: ReplicaID, batch: [UInt8], _ context: VersionVector,
    _ rules: Rules
  ) -> (changes: [Change], bytes: [[UInt8]]) {
    var changes: [Change] = []
    var bytes: [[UInt8]] = []
    guard let batch = BatchID(bytes: batch) else { return ([], []) }
    for (index, part) in parts.enumerated() {
      let time = part.compactMap(\.stamp).max() ?? 0
      let change = Change(
        stamp: Stamp(time: time, replica: series), batch: batch, part: index,
        isLastPart: index == parts.count - 1, context: context, operations: part)
      changes.append(change)
      bytes.append(
        change.encoded(
          series: series, after: index == 0 ? VersionVector() : context, versions: rules.version))
    }
    return (changes, bytes)
  }
}

extension ContentHashing {
  fileprivate func hash(_ bytes: [UInt8]) -> ContentHash {
    bytes.withUnsafeBytes { hash([$0]) }
  }
}
