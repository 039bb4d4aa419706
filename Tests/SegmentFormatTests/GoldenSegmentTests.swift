import SegmentFormat
import SyncKit
import Testing

/// The format as files that were once written: these bytes must be read and written for ever.
@Suite struct GoldenSegments {
  /// One change of four bytes, which is stored as it is; documented byte by byte in
  /// Documentation/Formats/Segment.md.
  static let bytes = hex(
    """
    89435345470d0a1a 01 00 00 00 00 00
    08 616972706f727473 04 686f6d65
    0000000000000007 fffffffffffffff8 01 00
    00000000000000010000000000000002 00000000000000030000000000000004
    01 0000000000000009 fffffffffffffff6 05 00000000000000060000000000000007
    0b 02 0123456789abcdef
    00 05 05 04 c0ffee00
    7662655897651d4c105b14b0ae300a00
    """)

  static func hex(_ text: String) -> [UInt8] {
    let digits = text.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count - 1, by: 2).map {
      UInt8(digits[$0] << 4 | digits[$0 + 1])
    }
  }

  @Test func aStoredSegmentIsWrittenByteForByte() throws {
    let made = try DeflateSegmentCoding().segment(
      Sample.info(), changes: [[0xC0, 0xFF, 0xEE, 0x00]])
    #expect(made.bytes == Self.bytes)
  }

  @Test func aStoredSegmentIsRead() throws {
    let coding = DeflateSegmentCoding()
    let segment = try coding.read(Self.bytes)
    #expect(segment.info == Sample.info())
    #expect(try coding.changes(of: segment) == [[0xC0, 0xFF, 0xEE, 0x00]])
  }

  @Test func hashesAreTheStartOfSHA256() {
    let coding = DeflateSegmentCoding()
    let whole = Array("abc".utf8).withUnsafeBytes { coding.hash([$0]) }
    #expect(whole.bytes == Self.hex("ba7816bf8f01cfea414140de5dae2223"))
    let parts = Array("ab".utf8).withUnsafeBytes { first in
      Array("c".utf8).withUnsafeBytes { coding.hash([first, $0]) }
    }
    #expect(parts == whole)
    #expect(coding.hash([]).bytes == Self.hex("e3b0c44298fc1c149afbf4c8996fb924"))
  }
}
