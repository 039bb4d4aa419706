extension SegmentCoding {
  /// Reads what was fetched for a reference; nil when it is damaged or another segment, as a
  /// transport answers for what is not there yet.
  ///
  /// - Throws: ``SyncError`` `format.newer` for a required feature that this version does not know.
  package func read(
    _ bytes: [UInt8], for reference: SegmentReference, of domain: String
  ) throws -> Segment? {
    let segment: Segment
    do {
      segment = try read(bytes)
    } catch let error as SyncError where error.code == .formatDamaged {
      return nil
    }
    let info = segment.info
    guard info.domain == domain, info.zone == reference.zone, info.series == reference.series,
      info.first == reference.first, info.last == reference.last, info.head == reference.head
    else { return nil }
    return segment
  }
}
