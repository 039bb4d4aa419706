import SyncKitTesting
import Testing

@testable import SyncKitEngine
@testable import SyncKitModel
@testable import SyncKitStore

/// Bytes may be anything: reading them ends in a value or in a `SyncError`, soon and in little space.
struct HostileBytesTests {
  @Test(arguments: 0..<30 as Range<UInt64>)
  func `a truncated change is damaged`(seed: UInt64) {
    let sample = RandomChange(seed: seed)
    let bytes = sample.encoded()
    for length in bytes.indices {
      let error = #expect(throws: SyncError.self) { try sample.decoded(Array(bytes[..<length])) }
      #expect(error?.code == .formatDamaged)
    }
  }

  @Test(arguments: 0..<12 as Range<UInt64>)
  func `a changed byte gives a SyncError or another change`(seed: UInt64) throws {
    let sample = RandomChange(seed: seed)
    let bytes = sample.encoded()
    for index in bytes.indices {
      for bit in 0..<8 as Range<UInt8> {
        var damaged = bytes
        damaged[index] ^= 1 << bit
        try Self.expectOrder { try sample.decoded(damaged) }
      }
      for byte in [0, 0x7F, 0x80, 0xFF] as [UInt8] {
        var damaged = bytes
        damaged[index] = byte
        try Self.expectOrder { try sample.decoded(damaged) }
      }
    }
  }

  @Test(arguments: 0..<4 as Range<UInt64>)
  func `random bytes never trap`(block: UInt64) throws {
    var random = SeededRandom(seed: block)
    for _ in 0..<2_000 {
      let count = Int.random(in: 0..<80, using: &random)
      // Small numbers get further into the format than even noise.
      let ceiling: UInt8 = random.chance(50) ? 12 : .max
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...ceiling, using: &random) }
      try Self.expectOrder {
        try bytes.reading { try Change(&$0, series: .ann, after: VersionVector()) }
      }
      try Self.expectOrder { try bytes.reading { try $0.value() } }
      try Self.expectOrder { try bytes.reading { try $0.vector() } }
    }
  }

  @Test(arguments: 0..<4 as Range<UInt64>)
  func `pieces of changes that are put together wrongly never trap`(block: UInt64) throws {
    var random = SeededRandom(seed: block)
    for seed in 0..<300 as Range<UInt64> {
      let sample = RandomChange(seed: seed)
      var bytes = sample.encoded()
      let other = RandomChange(seed: seed + 1).encoded()
      let cut = Int.random(in: 0..<bytes.count, using: &random)
      let from = Int.random(in: 0..<other.count, using: &random)
      bytes.replaceSubrange(cut..., with: other[from...])
      try Self.expectOrder { try sample.decoded(bytes) }
    }
  }

  @Test func `a count that promises more than there is takes no space`() throws {
    for tag in [8, 9] as [UInt8] {
      var writer = ByteWriter()
      writer.write(byte: tag)
      writer.write(varint: 1 << 40)
      let error = #expect(throws: SyncError.self) { try writer.bytes.reading { try $0.value() } }
      #expect(error?.code == .formatDamaged)
    }
  }

  @Test func `nested lists that each promise all that is left take no space`() throws {
    var writer = ByteWriter()
    for _ in 0..<Value.maximumDepth {
      writer.write(byte: 8)
      writer.write(count: 1 << 16)
    }
    let bytes = writer.bytes + Array(repeating: 0, count: 1 << 16)
    #expect(throws: SyncError.self) { try bytes.reading { try $0.value() } }
  }

  @Test func `lists are nested only so deep`() throws {
    var value = Value.list([])
    for _ in 1..<Value.maximumDepth { value = .list([value]) }
    #expect(value.depth == Value.maximumDepth)
    #expect(try value.canonicalBytes.reading { try $0.value() } == value)
    let deeper = Array(repeating: [8, 1] as [UInt8], count: 10_000).flatMap { $0 }
    #expect(throws: SyncError.self) { try deeper.reading { try $0.value() } }
  }

  /// Every member in front of all before it: with insertion this takes time by the square.
  @Test func `a large map in the wrong order is refused at once`() throws {
    var writer = ByteWriter()
    let count = 60_000
    writer.write(byte: 9)
    writer.write(count: count)
    for number in (0..<count).reversed() {
      writer.write(text: String(100_000 + number))
      writer.write(Value.null)
    }
    let error = #expect(throws: SyncError.self) { try writer.bytes.reading { try $0.value() } }
    #expect(error?.code == .formatDamaged)
  }

  @Test func `names are only so long`() throws {
    let limits: [(RecordOperation, Bool)] = [
      (RecordOperation(.edit, CollectionName(Self.name(64)), "x"), true),
      (RecordOperation(.edit, CollectionName(Self.name(65)), "x"), false),
      (RecordOperation(.edit, "", "x"), false),
      (RecordOperation(.edit, "a\u{0}", "x"), false),
      (RecordOperation(.edit, "item", RecordID(Self.name(1_024))), true),
      (RecordOperation(.edit, "item", RecordID(Self.name(1_025))), false),
      (RecordOperation(.edit, "item", "x", [set(FieldName(Self.name(1_024)), 1)]), true),
      (RecordOperation(.edit, "item", "x", [set(FieldName(Self.name(1_025)), 1)]), false),
    ]
    for (operation, isAllowed) in limits {
      var story = Story()
      story.add(.ann, operation)
      let change = try #require(story.entries.first?.change)
      let bytes = change.encoded(series: .ann, after: VersionVector()) { _ in 1 }
      let read = try? bytes.reading { try Change(&$0, series: .ann, after: VersionVector()) }
      #expect((read == change) == isAllowed)
    }
  }

  @Test func `left-over bytes are damage unless they are asked for`() throws {
    let bytes = Value.null.canonicalBytes + [0]
    #expect(throws: SyncError.self) { try bytes.reading { try $0.value() } }
    #expect(try bytes.reading(allowingRest: true) { try $0.value() } == .null)
  }

  @Test func `numbers have one form only`() throws {
    for bytes in [[0x80, 0x00], [0xFF, 0x80, 0x00]] as [[UInt8]] {
      #expect(throws: SyncError.self) { try bytes.reading { try $0.varint() } }
    }
    let tooLarge = Array(repeating: 0xFF as UInt8, count: 9) + [0x02]
    #expect(throws: SyncError.self) { try tooLarge.reading { try $0.varint() } }
    for number in [0, 1, 127, 128, 1 << 32, .max] as [UInt64] {
      var writer = ByteWriter()
      writer.write(varint: number)
      #expect(try writer.bytes.reading { try $0.varint() } == number)
    }
    for number in [0, -1, 1, .min, .max] as [Int64] {
      var writer = ByteWriter()
      writer.write(signed: number)
      #expect(try writer.bytes.reading { try $0.signed() } == number)
    }
  }

  @Test func `a vector whose series are out of order is damaged`() throws {
    var writer = ByteWriter()
    writer.write(count: 2)
    for replica in [ReplicaID.bob, .ann] {
      writer.write(replica)
      writer.write(varint: 1)
      writer.write(ContentHash(high: 0, low: 0))
    }
    #expect(throws: SyncError.self) { try writer.bytes.reading { try $0.vector() } }
  }

  private static func name(_ length: Int) -> String { String(repeating: "n", count: length) }

  /// Passes when the body returns or throws a `SyncError`; anything else it throws fails the test.
  private static func expectOrder(_ body: () throws -> some Any) throws {
    do { _ = try body() } catch is SyncError {}
  }
}
