/// A segment that may leave the device; only ``EgressPolicy`` can make one.
public struct OutboundSegment: Sendable {
  /// What leaves.
  public let segment: Segment

  fileprivate init(segment: Segment) { self.segment = segment }
}

/// The one place that decides what may leave the device.
///
/// Values that never sync (local fields, local stores) are not in any change, so they cannot be
/// here. What is left to decide is the zone: one that is local stays, in every form.
public struct EgressPolicy: Sendable {
  /// The zones whose content may leave.
  public let published: Set<ZoneID>

  /// Lets the given zones out.
  public init(published: Set<ZoneID>) { self.published = published }

  /// The segment, if it may leave; nil if it must stay.
  public func release(_ segment: Segment) -> OutboundSegment? {
    published.contains(segment.info.zone) ? OutboundSegment(segment: segment) : nil
  }
}
