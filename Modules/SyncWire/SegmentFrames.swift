/// Segments one behind the other: of each four bytes of length, the highest first, then its bytes.
///
/// A length of zero stands for a segment that is not there.
public enum SegmentFrames {
  /// Puts a segment behind others; nil for one that is not there.
  public static func append(_ segment: [UInt8]?, to bytes: inout [UInt8]) {
    let segment = segment ?? []
    let count = UInt32(segment.count)
    bytes += [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) }
    bytes += segment
  }

  /// Takes segments apart.
  ///
  /// - Throws: ``WireFault`` when the bytes end within a frame.
  public static func split(_ bytes: [UInt8]) throws(WireFault) -> [[UInt8]?] {
    var frames: [[UInt8]?] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      guard rest.count >= 4 else { throw WireFault("the segments end within a length") }
      let count = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
      rest = rest.dropFirst(4)
      guard rest.count >= count else { throw WireFault("the segments end within a segment") }
      frames.append(count == 0 ? nil : Array(rest.prefix(count)))
      rest = rest.dropFirst(count)
    }
    return frames
  }
}
