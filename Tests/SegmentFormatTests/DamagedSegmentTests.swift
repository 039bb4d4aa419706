import SegmentFormat
import SyncKit
import Testing

/// A segment's bytes with a trailer that fits, as an attacker who knows the format would make them.
func sealed(_ bytes: some Sequence<UInt8>) -> [UInt8] {
  let body = Array(bytes)
  return body + body.withUnsafeBytes { DeflateSegmentCoding().hash([$0]) }.bytes
}

func code(_ body: () throws -> Void) -> SyncError.Code? {
  do {
    try body()
    return nil
  } catch {
    return (error as? SyncError)?.code
  }
}

@Suite struct DamagedSegments {
  let coding = DeflateSegmentCoding()
  let segment: Segment

  init() throws {
    segment = try coding.segment(
      Sample.info(count: 3), changes: (0..<3).map { Sample.change($0, length: 60) })
  }

  @Test func everyFlippedBitIsFound() {
    for index in segment.bytes.indices {
      for bit in 0..<8 {
        var bytes = segment.bytes
        bytes[index] ^= 1 << UInt8(bit)
        #expect(code { _ = try coding.read(bytes) } == .formatDamaged)
      }
    }
  }

  @Test func everyCutIsFound() {
    for length in 0..<segment.bytes.count {
      let bytes = Array(segment.bytes.prefix(length))
      #expect(code { _ = try coding.read(bytes) } == .formatDamaged)
    }
    #expect(code { _ = try coding.read(segment.bytes + [0]) } == .formatDamaged)
    #expect(code { _ = try coding.read(segment.bytes + segment.bytes) } == .formatDamaged)
  }

  @Test func `changes that say they are a snapshot, and a snapshot that does not, are refused`()
    throws
  {
    // Behind the magic and the version stands the count of required features.
    let start = 9
    let feature = [1, 8] + Array("snapshot".utf8)
    var changes = Array(segment.bytes.dropLast(16))
    #expect(changes[start] == 0)
    changes.replaceSubrange(start...start, with: feature)
    #expect(code { _ = try coding.read(sealed(changes)) } == .formatDamaged)

    var info = Sample.info(count: 3)
    // The word "snapshot" in the first half of an id.
    info.series = ReplicaID(high: 0x736E_6170_7368_6F74, low: 1)
    let named = try coding.segment(info, changes: (0..<3).map { Sample.change($0) })
    #expect(code { _ = try coding.read(named.bytes) } == nil)
    var snapshot = Array(named.bytes.dropLast(16))
    #expect(Array(snapshot[start..<start + feature.count]) == feature)
    snapshot.replaceSubrange(start..<start + feature.count, with: [0])
    #expect(code { _ = try coding.read(sealed(snapshot)) } == .formatDamaged)
  }

  @Test func `changes with numbers that cannot be counted on from are refused`() throws {
    for first in [Dot.maximumNumber + 1, .max] {
      let made = try coding.segment(
        Sample.info(count: 1, first: first), changes: [Sample.change(0)])
      #expect(code { _ = try coding.read(made.bytes) } == .formatDamaged)
    }
    var info = Sample.info()
    info.base = VersionVector([
      Sample.replica(9): Head(seq: .max, hash: ContentHash(high: 6, low: 7))
    ])
    let made = try coding.segment(info, changes: [Sample.change(0)])
    #expect(code { _ = try coding.read(made.bytes) } == .formatDamaged)
  }

  @Test func foreignBytesAreRefused() {
    for length in [0, 1, 15, 16, 17, 128, 4_096] {
      let bytes = Sample.bytes(length, seed: UInt64(length))
      #expect(code { _ = try coding.read(bytes) } == .formatDamaged)
      #expect(code { _ = try coding.read(sealed(bytes)) } == .formatDamaged)
    }
  }

  /// A trailer that fits gives an error or a segment, and never a crash.
  @Test(arguments: 0..<8) func anyBytesUnderAGoodChecksumAreSurvived(seed: Int) {
    var random = Sample.bytes(60_000, seed: UInt64(seed)).makeIterator()
    func next() -> Int { Int(random.next() ?? 0) << 8 | Int(random.next() ?? 0) }
    for _ in 0..<4_000 {
      var body = Array(segment.bytes.dropLast(16))
      for _ in 0...(next() % 3) { body[next() % body.count] = UInt8(next() & 255) }
      if next() % 5 == 0 { body.removeLast(next() % body.count) }
      do {
        let read = try coding.read(sealed(body))
        _ = try coding.changes(of: read)
      } catch {
        #expect(error is SyncError)
      }
    }
  }
}

@Suite struct SegmentsOfNewerVersions {
  let coding = DeflateSegmentCoding()

  private func patched(_ offset: Int, _ bytes: [UInt8], dropping count: Int = 1) throws -> [UInt8] {
    let segment = try coding.segment(Sample.info(), changes: [[1, 2, 3]])
    var body = Array(segment.bytes.dropLast(16))
    body.replaceSubrange(offset..<offset + count, with: bytes)
    return sealed(body)
  }

  @Test func aNewerVersionIsToldFromDamage() throws {
    let bytes = try patched(8, [2])
    #expect(code { _ = try coding.read(bytes) } == .formatNewer)
  }

  @Test func halfOfANewerSegmentIsNotHereYet() throws {
    let bytes = try patched(8, [2])
    #expect(code { _ = try coding.read(Array(bytes.dropLast(5))) } == .formatDamaged)
  }

  @Test func anUnknownRequiredFeatureStopsTheReader() throws {
    let bytes = try patched(9, [1, 4] + Array("seal".utf8))
    #expect(code { _ = try coding.read(bytes) } == .formatNewer)
  }

  @Test func aSealedSegmentIsReadByWhoHasTheKeys() throws {
    // A key without a cipher, and a cipher without a key.
    #expect(code { _ = try coding.read(patched(10, [1])) } == .formatDamaged)
    #expect(code { _ = try coding.read(patched(11, [1])) } == .formatDamaged)
    let segment = try coding.read(patched(10, [3, 200], dropping: 2))
    #expect(segment.info.seal == SegmentSeal(epoch: 3, suite: 200))
    #expect(code { _ = try coding.changes(of: segment) } == .sealed)
  }

  @Test func aSignatureAndBlobReferencesArePassedOver() throws {
    let signed = try patched(12, [3, 9, 9, 9, 2, 8, 8], dropping: 2)
    #expect(try coding.changes(of: coding.read(signed)) == [[1, 2, 3]])
  }

  @Test func anUnknownPackingNeedsANewerVersion() throws {
    let segment = try coding.segment(Sample.info(), changes: [[1, 2, 3]])
    var body = Array(segment.bytes.dropLast(16))
    // Compression, two lengths and four bytes of payload end the body.
    body[body.count - 7] = 9
    #expect(code { _ = try coding.read(sealed(body)) } == .formatNewer)
  }
}

@Suite struct HostileSegments {
  let coding = DeflateSegmentCoding()

  /// A segment whose head claims other lengths and numbers than its payload has.
  private func claiming(
    changes: UInt64 = 0, compression: UInt8 = 1, raw: UInt64, payload: [UInt8]
  ) throws -> [UInt8] {
    let info = Sample.info()
    var writer = ByteWriter()
    let honest = try coding.segment(info, changes: [[1, 2, 3]]).bytes
    // The numbers stand behind magic, version, reserved bytes, names and series.
    writer.write(raw: honest.prefix(8 + 6 + 9 + 5 + 16 + 1))
    writer.write(varint: changes)
    writer.write(info.previous)
    writer.write(info.head)
    writer.write(info.base)
    writer.write(count: info.operations)
    writer.write(count: info.deletions)
    writer.write(fixed: info.newest)
    writer.write(byte: compression)
    writer.write(varint: raw)
    writer.write(count: payload.count)
    writer.write(raw: payload)
    return sealed(writer.bytes)
  }

  @Test func theHelperMakesAnHonestSegmentToo() throws {
    let bytes = try claiming(compression: 0, raw: 4, payload: [3, 1, 2, 3])
    #expect(try coding.changes(of: coding.read(bytes)) == [[1, 2, 3]])
  }

  @Test(arguments: [65 << 20, 1 << 40, UInt64.max])
  func claimsBeyondTheLimitTakeNoMemory(raw: UInt64) throws {
    let bytes = try claiming(raw: raw, payload: [1, 2, 3])
    #expect(code { _ = try coding.read(bytes) } == .formatDamaged)
  }

  @Test func anImpossibleRatioIsRefused() throws {
    let bytes = try claiming(raw: 60 << 20, payload: [1, 2, 3])
    #expect(code { _ = try coding.read(bytes) } == .formatDamaged)
  }

  @Test(arguments: [5, 1 << 32, UInt64.max - 1, UInt64.max])
  func moreChangesThanBytesAreRefused(changes: UInt64) throws {
    let bytes = try claiming(changes: changes, compression: 0, raw: 4, payload: [3, 1, 2, 3])
    #expect(code { _ = try coding.read(bytes) } == .formatDamaged)
  }

  @Test(arguments: [[0, 1, 2, 3], [9, 1, 2, 3], [255, 255, 255, 255], [2, 1, 2, 0]])
  func lengthsThatDoNotAddUpAreRefused(payload: [UInt8]) throws {
    let bytes = try claiming(compression: 0, raw: 4, payload: payload)
    let segment = try coding.read(bytes)
    #expect(code { _ = try coding.changes(of: segment) } == .formatDamaged)
  }

  @Test func aPayloadThatUnpacksToAnotherLengthIsRefused() throws {
    // Raw deflate of "aaaaaaaaaa", stored block.
    let packed: [UInt8] = [1, 10, 0, 245, 255] + Array(repeating: 97, count: 10)
    for raw in [UInt64(15), 16, 4_000] {
      let segment = try coding.read(claiming(raw: raw, payload: packed))
      #expect(code { _ = try coding.changes(of: segment) } == .formatDamaged)
    }
  }
}
