import SQLiteFile
import SegmentFormat
import SyncKit

/// Finds out which rows of a file other rows hold as well.
struct HeldRows {
  private struct Place: Hashable {
    let zone: ZoneID
    let series: ReplicaID
  }

  private let rows: [Place: [SegmentReference]]
  private let table: SegmentTable
  private let coding: any SegmentCoding
  private var chains: [SegmentReference: SegmentChain?] = [:]

  /// Looks at all rows of a domain, in the transaction that removes some.
  init(_ rows: [SegmentReference], _ table: SegmentTable, _ coding: any SegmentCoding) {
    self.rows = Dictionary(grouping: rows) { Place(zone: $0.zone, series: $0.series) }
    self.table = table
    self.coding = coding
  }

  /// Whether a row is there as it is named, and another one that is whole holds all of it and more.
  ///
  /// Of several the longest is asked, which never is among those that go.
  mutating func isHeld(_ reference: SegmentReference) throws -> Bool {
    let group = rows[Place(zone: reference.zone, series: reference.series)] ?? []
    guard group.contains(where: { $0.location == reference.location && $0.isSame(as: reference) })
    else { return false }
    let holders = group.filter { other in
      other.first <= reference.first && other.last >= reference.last
        && other.last - other.first > reference.last - reference.first
    }.sorted { $0.last - $0.first > $1.last - $1.first }
    for holder in holders {
      if chains[holder] == nil { chains[holder] = .some(try chain(holder)) }
      if chains[holder]??.outgrows(reference) == true { return true }
    }
    return false
  }

  private func chain(_ reference: SegmentReference) throws -> SegmentChain? {
    guard let cursor = SegmentTable.cursor(reference.location),
      let bytes = try table.bytes(of: [cursor])[cursor]
    else { return nil }
    return (try? coding.read(bytes)).flatMap { SegmentChain($0, coding) }
  }
}
