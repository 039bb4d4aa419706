import SegmentFormat
import SyncKit

/// A device's word that it has removed a zone, as a segment of its own, so that a place sees one object more.
struct ErasureWord {
  /// Where such words lie among the zones of a domain; no zone of records has this name.
  static let zone: ZoneID = "erased"
  /// Begins the location of a reference that says what a word says.
  private static let mark = "erased:"

  /// The zone that was removed.
  let zone: ZoneID
  /// Who removed it, and what they keep.
  let confirmations: Confirmations

  /// The segments that say of each replica what it has removed and keeps.
  static func all(
    of zone: ZoneID, _ confirmations: Confirmations, in domain: String
  ) throws -> [(segment: Segment, reference: SegmentReference)] {
    let coding = DeflateSegmentCoding()
    return try confirmations.vectors.sorted { $0.key < $1.key }.map { replica, kept in
      var content = ByteWriter()
      content.write(text: zone.text)
      content.write(kept)
      let head = content.bytes.withUnsafeBytes { coding.hash([$0]) }
      let segment = try coding.segment(
        SegmentInfo(
          domain: domain, zone: Self.zone, series: replica, first: 1, last: 1,
          previous: ContentHash(high: 0, low: 0), head: head, base: VersionVector(),
          operations: 0, deletions: 0, newest: 0), changes: [content.bytes])
      return (segment, Self.reference(segment, content.bytes))
    }
  }

  /// A reference that says what a word says; nil for any other segment.
  static func reference(_ segment: Segment) throws -> SegmentReference? {
    guard segment.info.zone == zone else { return nil }
    let content = try DeflateSegmentCoding().changes(of: segment)
    guard content.count == 1, let reference = content.first.map({ reference(segment, $0) }),
      ErasureWord(reference) != nil
    else { throw SyncError(.formatDamaged, "An object is no word of a removal.") }
    return reference
  }

  private static func reference(_ segment: Segment, _ content: [UInt8]) -> SegmentReference {
    SegmentReference(segment, location: mark + Base32.encode(content))
  }

  /// Reads what ``reference(_:)`` wrote; nil for any other reference.
  init?(_ reference: SegmentReference) {
    guard reference.zone == Self.zone, reference.location.hasPrefix(Self.mark),
      let bytes = Base32.decode(reference.location.dropFirst(Self.mark.count)),
      let (zone, kept) = try? Array(bytes).reading({ reader in
        (ZoneID(try reader.text(limit: 64)), try reader.vector())
      })
    else { return nil }
    self.zone = zone
    confirmations = Confirmations([reference.series: kept])
  }
}
