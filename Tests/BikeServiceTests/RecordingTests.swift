import SyncKitFormats
import SyncKit
import Testing

@testable import BikeService

/// Recordings of a ride in text formats, packed or not.
struct RecordingTests {
  static let gpx = """
    <?xml version="1.0" encoding="UTF-8"?>
    <gpx version="1.1" creator="Own Recorder" xmlns="http://www.topografix.com/GPX/1/1">
      <metadata><time>2020-01-01T00:00:00Z</time></metadata>
      <trk><name>Over the hill</name><type>cycling</type><trkseg>
        <trkpt lat="47.0" lon="8.0"><ele>500</ele><time>2024-01-15T07:30:00Z</time></trkpt>
        <trkpt lat="47.001" lon="8.0"><ele>501</ele><time>2024-01-15T07:30:20Z</time></trkpt>
        <trkpt lat="47.001" lon="8.0"><time>2024-01-15T07:31:00Z</time></trkpt>
      </trkseg><trkseg>
        <trkpt lat="48.0" lon="9.0"><time>2024-01-15T08:30:00Z</time></trkpt>
        <trkpt lat="48.001" lon="9.0"><time>2024-01-15T08:30:20Z</time></trkpt>
      </trkseg></trk>
    </gpx>
    """

  static let tcx = """
    <?xml version="1.0"?>
    <TrainingCenterDatabase xmlns="http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2">
      <Activities><Activity Sport="Biking"><Id>2024-01-15T07:30:00.000Z</Id>
        <Lap StartTime="2024-01-15T07:30:00.000Z"><TotalTimeSeconds>1800.5</TotalTimeSeconds>
          <DistanceMeters>12000</DistanceMeters></Lap>
        <Lap StartTime="2024-01-15T08:00:00.000Z"><TotalTimeSeconds>1799.5</TotalTimeSeconds>
          <DistanceMeters>13000.5</DistanceMeters></Lap>
        <Creator><Name>Own Computer</Name></Creator>
      </Activity></Activities>
    </TrainingCenterDatabase>
    """

  private func rides(_ text: String, _ format: TrackFile.Format) throws -> [RecordedRide] {
    try TrackFile.read(Array(text.utf8), format: format).rides
  }

  @Test func `a track is measured without its pauses and gaps`() throws {
    let ride = try #require(try rides(Self.gpx, .gpx).first)
    #expect(ride.start == 1_705_303_800_000)
    #expect(ride.name == "Over the hill" && ride.device == "Own Recorder" && ride.isRide)
    #expect(ride.elapsed == 3_620 && ride.moving == 40)
    // Twice a thousandth of a degree of latitude.
    #expect(abs((ride.metres ?? 0) - 222.39) < 0.1)
  }

  @Test func `laps are added up`() throws {
    let ride = try #require(try rides(Self.tcx, .tcx).first)
    #expect(ride.start == 1_705_303_800_000)
    #expect(ride.moving == 3_600 && ride.metres == 25_000.5)
    #expect(ride.device == "Own Computer" && ride.type == "Biking" && ride.isRide)
  }

  @Test func `a packed recording is the same recording`() throws {
    let packed = try Gzip.compress(Array(Self.gpx.utf8))
    #expect(try TrackFile.read(packed, format: .gpx).rides == rides(Self.gpx, .gpx))
    #expect(TrackFile.format(of: "activities/1.FIT.gz") == .fit)
    #expect(TrackFile.format(of: "a.gpx") == .gpx && TrackFile.format(of: "a.csv") == nil)
  }

  @Test(arguments: [
    "", "<gpx>", "<gpx></gpx>", "no xml at all", "<gpx><trk><trkseg><trkpt lat='1' lon='2'/>",
    "<gpx><trk><trkseg><trkpt lat=\"1\" lon=\"2\"/></trkseg></trk></gpx>",
    "<!DOCTYPE g [<!ENTITY a \"b\">]><gpx>&a;</gpx>",
  ])
  func `a file that is not a recording has no rides, and a reason`(text: String) throws {
    do {
      let recording = try TrackFile.read(Array(text.utf8), format: .gpx)
      #expect(recording.rides.isEmpty && recording.content?.isEmpty == false)
    } catch let error as SyncError {
      #expect(error.code == .inputInvalid && !error.message.isEmpty)
    }
  }

  @Test func `impossible positions and times are skipped`() throws {
    let text = """
      <gpx><trk><trkseg><trkpt lat="nan" lon="1e999"><time>2024-01-15T07:30:00Z</time></trkpt>
      <trkpt lat="91" lon="8"><time>9999-99-99T00:00:00Z</time></trkpt>
      <trkpt lat="-1e308" lon="8"><time>2024-01-15T07:31:00Z</time></trkpt></trkseg></trk></gpx>
      """
    let ride = try #require(try rides(text, .gpx).first)
    #expect(ride.metres == 0 && ride.moving == 0 && ride.elapsed == 60)
  }
}
