import SyncKitModel
import SyncKitStore

/// The segments of a zone on a remote beside the snapshot there that covers the most.
struct PrunableZone {
  /// A segment that the snapshot stands for, that was there before this run, and that is known here.
  struct Covered {
    var reference: SegmentReference
    /// The series by its name here.
    var series: ReplicaID
    /// Whether it has been there for so long that no device in step can lack it.
    var isOld = false
  }

  var zone: ZoneID
  /// The snapshot, and where its parts lie; nil when there is none.
  var best: (snapshot: KnownSnapshot, listing: SnapshotListing)?
  var covered: [Covered] = []
  /// The bytes of all changes.
  var changes = 0
  /// The bytes of those that no snapshot stands for.
  var open = 0
  /// The bytes of those among them that are old.
  var oldOpen = 0

  /// The bytes of the live data.
  var live: Int { best?.listing.size ?? 0 }

  init(_ zone: ZoneID) { self.zone = zone }
}

extension SegmentReference {
  /// The size of a segment for each change, where the medium does not say sizes.
  private static let usual = 128

  /// About how many bytes it takes.
  var weight: Int { size ?? Self.usual * Int(clamping: last - first + 1) }
}

/// Chooses the changes that a remote need not keep any longer beside its snapshots.
///
/// Old changes are removed when they are many. If all changes together take more room than ``RemoteHistory``
/// allows, the oldest are removed, whatever their zone and their author. The oldest of each log are removed
/// first, so the rest continues without a gap.
struct HistoryCut {
  /// What goes, by zone.
  private(set) var removable: [ZoneID: [SegmentReference]] = [:]

  /// Chooses.
  ///
  /// - Parameters:
  ///   - zones: All zones of the domain that snapshots may stand for.
  ///   - limits: How much stays.
  ///   - time: When about a segment was written, in milliseconds; asked only when there is too much.
  /// - Throws: What `time` throws.
  init(
    _ zones: [PrunableZone], _ limits: CompactionLimits,
    writtenAt time: (PrunableZone.Covered) throws -> Int64
  ) rethrows {
    for zone in zones {
      let old = zone.covered.filter(\.isOld).map(\.reference)
      let size = old.reduce(0) { $0 + $1.weight }
      // To prove a snapshot all of it is read.
      let isWorthIt =
        limits.history.age == 0 || size > max(limits.leastPruned, zone.live / 8)
      if isWorthIt, !old.isEmpty { removable[zone.zone] = old }
    }
    guard limits.history.age > 0 else { return }
    let prunable = zones.filter { $0.best != nil }
    let budget = limits.history.budget(beside: prunable.reduce(0) { $0 + $1.live })
    var size = prunable.reduce(0) { $0 + $1.changes }
    guard size > budget else { return }
    // Some more than need be, or the next sync would have to do it again.
    size -= removable.values.joined().reduce(0) { $0 + $1.weight }
    for reference in try Self.oldestFirst(prunable.flatMap(\.covered), time) {
      guard size > budget - budget / 8 else { break }
      if removable[reference.zone]?.contains(reference) == true { continue }
      removable[reference.zone, default: []].append(reference)
      size -= reference.weight
    }
  }

  private static func oldestFirst(
    _ covered: [PrunableZone.Covered], _ time: (PrunableZone.Covered) throws -> Int64
  ) rethrows -> [SegmentReference] {
    struct Place: Hashable {
      let zone: ZoneID
      let series: ReplicaID
    }
    var dated: [(time: Int64, reference: SegmentReference)] = []
    let places = Dictionary(grouping: covered) {
      Place(zone: $0.reference.zone, series: $0.series)
    }
    for group in places.values {
      // Whatever clocks say, a later change is not older than an earlier one.
      var latest = Int64.min
      for item in group.sorted(by: {
        ($0.reference.last, $0.reference.first) < ($1.reference.last, $1.reference.first)
      }) {
        latest = max(latest, try time(item))
        dated.append((latest, item.reference))
      }
    }
    return dated.sorted {
      ($0.time, $0.reference.zone, $0.reference.series, $0.reference.last, $0.reference.first)
        < ($1.time, $1.reference.zone, $1.reference.series, $1.reference.last, $1.reference.first)
    }.map(\.reference)
  }
}
