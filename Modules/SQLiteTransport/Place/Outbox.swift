import SyncKit

/// Segments that wait for the end of an exchange, so that all go into the file at once.
struct Outbox {
  private var segments: [SegmentIdentity: Segment] = [:]
  /// They are stored in the order in which they came, which is the order of causes.
  private var order: [SegmentIdentity] = []
  private var size = 0

  /// Adds a segment, once.
  ///
  /// - Returns: Whether there is too much to wait any longer.
  mutating func add(_ segment: Segment) -> Bool {
    let identity = SegmentIdentity(segment.info)
    if let known = segments.updateValue(segment, forKey: identity) {
      size -= known.bytes.count
    } else {
      order.append(identity)
    }
    size += segment.bytes.count
    return size >= SQLiteTransport.outboxLimit
  }

  /// What waits of a domain.
  func waiting(of domain: String) -> [Segment] {
    order.filter { $0.domain == domain }.compactMap { segments[$0] }
  }

  /// Forgets segments that have been stored.
  mutating func remove(_ stored: [Segment]) {
    let identities = Set(stored.map { SegmentIdentity($0.info) })
    remove { identities.contains($0) }
  }

  /// Forgets a withdrawn zone.
  mutating func remove(_ zone: ZoneID, of domain: String) {
    remove { $0.zone == zone && $0.domain == domain }
  }

  private mutating func remove(where isGone: (SegmentIdentity) -> Bool) {
    for identity in order where isGone(identity) {
      size -= segments.removeValue(forKey: identity)?.bytes.count ?? 0
    }
    order.removeAll(where: isGone)
  }
}
