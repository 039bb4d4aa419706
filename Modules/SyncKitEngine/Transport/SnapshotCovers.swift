import SyncKitModel
import SyncKitStore

/// What the complete snapshots on a remote stand for; a remote uses it to verify a removal by itself.
///
/// A snapshot stands for a change if its outline has the hash of the change. Older changes, which no outline
/// reaches, are removed on the word of the caller, which alone has the history.
package struct SnapshotCovers {
  private struct Cover {
    let zone: ZoneID
    let vector: VersionVector
    /// The runs of hashes by series; nil when the snapshot is not all there.
    let hashIndexes: [ReplicaID: [HashIndex]]?

    /// Whether it stands for a change and all before it in its series.
    func standsFor(_ series: ReplicaID, _ seq: UInt64, _ hash: ContentHash) -> Bool {
      guard let head = vector[series], head.seq >= seq else { return false }
      if head.seq == seq { return head.hash == hash }
      let run = hashIndexes?[series]?.first { $0.first <= seq && $0.last >= seq }
      return run.map { $0.hashes[Int(seq - $0.first)] == hash } ?? true
    }
  }

  private var covers: [ReplicaID: Cover] = [:]

  /// Reads the beginnings of snapshots; their records are not looked at.
  ///
  /// - Parameters:
  ///   - references: The segments of one domain on the remote.
  ///   - domain: The domain's name.
  ///   - coding: How segments are packed.
  ///   - read: Brings a segment as it lies there; nil for one that is not there or damaged.
  /// - Throws: What `read` throws.
  package init(
    _ references: [SegmentReference], of domain: String, _ coding: any SegmentCoding,
    _ read: (SegmentReference) throws -> Segment?
  ) throws {
    for listing in SnapshotListing.find(in: references) {
      covers[listing.series] = try Self.cover(listing, domain, coding, read)
    }
  }

  /// Whether a snapshot stands for what a segment holds: for its changes, or, for a part of a snapshot,
  /// for all that this one stands for and more.
  package func isCovered(_ reference: SegmentReference) -> Bool {
    let others = covers.values.filter { $0.zone == reference.zone && $0.hashIndexes != nil }
    if reference.series.isSnapshot {
      guard let own = covers[reference.series]?.vector else { return false }
      return others.contains { other in
        other.vector != own && own.heads.allSatisfy { other.standsFor($0, $1.seq, $1.hash) }
      }
    }
    return others.contains { $0.standsFor(reference.series, reference.last, reference.head) }
  }

  private static func cover(
    _ listing: SnapshotListing, _ domain: String, _ coding: any SegmentCoding,
    _ read: (SegmentReference) throws -> Segment?
  ) throws -> Cover? {
    var header: SnapshotHeader?
    var previous = coding.root(zone: listing.zone, replica: listing.series)
    var digest = ContentHash(high: 0, low: 0)
    var hashIndexes: [HashIndex] = []
    for reference in listing.parts {
      guard let part = try read(reference), part.info.previous == previous,
        SegmentChain(part, coding)?.holds(reference) == true,
        var blocks = try? coding.changes(of: part)[...]
      else { break }
      previous = part.info.head
      if header == nil {
        header = blocks.popFirst().flatMap { try? SnapshotHeader(decoding: $0) }
        guard header?.series(listing.zone, domain, coding) == listing.series else { return nil }
      }
      let found = blocks.prefix { $0.first == SnapshotBlockKind.hashIndex.rawValue }
      for block in found {
        guard let hashIndex = try? HashIndex(block: block) else { break }
        digest = coding.chain(digest, block)
        hashIndexes.append(hashIndex)
      }
      // Behind the outlines there are only records.
      if found.count < blocks.count { break }
    }
    guard let header else { return nil }
    let isWhole = listing.last > UInt64(header.blocks) && digest == header.hashIndexes
    return Cover(
      zone: listing.zone, vector: header.vector,
      hashIndexes: isWhole ? Dictionary(grouping: hashIndexes, by: \.series) : nil)
  }
}
