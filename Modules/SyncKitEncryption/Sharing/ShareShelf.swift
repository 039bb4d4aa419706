import SegmentFormat
import SyncKit

/// Where entries and invitations of a shared zone lie: in the zone itself, so that its participants can fetch them, under a
/// series that holds nothing else.
struct ShareShelf: Sendable {
  /// What says that an object holds no records.
  static let suite: UInt8 = 253
  /// The most bytes that one has.
  static let limit = 16 << 20

  let base: ForwardingTransport
  private let coding = DeflateSegmentCoding()

  init(_ base: ForwardingTransport) { self.base = base }

  /// Whether an object lies on the shelf of a zone.
  static func holds(_ object: SegmentReference, of name: SharedZoneName) -> Bool {
    object.zone == name.zone && object.series == ShareBook.series(of: name)
  }

  /// What lies there, of all that is listed.
  func fetch(
    _ listed: [SegmentReference], of name: SharedZoneName
  ) async throws -> [(reference: SegmentReference, bytes: [UInt8])] {
    var found: [(SegmentReference, [UInt8])] = []
    for reference in listed
    where Self.holds(reference, of: name) && (reference.size.map { $0 <= Self.limit } ?? true) {
      guard let segment = try await base.fetch(reference, of: name.domain),
        segment.info.seal?.suite == Self.suite, segment.bytes.count <= Self.limit,
        // What cannot be read says nothing, and keeps nothing else from being read.
        let bytes = try? coding.envelope(of: segment)
      else { continue }
      found.append((reference, bytes))
    }
    return found
  }

  /// Stores an entry or an invitation.
  func store(_ bytes: [UInt8], in name: SharedZoneName) async throws {
    let head = hash(bytes)
    let number = head.high >> 12 + 1
    let info = SegmentInfo(
      domain: name.domain, zone: name.zone, series: ShareBook.series(of: name), first: number,
      last: number, previous: ContentHash(high: 0, low: 0), head: head, base: VersionVector(),
      operations: 0, deletions: 0, newest: 0, seal: SegmentSeal(epoch: 1, suite: Self.suite))
    try await base.store(OutboundSegment.ofVault(coding.sealed(info, envelope: bytes)))
    try await base.flush(name.domain)
  }

  /// The head under which something lies.
  func hash(_ bytes: [UInt8]) -> ContentHash { bytes.withUnsafeBytes { coding.hash([$0]) } }
}
