import SyncKit
import Testing

@testable import BikeService

/// The moving time of tracks with points far apart, without positions, or cut.
struct MovingTimeTests {
  /// A point of a TCX file some seconds after the start.
  private func point(_ seconds: Int, latitude: Double? = nil, distance: Double? = nil) -> String {
    let time = "2024-01-15T\(Self.clock(seconds))Z"
    let place = latitude.map {
      "<Position><LatitudeDegrees>\($0)</LatitudeDegrees><LongitudeDegrees>8</LongitudeDegrees></Position>"
    }
    let metres = distance.map { "<DistanceMeters>\($0)</DistanceMeters>" }
    return "<Trackpoint><Time>\(time)</Time>\(place ?? "")\(metres ?? "")</Trackpoint>"
  }

  private static func clock(_ seconds: Int) -> String {
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(two(seconds / 3600)):\(two(seconds / 60 % 60)):\(two(seconds % 60))"
  }

  private func gpx(step: Int, count: Int, degrees: Double = 0.004) throws -> RecordedRide {
    let points = (0..<count).map {
      "<trkpt lat=\"\(47 + Double($0) * degrees)\" lon=\"8\"><time>2024-01-15T\(Self.clock($0 * step))Z</time></trkpt>"
    }
    let text = "<gpx><trk><trkseg>\(points.joined())</trkseg></trk></gpx>"
    return try #require(try TrackFile.read(Array(text.utf8), format: .gpx).rides.first)
  }

  private func tcx(
    _ points: [String], lapSeconds: Double? = nil, lapMetres: Double? = nil
  ) throws -> RecordedRide {
    let time = lapSeconds.map { "<TotalTimeSeconds>\($0)</TotalTimeSeconds>" } ?? ""
    let metres = lapMetres.map { "<DistanceMeters>\($0)</DistanceMeters>" } ?? ""
    let text = """
      <TrainingCenterDatabase><Activities><Activity Sport="Biking"><Id>2024-01-15T00:00:00Z</Id>
      <Lap StartTime="2024-01-15T00:00:00Z">\(time)\(metres)<Track>\(points.joined())</Track></Lap>
      </Activity></Activities></TrainingCenterDatabase>
      """
    return try #require(try TrackFile.read(Array(text.utf8), format: .tcx).rides.first)
  }

  @Test(arguments: [1, 10, 59, 60, 61, 120, 600, 1800])
  func `a step is judged by its own metres and seconds, however long it is`(step: Int) throws {
    // Two metres a second.
    let ride = try gpx(step: step, count: 11, degrees: Double(step) * 2 / 111_195)
    #expect(ride.moving == Double(step * 10) && ride.elapsed == ride.moving)
  }

  @Test func `a long rest is one, in whatever steps it is recorded`() throws {
    let fast = (0..<10).map { point($0 * 10, latitude: 47 + Double($0) * 0.001) }
    let rest = [point(90 + 1200, latitude: 47.0091)]
    let on = (1..<10).map { point(1290 + $0 * 10, latitude: 47.0091 + Double($0) * 0.001) }
    #expect(try tcx(fast + rest + on).moving == 180)
  }

  @Test func `metres of a wheel count where there is no position`() throws {
    let located = (0...50).map {
      point($0 * 10, latitude: 47 + Double($0) * 0.0006, distance: Double($0) * 70)
    }
    let wheel = (51...360).map { point($0 * 10, distance: Double($0) * 70) }
    let ride = try tcx(located + wheel)
    #expect(ride.moving == 3_600 && ride.metres == 25_200)
  }

  @Test func `positions count where the device says 0 metres throughout`() throws {
    let ride = try tcx(
      (0...10).map { point($0 * 10, latitude: 47 + Double($0) * 0.001, distance: 0) })
    #expect(ride.moving == 100 && abs((ride.metres ?? 0) - 1_112) < 1)
  }

  @Test func `of a track that was cut the laps' time counts with the laps' metres`() throws {
    let points = (0...65).map { point($0 * 10, latitude: 47 + Double($0) * 0.0006) }
    let ride = try tcx(points, lapSeconds: 8_134, lapMetres: 72_400)
    #expect(ride.moving == 8_134 && ride.metres == 72_400 && ride.warning == nil)
  }

  @Test func `a rest beyond the pauses that the laps leave out is not moving time`() throws {
    // An hour of riding with a rest of 600 s in it, of which the timer stopped for 200 s.
    let ridden = (0...180).map { point($0 * 10, latitude: 47 + Double($0) * 0.0006) }
    let on = (0...180).map { point(2_400 + $0 * 10, latitude: 47.108 + Double($0) * 0.0006) }
    let ride = try tcx(ridden + on, lapSeconds: 4_000, lapMetres: 24_000)
    #expect(ride.moving == 3_600 && ride.elapsed == 4_200)
  }

  @Test func `points without anything but a time count as the laps say`() throws {
    let ride = try tcx((0...360).map { point($0 * 10) }, lapSeconds: 3_500, lapMetres: 30_000)
    #expect(ride.moving == 3_500 && ride.metres == 30_000)
  }

  @Test func `a speed above that of any bike takes the whole time, and says so`() throws {
    let still = (0..<100).map { point(100 + $0 * 36, latitude: 47.1) }
    let ride = try tcx([point(0, latitude: 47), point(100, latitude: 47.1)] + still)
    #expect(ride.moving == 3_664 && ride.elapsed == 3_664)
    #expect(ride.warning?.contains("100 km/h") == true)
  }

  @Test func `a session's impossible moving time gives way to its timer`() throws {
    var writer = FITWriter()
    writer.add(
      0, 18,
      [
        .u32(2, FITWriter.morning), .u8(5, 2, type: 0), .u32(7, 4_000_000), .u32(8, 3_600_000),
        .u32(59, 60_000), .u32(9, 3_000_000),
      ])
    let ride = try #require(try FITActivity(writer.file()).sessions.first)
    #expect(ride.moving == 3_600 && ride.warning != nil)
  }

  @Test func `a climb counts from three metres, and the noise of a sensor does not`() throws {
    var meter = ClimbMeter()
    for altitude in [100, 101, 99, 101, 100, 102, 101.5, 110, 109, 120, 50, 52, 51, 60.0] {
      meter.add(altitude)
    }
    // From 100 to 110 and 120, then from 50 to 60.
    #expect(meter.ascent == 30)
    #expect(ClimbMeter().ascent == nil)
  }

  @Test func `a climb that is longer than the way is none`() throws {
    let text = """
      <gpx><trk><trkseg>
      <trkpt lat="47" lon="8"><ele>100</ele><time>2024-01-15T07:30:00Z</time></trkpt>
      <trkpt lat="47.001" lon="8"><ele>2000</ele><time>2024-01-15T07:31:00Z</time></trkpt>
      </trkseg></trk></gpx>
      """
    let ride = try #require(try TrackFile.read(Array(text.utf8), format: .gpx).rides.first)
    #expect(ride.ascent == nil && ride.moving == 60)
  }

  @Test func `tracks have their climb, and a gap in them none`() throws {
    let text = """
      <gpx><trk><trkseg>
      <trkpt lat="47" lon="8"><ele>100</ele><time>2024-01-15T07:30:00Z</time></trkpt>
      <trkpt lat="47.01" lon="8"><ele>150</ele><time>2024-01-15T07:40:00Z</time></trkpt></trkseg><trkseg>
      <trkpt lat="48" lon="8"><ele>900</ele><time>2024-01-15T08:30:00Z</time></trkpt>
      <trkpt lat="48.01" lon="8"><ele>910</ele><time>2024-01-15T08:40:00Z</time></trkpt>
      </trkseg></trk></gpx>
      """
    let ride = try #require(try TrackFile.read(Array(text.utf8), format: .gpx).rides.first)
    #expect(ride.ascent == 60 && ride.moving == 1_200)
  }
}
