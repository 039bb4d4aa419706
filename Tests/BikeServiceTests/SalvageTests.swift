import SyncKit
import Testing

@testable import BikeService

/// Recordings that are damaged, and files of a device's memory that are no recordings.
struct SalvageTests {
  private static let morning = FITWriter.morning

  /// Records, ten seconds and a hundred metres apart, and nothing that closes them.
  private func records(_ count: Int) -> FITWriter {
    var writer = FITWriter()
    writer.add(0, 0, [.u8(0, 4, type: 0)])
    writer.define(1, 20, [.u32(253, 0), .u32(5, 0)])
    for index in 0..<count {
      writer.addData(
        1, [.u32(253, Self.morning + UInt64(index) * 10), .u32(5, UInt64(index) * 10_000)])
    }
    return writer
  }

  private func read(_ bytes: [UInt8]) throws -> Recording { try FITActivity(bytes).recording }

  @Test func `of a file that is cut short, what is whole is read`() throws {
    let whole = records(100).file()
    // The header announces more than there is, and the last record is cut in two.
    let recording = try read(Array(whole.dropLast(2 + 9 * 10 + 4)))
    #expect(recording.rides.map(\.metres) == [8_800])
    #expect(recording.rides[0].moving == 880)
    #expect(recording.warnings.count == 1 && recording.warnings[0].contains("cut short"))
  }

  @Test func `wherever a file is cut, reading it ends with rides or a reason`() throws {
    let whole = FITWriter.ride()
    for count in 1..<whole.count {
      do {
        let recording = try read(Array(whole[..<count]))
        #expect(!recording.rides.isEmpty || recording.content != nil)
        #expect(!recording.warnings.isEmpty || !recording.rides.isEmpty || recording.content != nil)
      } catch let error as FITError { #expect(!error.message.isEmpty) }
    }
    // Only the checksum is missing.
    #expect(try read(Array(whole.dropLast(2))).rides.map(\.metres) == [25_123.45])
  }

  @Test(arguments: [0, 1, 7]) func `a wrong checksum is a warning`(change: UInt8) throws {
    var bytes = FITWriter.ride()
    bytes[bytes.count - 1] = change == 0 ? 0 : bytes[bytes.count - 1] ^ change
    bytes[bytes.count - 2] = change == 0 ? 0 : bytes[bytes.count - 2]
    let recording = try read(bytes)
    #expect(recording.rides.map(\.metres) == [25_123.45])
    #expect(recording.warnings.map { $0.contains("checksum") } == [true])
  }

  @Test func `a file that was never closed is read to its end`() throws {
    var bytes = records(50).file()
    bytes.replaceSubrange(4..<8, with: [0, 0, 0, 0])
    // The checksum of the header is that of the changed one, as devices leave it.
    bytes.replaceSubrange(12..<14, with: [0, 0])
    let recording = try read(Array(bytes.dropLast(2)))
    #expect(recording.rides.map(\.metres) == [4_900])
    #expect(recording.warnings.map { $0.contains("never closed") } == [true])
  }

  @Test(arguments: [Array(repeating: UInt8(0), count: 512), [1, 2, 3], Array(".FIT".utf8)])
  func `bytes behind the end are passed over with a warning`(extra: [UInt8]) throws {
    let recording = try read(FITWriter.ride() + extra)
    #expect(recording.rides.count == 1)
    #expect(recording.warnings.count == 1 && recording.warnings[0].contains("behind the end"))
  }

  @Test func `a good part of a chained file comes in, whatever the other is like`() throws {
    let good = FITWriter.ride()
    var bad = good
    bad[20] ^= 0xFF
    #expect(try read(good + bad.prefix(60)).rides.count >= 1)
    let second = try read(bad + good)
    #expect(second.rides.contains { $0.metres == 25_123.45 } && !second.warnings.isEmpty)
  }

  @Test func `laps before the end of the battery and records behind them count once`() throws {
    var writer = records(100)
    writer.add(
      2, 19, [.u32(2, Self.morning), .u32(7, 300_000), .u32(8, 300_000), .u32(9, 300_000)])
    let ride = try #require(try read(writer.file()).rides.first)
    #expect(ride.metres == 9_900 && ride.moving == 990)
  }

  @Test func `a definition without fields, under short headers, is a time`() throws {
    var writer = FITWriter()
    writer.add(0, 20, [.u32(253, Self.morning), .u32(5, 0)])
    writer.define(1, 20, [])
    let base = UInt8(Self.morning & 0x1F)
    writer.addCompressed(1, offset: base &+ 5, [])
    writer.add(0, 20, [.u32(253, Self.morning + 20), .u32(5, 20_000)])
    let recording = try read(writer.file())
    #expect(recording.rides.map(\.elapsed) == [20] && recording.warnings.isEmpty)
  }

  @Test func `a session without a distance takes that of its records`() throws {
    var writer = records(101)
    writer.add(
      2, 18, [.u32(2, Self.morning), .u8(5, 2, type: 0), .u8(6, 46, type: 0), .u32(7, 1_000_000)])
    let ride = try #require(try read(writer.file()).rides.first)
    #expect(ride.metres == 10_000 && ride.moving == 1_000 && ride.type == "GravelRide")
  }

  @Test func `two sessions take their own records`() throws {
    var writer = records(101)
    for (start, length) in [(UInt64(0), UInt64(400)), (600, 400)] {
      writer.add(
        2, 18,
        [
          .u32(2, Self.morning + start), .u8(5, 2, type: 0), .u32(7, length * 1000),
          .u32(8, length * 1000),
        ])
    }
    #expect(try read(writer.file()).rides.map(\.metres) == [4_000, 4_000])
  }

  @Test(
    arguments: [
      (1, "description"), (2, "settings"), (3, "sport"), (5, "workout"), (6, "course"),
      (7, "schedule"),
      (9, "weights"), (10, "totals"), (11, "goals"), (14, "blood"), (15, "monitoring"),
      (28, "monitoring"),
      (32, "monitoring"), (34, "segments"), (35, "segments"), (40, "display"),
    ] as [(UInt64, String)])
  func `a file of a device's memory that is no activity says what it is`(
    kind: UInt64, word: String
  ) throws {
    var writer = FITWriter()
    writer.add(0, 0, [.u8(0, kind, type: 0), .u32(4, Self.morning)])
    // A course has points with times that were never ridden.
    for index in 0..<5 {
      writer.add(
        1, 20, [.u32(253, Self.morning + UInt64(index) * 100), .u32(5, UInt64(index) * 50_000)])
    }
    let recording = try read(writer.file())
    #expect(recording.rides.isEmpty && recording.content?.contains(word) == true)
  }

  @Test(
    arguments: [
      (0, 0, false), (18, 0, false), (1, 0, false), (5, 0, false), (3, 0, false), (22, 0, false),
      (254, 0, false), (2, 0, true), (2, 7, true), (21, 0, true), (4, 6, true), (0, 8, true),
      (2, 12, true),
    ] as [(UInt64, UInt64, Bool)])
  func `a session is a ride only in a sport on a bike`(
    sport: UInt64, subSport: UInt64, isRide: Bool
  ) throws {
    var writer = FITWriter()
    writer.add(
      0, 18,
      [
        .u32(2, Self.morning), .u8(5, sport, type: 0), .u8(6, subSport, type: 0), .u32(7, 60_000),
        .u32(9, 1_000),
      ])
    #expect(try read(writer.file()).rides.map(\.isRide) == [isRide])
  }

  @Test func `a recording without dates says so`() throws {
    var writer = FITWriter()
    // The device counts from when it was switched on.
    for index in 0..<5 { writer.add(0, 20, [.u32(253, UInt64(1_000 + index)), .u32(5, 100)]) }
    #expect(try read(writer.file()).content == "a recording without dates")
  }

  @Test func `values that contradict each other are brought into line`() throws {
    var writer = FITWriter()
    writer.add(
      0, 18,
      [
        .u32(2, Self.morning), .u8(5, 2, type: 0), .u32(7, 1_632_000), .u32(8, 2_760_000),
        .u32(59, 0), .u32(9, 50_000), .u16(22, 2_563),
      ])
    let ride = try #require(try read(writer.file()).rides.first)
    #expect(ride.moving == 2_760 && ride.elapsed == 2_760 && ride.ascent == 2_563)
  }

  @Test func `the sport of a file without a session is that of its laps or of its settings`() throws
  {
    var writer = records(3)
    writer.add(2, 12, [.u8(0, 1, type: 0)])
    #expect(try read(writer.file()).rides.map(\.type) == ["Run"])
  }

  @Test func `a track that breaks off is read to there, with a warning`() throws {
    let text = RecordingTests.gpx
    let cut = try #require(text.split(separator: "</trkseg><trkseg>").first)
    let recording = try TrackFile.read(Array(cut.utf8), format: .gpx)
    #expect(recording.rides.map(\.moving) == [20] && recording.warnings.count == 1)
    let laps = RecordingTests.tcx
    let start = try #require(laps.split(separator: "<Creator>").first)
    let activity = try TrackFile.read(Array(start.utf8), format: .tcx)
    #expect(activity.rides.map(\.metres) == [25_000.5] && activity.warnings.count == 1)
  }

  @Test(arguments: ["          ", "\n\r\n\t", "\u{FEFF}", "\u{FEFF}  \n", "  \u{FEFF} "])
  func `blanks before the declaration are read over`(start: String) throws {
    for (text, format) in [(RecordingTests.gpx, TrackFile.Format.gpx), (RecordingTests.tcx, .tcx)] {
      let recording = try TrackFile.read(Array((start + text).utf8), format: format)
      #expect(recording.rides.count == 1 && recording.warnings.isEmpty)
    }
  }

  @Test func `tracks without times beside one with times are told of`() throws {
    let text = """
      <gpx><trk><trkseg><trkpt lat="47" lon="8"/><trkpt lat="47.1" lon="8"/></trkseg></trk>
      <trk><trkseg><trkpt lat="47" lon="8"><time>2024-01-15T07:30:00Z</time></trkpt>
      <trkpt lat="47.01" lon="8"><time>2024-01-15T07:40:00Z</time></trkpt></trkseg></trk>
      <trk><trkseg><trkpt lat="47" lon="8"/></trkseg></trk></gpx>
      """
    let recording = try TrackFile.read(Array(text.utf8), format: .gpx)
    #expect(recording.rides.count == 1)
    #expect(recording.warnings.map { $0.contains("2 tracks without times") } == [true])
  }

  @Test func `what a file has counts, not its name`() throws {
    #expect(try TrackFile.read(FITWriter.ride(), format: .gpx).rides.count == 1)
    #expect(try TrackFile.read(Array(RecordingTests.tcx.utf8), format: .fit).rides.count == 1)
  }

  @Test func `a time without a zone is that of the place`() throws {
    let text = RecordingTests.gpx.replacing("07:30:00Z", with: "07:30:00").replacing(
      "Z</time>", with: "</time>")
    let place = RecordingTime { $0 - 3_600_000 }
    let ride = try #require(
      try TrackFile.read(Array(text.utf8), format: .gpx, time: place).rides.first)
    #expect(ride.start == 1_705_300_200_000 && ride.moving == 40)
  }

  @Test(arguments: [
    "2024-01-15T07:30:00Z", "2024-01-15T07:30:00.000Z", "2024-01-15T08:30:00+01:00",
    "2024-01-15T08:30:00+0100", "2024-01-15T07:30:00", "2024-01-15 07:30:00",
    "2024-01-15T07:30:00.123",
    "2024-01-15T07:30:00z", "2024/01/15 07:30:00",
  ])
  func `times of many recorders are read`(text: String) {
    let time = RecordingTime { $0 }.parse(text)
    #expect(time.map { $0 / 1000 } == 1_705_303_800)
  }
}
