import SyncKit

/// Bytes that will be asked for soon, read together with those that are asked for now.
struct Prefetch {
  /// The bytes read at once, by the sizes in the inventory.
  private static let limit = 8 << 20

  private var order: [(cursor: UInt64, size: Int)] = []
  private var places: [UInt64: Int] = [:]
  private var ready: [UInt64: [UInt8]] = [:]

  init() {}

  /// Expects segments to be fetched in this order.
  init(_ references: [SegmentReference]) {
    for reference in references {
      guard let cursor = SegmentTable.cursor(reference.location) else { continue }
      places[cursor] = order.count
      order.append((cursor, reference.size ?? Self.limit))
    }
  }

  /// Takes bytes that were read before.
  mutating func take(_ cursor: UInt64) -> [UInt8]? { ready.removeValue(forKey: cursor) }

  /// The rows to read when one is asked for: itself, and those behind it as far as they fit.
  func batch(from cursor: UInt64) -> [UInt64] {
    guard let location = places[cursor] else { return [cursor] }
    var batch: [UInt64] = []
    var size = 0
    for next in order[location...] {
      size += next.size
      if !batch.isEmpty, size > Self.limit { break }
      batch.append(next.cursor)
    }
    return batch
  }

  /// Keeps what was read beyond the one row; what was not taken before is dropped.
  mutating func keep(_ bytes: [UInt64: [UInt8]]) { ready = bytes }
}
