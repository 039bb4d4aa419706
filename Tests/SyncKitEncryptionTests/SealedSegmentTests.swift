import SegmentFormat
import SyncCrypto
import SyncKit
import Testing

@testable import SyncKitEncryption

/// Sealed segments: what a place sees of them, and what it cannot do to them.
struct SealedSegmentTests {
  private let coding = DeflateSegmentCoding()
  private let environment = SyncEnvironment(now: { 0 }, random: { UInt64.random(in: 0 ... .max) })
  private let keys: VaultKeys
  private let sealing: SealedSegments

  init() throws {
    keys = VaultKeys(from: environment)
    let author = try #require(SigningKey(seed: Array(1...32)))
    sealing = SealedSegments(keys, author: author, environment: environment)
  }

  private func segment(
    _ zone: ZoneID = "home", domain: String = "health", first: UInt64 = 1, bytes: Int = 20,
    series: UInt64 = 7
  ) throws -> Segment {
    let change = Array("canary-".utf8) + [UInt8](repeating: 0x61, count: bytes)
    let replica = ReplicaID(high: series, low: 9)
    let head = change.withUnsafeBytes { coding.hash([$0]) }
    return try coding.segment(
      SegmentInfo(
        domain: domain, zone: zone, series: replica, first: first, last: first,
        previous: ContentHash(high: 0, low: 0), head: head, base: VersionVector(),
        operations: 3, deletions: 2, newest: 0x1234_5678),
      changes: [change])
  }

  @Test(arguments: [0, 20, 4_000, 20_000, 1 << 20, 3 << 20, 5_000_001])
  func `what was sealed is opened`(bytes: Int) throws {
    let plain = try segment(bytes: bytes)
    let sealed = try sealing.seal(plain)
    #expect(try sealing.open(coding.read(sealed.bytes), of: "health").segment == plain)
  }

  @Test func `a place sees neither names nor values nor numbers`() throws {
    let plain = try segment("zone-of-anna", bytes: 3_000)
    let sealed = try sealing.seal(plain)
    for word in ["canary", "health", "zone-of-anna"] {
      #expect(!sealed.bytes.holds(Array(word.utf8)), "\(word)")
    }
    for number in [
      plain.info.series.bytes, plain.info.head.bytes, plain.info.newest.bigEndianBytes,
    ] {
      #expect(!sealed.bytes.holds(number))
    }
    let info = sealed.info
    #expect(
      info.operations == 0 && info.deletions == 0 && info.newest == 0 && info.first == info.last)
    #expect(info.seal == SegmentSeal(epoch: 1, suite: 1))
  }

  @Test func `the same segment has the same name and never the same bytes`() throws {
    let plain = try segment()
    let (one, other) = (try sealing.seal(plain), try sealing.seal(plain))
    #expect(one.info == other.info && one.bytes != other.bytes)
    let foreign = SealedSegments(
      VaultKeys(from: environment), author: try #require(SigningKey(seed: Array(1...32))),
      environment: environment)
    #expect(try foreign.seal(plain).info.head != one.info.head)
  }

  @Test func `sizes differ by the page`() throws {
    let sizes = try (0..<3_000).map {
      try coding.envelope(of: sealing.seal(segment(bytes: $0))).count
    }
    #expect(Set(sizes) == [4_096 + 64 + 16])
  }

  @Test func `every change of any byte is refused`() throws {
    let sealed = try sealing.seal(segment())
    for index in sealed.bytes.indices.dropLast(16) where index % 7 == 0 {
      var bytes = sealed.bytes
      bytes[index] ^= 1
      // A place can make the trailer right.
      let body = Array(bytes.dropLast(16))
      let trailer = body.withUnsafeBytes { coding.hash([$0]) }
      #expect(throws: SyncError.self) {
        try sealing.open(coding.read(body + trailer.bytes), of: "health")
      }
    }
  }

  @Test func `an object under the name of another one is refused`() throws {
    let one = try sealing.seal(segment(first: 1))
    let other = try sealing.seal(segment(first: 2, bytes: 30))
    let swapped = try coding.sealed(one.info, envelope: coding.envelope(of: other))
    let error = #expect(throws: SyncError.self) { try sealing.open(swapped, of: "health") }
    #expect(error?.code == .forged)
    let elsewhere = try sealing.seal(segment(domain: "media"))
    let wrong = #expect(throws: SyncError.self) { try sealing.open(elsewhere, of: "health") }
    #expect(wrong?.code == .misplaced)
  }

  /// An object as a program with the vault's keys could make it, whatever is inside.
  private func made(of content: [UInt8], under name: SegmentInfo) throws -> Segment {
    let key = keys.zone(name.zone, of: name.domain, in: keys.current)
    let context = sealing.context(name, Envelope.length(of: content.count))
    let salt = [UInt8](repeating: 3, count: 32)
    return try coding.sealed(
      name, envelope: Envelope.seal(content, context: context, key: key, salt: salt))
  }

  /// The parts of an object's content, before it is padded.
  private func parts(
    _ plain: Segment, _ name: SegmentInfo, by author: SigningKey, named key: SigningKey
  ) -> [UInt8] {
    var content = ByteWriter()
    content.write(block: plain.bytes)
    content.write(block: key.publicKey)
    content.write(block: author.sign(sealing.statement(name, plain.bytes)))
    return content.bytes
  }

  @Test func `what is inside is checked too`() throws {
    let plain = try segment()
    let name = try sealing.seal(plain).info
    let author = try #require(SigningKey(seed: Array(1...32)))
    let other = try #require(SigningKey(seed: Array(2...33)))
    let right = parts(plain, name, by: author, named: author)
    let padding = [UInt8](repeating: 0, count: PaddedLength.of(right.count) - right.count)
    #expect(try sealing.open(made(of: right + padding, under: name), of: "health").segment == plain)
    func code(_ content: [UInt8]) -> SyncError.Code? {
      let error = #expect(throws: SyncError.self) {
        try sealing.open(made(of: content, under: name), of: "health")
      }
      return error?.code
    }
    // Signed by another key than the one that is named.
    #expect(code(parts(plain, name, by: other, named: author) + padding) == .forged)
    // The signature of the same bytes under another name.
    let elsewhere = try sealing.seal(segment(first: 2)).info
    #expect(code(parts(plain, elsewhere, by: author, named: author) + padding) == .forged)
    // Not padded, padded to another length, and something in the padding.
    #expect(code(right) == .forged)
    #expect(code(right + padding + padding) == .forged)
    #expect(code(right + padding.dropLast() + [1]) == .formatDamaged)
    // Something sealed inside of something sealed.
    let twice = try sealing.seal(plain)
    #expect(code(parts(twice, name, by: author, named: author) + padding) != nil)
    #expect(code([]) != nil)
  }

  @Test func `what is not encrypted is refused in an encrypted vault`() throws {
    let plain = try segment()
    let error = #expect(throws: SyncError.self) { try sealing.open(plain, of: "health") }
    #expect(error?.code == .plain)
  }

  @Test func `a device without the keys reads nothing`() throws {
    let sealed = try sealing.seal(segment())
    let error = #expect(throws: SyncError.self) { try coding.changes(of: sealed) }
    #expect(error?.code.name == "crypto.sealed")
    let stranger = SealedSegments(
      VaultKeys(from: environment), author: try #require(SigningKey(seed: Array(1...32))),
      environment: environment)
    let refused = #expect(throws: SyncError.self) { try stranger.open(sealed, of: "health") }
    #expect(refused?.code == .forged)
  }

  @Test func `a new epoch has a new key, and old objects stay readable`() throws {
    var keys = keys
    let old = try sealing.seal(segment())
    keys.beginEpoch(from: environment)
    let author = try #require(SigningKey(seed: Array(1...32)))
    let later = SealedSegments(keys, author: author, environment: environment)
    let new = try later.seal(segment(first: 2))
    #expect(new.info.seal?.epoch == 2 && new.info.zone == old.info.zone)
    #expect(try later.open(old, of: "health").segment == segment())
    let error = #expect(throws: SyncError.self) { try sealing.open(new, of: "health") }
    #expect(error?.code == .keyMissing)
  }

  @Test func `keys stand in no message`() {
    #expect("\(keys)".contains(Base32.encode(keys.id)) && !"\(keys)".contains("root"))
    #expect(!String(reflecting: keys).contains("epochs"))
  }

  @Test(
    arguments: [
      (0, 4_096), (4_096, 4_096), (4_097, 5_120), (16_384, 16_384), (16_385, 17_408),
      (100_000, 100_352), (1_000_000, 1_015_808),
    ])
  func `lengths are padded`(count: Int, padded: Int) {
    #expect(PaddedLength.of(count) == padded)
    #expect(PaddedLength.of(padded) == padded)
  }
}
