/// Segments one behind the other: of each four bytes of length, the highest first, then its bytes.
///
/// A length of zero stands for a segment that is not there.
public enum SegmentFrames {
  /// Puts a segment behind others; nil for one that is not there.
  public static func append(_ segment: [UInt8]?, to bytes: inout [UInt8]) {
    let segment = segment ?? []
    bytes += length(of: segment.count)
    bytes += segment
  }

  /// What stands before a segment of that many bytes.
  public static func length(of count: Int) -> [UInt8] {
    let count = UInt32(count)
    return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) }
  }

  /// Takes segments apart.
  ///
  /// - Throws: ``WireFault`` when the bytes end within a frame, or a segment is larger than any may be.
  public static func split(_ bytes: [UInt8]) throws(WireFault) -> [[UInt8]?] {
    var reader = SegmentFrameReader()
    try reader.add(bytes)
    return try reader.finish()
  }
}

/// Takes segments apart while they come, so that they are in memory once.
public struct SegmentFrameReader: Sendable {
  /// The room made for a segment before any of it has come.
  private static let trust = 256 << 10

  private var frames: [[UInt8]?] = []
  private var frame: [UInt8] = []
  /// What has come of a length.
  private var length = 0
  private var lengthBytes = 0
  /// How much of the segment at hand has not come.
  private var missing = 0

  /// How many segments have begun.
  public var count: Int { frames.count + (missing > 0 ? 1 : 0) }

  /// Begins at the start of a stream.
  public init() {}

  /// Takes bytes, wherever they begin and end.
  ///
  /// - Throws: ``WireFault`` when a segment is larger than any may be.
  public mutating func add(_ bytes: some Collection<UInt8>) throws(WireFault) {
    // As memory, since a collection that is not known here would be asked byte by byte.
    var outcome: WireFault?
    let isDone: Void? = bytes.withContiguousStorageIfAvailable { bytes in
      do throws(WireFault) { try take(UnsafeRawBufferPointer(bytes)) } catch { outcome = error }
    }
    if isDone == nil { return try add(Array(bytes)) }
    if let outcome { throw outcome }
  }

  private mutating func take(_ bytes: UnsafeRawBufferPointer) throws(WireFault) {
    var rest = bytes[...]
    while !rest.isEmpty {
      guard missing == 0 else {
        let part = rest.prefix(missing)
        // A client that has sent this much means the rest, too.
        if frame.count + part.count > Self.trust { frame.reserveCapacity(frame.count + missing) }
        frame += part
        missing -= part.count
        rest = rest.dropFirst(part.count)
        if missing == 0 {
          frames.append(frame)
          frame = []
        }
        continue
      }
      length = length << 8 | Int(rest[rest.startIndex])
      lengthBytes += 1
      rest = rest.dropFirst()
      guard lengthBytes == 4 else { continue }
      guard length <= WireProtocol.maximumSegmentBytes else {
        throw WireFault("a segment is too large")
      }
      missing = length
      if length == 0 { frames.append(nil) } else { frame.reserveCapacity(min(length, Self.trust)) }
      (length, lengthBytes) = (0, 0)
    }
  }

  /// The segments.
  ///
  /// - Throws: ``WireFault`` when the bytes have ended within a frame.
  public consuming func finish() throws(WireFault) -> [[UInt8]?] {
    guard lengthBytes == 0 else { throw WireFault("the segments end within a length") }
    guard missing == 0 else { throw WireFault("the segments end within a segment") }
    return frames
  }
}
