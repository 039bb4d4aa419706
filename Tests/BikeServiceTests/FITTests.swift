import SyncKitTesting
import Testing

@testable import BikeService

/// Reading the files of bicycle computers.
struct FITTests {
  @Test(arguments: [(UInt8(12), false), (14, false), (14, true)])
  func `a session becomes a ride`(headerSize: UInt8, isBigEndian: Bool) throws {
    let bytes = FITWriter.ride(headerSize: headerSize, isBigEndian: isBigEndian)
    let rides = try FITActivity(bytes).sessions
    try #require(rides.count == 1)
    #expect(rides[0].start == 1_705_303_800_000)
    #expect(rides[0].elapsed == 3_700 && rides[0].moving == 3_600)
    #expect(rides[0].metres == 25_123.45 && rides[0].ascent == 321)
    #expect(rides[0].type == "MountainBikeRide" && rides[0].isRide)
  }

  @Test func `the checksum is the protocol's`() {
    #expect(FITChecksum.of(Array("123456789".utf8)) == 0xBB3D)
    for count in [0, 1, 7, 255] {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
      let sum = FITChecksum.of(bytes)
      #expect([UInt8(truncatingIfNeeded: sum), UInt8(sum >> 8)] == FITWriter.checksum(bytes))
    }
  }

  @Test func `one message after another is read, with its values`() throws {
    var reader = FITReader(FITWriter.ride())
    var numbers: [UInt16] = []
    while let message = try reader.next() {
      numbers.append(message.number)
      if message.kind == .record { #expect(message.fields.count == 2) }
    }
    #expect(numbers == [0, 23, 20, 19, 18, 34])
  }

  @Test func `times under short headers go on from the last whole one`() throws {
    var writer = FITWriter()
    let fields: [FITWriter.Field] = [.u32(253, FITWriter.morning), .u32(5, 0)]
    writer.add(0, 20, fields)
    writer.define(1, 20, [.u32(5, 0)])
    let base = UInt8(FITWriter.morning & 0x1F)
    // Five seconds on, then the five bits run over.
    writer.addCompressed(1, offset: base &+ 5, [.u32(5, 10_000)])
    writer.addCompressed(1, offset: base &+ 2, [.u32(5, 20_000)])
    var reader = FITReader(writer.file())
    var times: [Int64] = []
    while let message = try reader.next() {
      times.append(try #require(message.time(FITMessage.timestamp)))
    }
    #expect(times.map { $0 - 1_705_303_800_000 } == [0, 5_000, 34_000])
    let ride = try #require(try FITActivity(writer.file()).sessions.first)
    #expect(ride.elapsed == 34 && ride.metres == 200)
  }

  @Test func `files may follow one another`() throws {
    #expect(try FITActivity(FITWriter.ride() + FITWriter.ride()).sessions.count == 2)
  }

  @Test func `what a device has no value for is left out`() throws {
    var writer = FITWriter()
    writer.add(
      0, 18,
      [
        .u32(2, FITWriter.morning), .u32(7, 0xFFFF_FFFF), .u32(9, 0xFFFF_FFFF),
        .u8(5, 0xFF, type: 0),
      ])
    let ride = try #require(try FITActivity(writer.file()).sessions.first)
    #expect(ride.elapsed == nil && ride.metres == nil && ride.type == nil)
  }

  @Test func `a run is not a ride`() throws {
    var writer = FITWriter()
    writer.add(0, 18, [.u32(2, FITWriter.morning), .u8(5, 1, type: 0)])
    #expect(try FITActivity(writer.file()).sessions.first?.isRide == false)
  }

  @Test func `each damaged byte is noticed`() throws {
    let whole = FITWriter.ride()
    // The version of the profile, which the header's own checksum covers, is noticed as well.
    for index in whole.indices {
      var bytes = whole
      bytes[index] ^= 0x10
      do {
        let recording = try FITActivity(bytes).recording
        #expect(!recording.warnings.isEmpty, "byte \(index)")
      } catch {}
    }
  }

  @Test(arguments: 0..<40 as Range<UInt64>)
  func `whatever the messages, reading ends and does not trap`(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    for _ in 0..<50 {
      // A sound frame, so that the messages themselves are reached.
      var writer = FITWriter()
      let count = Int(random.next() % 400)
      writer.messages = (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      if seed % 2 == 0, count > 0 {
        writer.messages[0] = 0x40 | UInt8(truncatingIfNeeded: random.next()) & 0x2F
      }
      var reader = FITReader(writer.file())
      var messages = 0
      while let _ = try? reader.next(), messages <= count { messages += 1 }
      #expect(messages <= count)
      _ = try? FITActivity(writer.file())
    }
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `a sound file with random values gives rides that can be written or are refused`(
    seed: UInt64
  ) throws {
    var random = SeededRandom(seed: seed)
    for _ in 0..<50 {
      var writer = FITWriter()
      writer.add(
        0, 18,
        [
          .u32(253, random.next()), .u32(2, random.next()), .u8(5, random.next(), type: 0),
          .u32(7, random.next()), .u32(8, random.next()), .u32(9, random.next()),
          .init(
            number: 22, type: UInt8([0x89, 0x8E, 0x8F][Int(random.next() % 3)]), size: 8,
            value: random.next()),
        ])
      for ride in try FITActivity(writer.file()).sessions {
        _ = try? ride.draft(gear: nil, source: "fit")
      }
    }
  }
}
