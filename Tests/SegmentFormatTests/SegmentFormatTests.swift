import SegmentFormat
import SyncKit
import Testing

/// Segments as a device would make them, from a seed.
enum Sample {
  static func replica(_ number: UInt64) -> ReplicaID { ReplicaID(high: number, low: ~number) }

  static func bytes(_ count: Int, seed: UInt64) -> [UInt8] {
    var state = seed &+ 0x9E37_79B9_7F4A_7C15
    return (0..<count).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt8(truncatingIfNeeded: state >> 56)
    }
  }

  static func info(count: Int = 1, first: UInt64 = 1, zone: ZoneID = .home) -> SegmentInfo {
    SegmentInfo(
      domain: "airports", zone: zone, series: replica(7), first: first,
      last: first + UInt64(count - 1), previous: ContentHash(high: 1, low: 2),
      head: ContentHash(high: 3, low: 4),
      base: VersionVector([replica(9): Head(seq: 5, hash: ContentHash(high: 6, low: 7))]),
      operations: 11, deletions: 2, newest: 0x0123_4567_89AB_CDEF)
  }

  /// Text that packs about as well as records do.
  static func change(_ number: Int, length: Int = 200) -> [UInt8] {
    let text = "mapping MUC EDDM icao source manual learnedAutomatically \(number) "
    let noise = bytes(24, seed: UInt64(number))
    return Array((Array(text.utf8) + noise + Array(text.utf8)).prefix(length))
  }
}

@Suite struct SegmentRoundTrips {
  let coding = DeflateSegmentCoding()

  @Test(arguments: [1, 2, 100, 5_000])
  func aSegmentGivesBackWhatItTook(count: Int) throws {
    let changes = (0..<count).map { Sample.change($0) }
    let made = try coding.segment(Sample.info(count: count), changes: changes)
    let read = try coding.read(made.bytes)
    #expect(read == made)
    #expect(read.info == Sample.info(count: count))
    #expect(try coding.changes(of: read) == changes)
  }

  @Test func changesThatDoNotPackAreStored() throws {
    let changes = (0..<20).map { Sample.bytes(300, seed: UInt64($0)) }
    let made = try coding.segment(Sample.info(count: 20), changes: changes)
    #expect(made.bytes.count < 20 * 302 + 250)
    #expect(try coding.changes(of: coding.read(made.bytes)) == changes)
  }

  @Test func emptyChangesStay() throws {
    let made = try coding.segment(Sample.info(count: 3), changes: [[], [1], []])
    #expect(try coding.changes(of: coding.read(made.bytes)) == [[], [1], []])
  }

  @Test func oneSmallChangeMakesASmallFile() throws {
    let made = try coding.segment(Sample.info(), changes: [Sample.bytes(200, seed: 1)])
    #expect(made.bytes.count < 400)
  }

  @Test func theSameChangesGiveTheSameBytes() throws {
    let changes = (0..<50).map { Sample.change($0) }
    let first = try coding.segment(Sample.info(count: 50), changes: changes)
    let second = try coding.segment(Sample.info(count: 50), changes: changes)
    #expect(first.bytes == second.bytes)
  }
}

@Suite struct SegmentRefusals {
  let coding = DeflateSegmentCoding()

  @Test func aCallerThatCountsWronglyIsTold() {
    #expect(throws: SyncError.self) { try coding.segment(Sample.info(count: 2), changes: [[1]]) }
    #expect(throws: SyncError.self) {
      try coding.segment(Sample.info(zone: "../x"), changes: [[1]])
    }
  }
}
