import SyncKitModel

/// A segment that may leave the device; only ``EgressPolicy`` can make one.
public struct OutboundSegment: Sendable {
  /// What leaves.
  public let segment: Segment

  fileprivate init(segment: Segment) { self.segment = segment }

  /// Something of the vault itself in encrypted form, such as the word that a zone was removed; it holds nothing of a
  /// record.
  package static func ofVault(_ segment: Segment) -> OutboundSegment {
    precondition(segment.info.seal != nil, "only what is sealed leaves without a policy")
    return OutboundSegment(segment: segment)
  }

  /// The same in encrypted form, which may leave where this one may.
  package func sealed(as segment: Segment) -> OutboundSegment {
    precondition(segment.info.seal != nil, "only what is sealed stands for what may leave")
    return OutboundSegment(segment: segment)
  }
}

/// The one place that decides what may leave the device.
///
/// Values that never sync (local fields, local stores) are in no change, so they cannot be here. The policy
/// decides about zones: a local zone stays, in every form; and if the owner has set ``EgressRules``, it
/// checks whether a segment contains a record that stays. A zone can be withdrawn during a run, so the policy
/// is asked each time.
public struct EgressPolicy: Sendable {
  /// The zones whose content may leave.
  public let published: Set<ZoneID>

  /// Whether a zone is still published.
  private let isStillOut: @Sendable (ZoneID) -> Bool

  /// Why a segment of such a zone must stay all the same; nil for one that may leave.
  private let refusal: @Sendable ([Segment]) -> SyncError?

  /// Lets the given zones out.
  public init(published: Set<ZoneID>) {
    self.init(published: published, while: { _ in true }, refusing: { _ in nil })
  }

  /// Lets the given zones out, each as long as it is still out, but for segments in which there is something
  /// to refuse.
  ///
  /// `refusal` is asked about a segment of changes, or about parts of one snapshot.
  package init(
    published: Set<ZoneID>, while isStillOut: @escaping @Sendable (ZoneID) -> Bool,
    refusing refusal: @escaping @Sendable ([Segment]) -> SyncError?
  ) {
    self.published = published
    self.isStillOut = isStillOut
    self.refusal = refusal
  }

  /// Whether anything of a zone may leave now.
  package func isOut(_ zone: ZoneID) -> Bool { published.contains(zone) && isStillOut(zone) }

  /// The segment, if it may leave; nil if it must stay.
  public func release(_ segment: Segment) -> OutboundSegment? { try? pass(segment) }

  /// The segment, if it may leave; nil if its zone stays.
  ///
  /// - Throws: ``SyncError`` `egress.denied` when the zone may leave and the segment may not.
  package func pass(_ segment: Segment) throws(SyncError) -> OutboundSegment? {
    guard published.contains(segment.info.zone) else { return nil }
    guard isStillOut(segment.info.zone) else { return nil }
    if let refusal = refusal([segment]) { throw refusal }
    return OutboundSegment(segment: segment)
  }

  /// The parts of a snapshot, if all of it may leave; nil if it must stay.
  package func release(_ snapshot: Snapshot) -> [OutboundSegment]? {
    guard isOut(snapshot.zone), refusal(snapshot.parts) == nil else { return nil }
    return snapshot.parts.map(OutboundSegment.init)
  }
}
