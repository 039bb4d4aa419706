import SyncKit
import Synchronization

/// Which segments of a world need a version that not every device has yet.
final class SimulatedVersions: Sendable {
  private struct State {
    var newer: Set<ContentHash> = []
    /// What a device has made or read already; a device that cuts a known one makes nothing new.
    var known: Set<ContentHash> = []
    var areAllUpgraded = false
  }

  private let state = Mutex(State())

  /// Takes note of a segment; of the new ones of a device that is ahead, older devices cannot read
  /// one in three.
  func note(_ head: ContentHash, isAhead: Bool) {
    state.withLock { state in
      let isNew = state.known.insert(head).inserted
      // What an older device has made of what it could read, it can read.
      if !isAhead { state.newer.remove(head) }
      guard isNew, isAhead, head.low % 3 == 0, !state.areAllUpgraded else { return }
      state.newer.insert(head)
    }
  }

  /// Whether a segment can be read by newer devices only.
  func isNewer(_ head: ContentHash) -> Bool {
    state.withLock { !$0.areAllUpgraded && $0.newer.contains(head) }
  }

  /// All devices are upgraded.
  func upgradeAll() { state.withLock { $0.areAllUpgraded = true } }
}

/// The coding of a device that is ahead of the others, or of one of the others.
struct VersionedCoding: SegmentCoding {
  let inner: any SegmentCoding
  let versions: SimulatedVersions
  let isAhead: Bool

  func hash(_ parts: [UnsafeRawBufferPointer]) -> ContentHash { inner.hash(parts) }

  func segment(_ info: SegmentInfo, changes: [[UInt8]]) throws -> Segment {
    let segment = try inner.segment(info, changes: changes)
    versions.note(segment.info.head, isAhead: isAhead)
    return segment
  }

  func read(_ bytes: [UInt8]) throws -> Segment {
    let segment = try inner.read(bytes)
    guard isAhead || !versions.isNewer(segment.info.head) else {
      throw SyncError(.formatNewer, "The simulated segment needs a newer version.")
    }
    return segment
  }

  func changes(of segment: Segment) throws -> [[UInt8]] { try inner.changes(of: segment) }
}
