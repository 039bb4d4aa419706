import SQLiteFile
import SegmentFormat
import SyncKit

/// Finds out which rows of a file other rows hold as well, or a snapshot among them stands for.
struct HeldRows {
  private let rows: [LogKey: [SegmentReference]]
  private let domain: String
  private let table: SegmentTable
  private let coding: any SegmentCoding
  private var chains: [SegmentReference: SegmentChain?] = [:]
  private var covers: SnapshotCovers?

  /// Looks at all rows of a domain, in the transaction that removes some.
  init(
    _ rows: [SegmentReference], of domain: String, _ table: SegmentTable,
    _ coding: any SegmentCoding
  ) {
    self.rows = Dictionary(grouping: rows) { $0.log }
    self.domain = domain
    self.table = table
    self.coding = coding
  }

  /// Whether a row is there as it is named, and need not be: another one that is whole holds all of it and
  /// more, or a snapshot stands for it.
  mutating func isNeedless(_ reference: SegmentReference) throws -> Bool {
    let group = rows[reference.log] ?? []
    guard group.contains(where: { $0.location == reference.location && $0.isSame(as: reference) })
    else { return false }
    // Only who has the keys of a sealed row can tell what stands for it.
    if try segment(reference)?.info.seal != nil { return true }
    return try isHeld(reference, group) || isCovered(reference)
  }

  private mutating func isCovered(_ reference: SegmentReference) throws -> Bool {
    if covers == nil {
      covers = try SnapshotCovers(rows.values.flatMap(\.self), of: domain, coding, segment)
    }
    return covers?.isCovered(reference) == true
  }

  /// Of several the longest is asked, which never is among those that go.
  private mutating func isHeld(
    _ reference: SegmentReference, _ group: [SegmentReference]
  ) throws -> Bool {
    let holders = group.filter { other in
      other.first <= reference.first && other.last >= reference.last
        && other.last - other.first > reference.last - reference.first
    }.sorted { $0.last - $0.first > $1.last - $1.first }
    for holder in holders {
      if chains[holder] == nil {
        chains[holder] = .some(try segment(holder).flatMap { SegmentChain($0, coding) })
      }
      if chains[holder]??.outgrows(reference) == true { return true }
    }
    return false
  }

  private func segment(_ reference: SegmentReference) throws -> Segment? {
    guard let cursor = SegmentTable.cursor(reference.location),
      let bytes = try table.bytes(of: [cursor])[cursor]
    else { return nil }
    return try? coding.read(bytes)
  }
}
