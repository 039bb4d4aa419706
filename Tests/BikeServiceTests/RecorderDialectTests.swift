import SyncKitFormats
import Testing

@testable import BikeService

/// The dialects of GPX and TCX that recorders and websites write; made up after their forms.
struct RecorderDialectTests {
  private func read(_ text: String, _ format: TrackFile.Format = .gpx) throws -> Recording {
    try TrackFile.read(Array(text.utf8), format: format)
  }

  private static let points = """
    <trkpt lat="47.0" lon="8.0"><ele>400</ele><time>2024-01-15T07:30:00Z</time></trkpt>
    <trkpt lat="47.01" lon="8.0"><ele>410</ele><time>2024-01-15T07:35:00Z</time></trkpt>
    """

  @Test(arguments: [
    // GPX 1.0 with speed and course in the points.
    "<gpx version=\"1.0\" creator=\"Old\"><trk><trkseg>\(points.replacing("</ele>", with: "</ele><speed>4.2</speed><course>90</course>"))</trkseg></trk></gpx>",
    // Prefixes on all elements.
    "<g:gpx xmlns:g=\"http://www.topografix.com/GPX/1/1\"><g:trk><g:trkseg>\(points.replacing("<trkpt", with: "<g:trkpt").replacing("</trkpt", with: "</g:trkpt").replacing("<ele", with: "<g:ele").replacing("</ele", with: "</g:ele").replacing("<time", with: "<g:time").replacing("</time", with: "</g:time"))</g:trkseg></g:trk></g:gpx>",
    // Sensors in extensions, which have elements of the same names.
    "<gpx><trk><trkseg>\(points.replacing("</ele>", with: "</ele><extensions><a:TrackPointExtension><a:hr>120</a:hr><a:time>x</a:time></a:TrackPointExtension></extensions>"))</trkseg></trk></gpx>",
    // The type after the points, and waypoints and a route before the track.
    "<gpx><wpt lat=\"1\" lon=\"2\"><time>2001-01-01T00:00:00Z</time></wpt><rte><rtept lat=\"1\" lon=\"2\"/></rte><trk><trkseg>\(points)</trkseg><type>Biking</type></trk></gpx>",
    // Single quotes, carriage returns, a comment, and a stylesheet.
    "<?xml version='1.0'?>\r\n<?xml-stylesheet href='a.xsl'?>\r\n<!-- by hand -->\r\n<gpx><trk>\r\n<trkseg>\(points.replacing("\"", with: "'"))</trkseg></trk></gpx>\r\n",
    // A point without a time between, and one without a position.
    "<gpx><trk><trkseg>\(points.replacing("<trkpt lat=\"47.01\"", with: "<trkpt lat=\"47.005\" lon=\"8.0\"/><trkpt lat=\"47.01\""))</trkseg></trk></gpx>",
    // Blanks and line breaks in values, and a sign before a number.
    "<gpx><trk><trkseg>\(points.replacing("<time>", with: "<time>\n  ").replacing("</time>", with: "\n</time>"))</trkseg></trk></gpx>",
    // Times with parts of a second, and with an offset.
    "<gpx><trk><trkseg>\(points.replacing("07:30:00Z", with: "07:30:00.500Z").replacing("07:35:00Z", with: "08:35:00.500+01:00"))</trkseg></trk></gpx>",
    // An empty segment and an empty track beside the track.
    "<gpx><trk/><trk><trkseg/><trkseg>\(points)</trkseg><trkseg></trkseg></trk></gpx>",
    // A type in other letters, a number, a German word.
    "<gpx><trk><type>CYCLING</type><trkseg>\(points)</trkseg></trk></gpx>",
    "<gpx><trk><type>1</type><trkseg>\(points)</trkseg></trk></gpx>",
    "<gpx><trk><type>Radfahren</type><trkseg>\(points)</trkseg></trk></gpx>",
  ])
  func `a track is one whatever the recorder`(text: String) throws {
    let recording = try read(text)
    try #require(recording.rides.count == 1)
    let ride = recording.rides[0]
    #expect(ride.isRide && ride.start / 1000 == 1_705_303_800)
    #expect(ride.moving == 300 && abs((ride.metres ?? 0) - 1_112) < 1 && ride.ascent == 10)
  }

  private static let lap = """
    <Lap StartTime="2024-01-15T07:30:00Z"><TotalTimeSeconds>300</TotalTimeSeconds>
    <DistanceMeters>1200</DistanceMeters><Intensity>Active</Intensity></Lap>
    """

  @Test(arguments: [
    "<TrainingCenterDatabase><Activities><Activity Sport=\"Biking\"><Id>2024-01-15T07:30:00Z</Id>\(lap)</Activity></Activities></TrainingCenterDatabase>",
    "<TrainingCenterDatabase><Activities><Activity Sport=\"biking\"><Id>2024-01-15T07:30:00.000Z</Id>\(lap)</Activity></Activities></TrainingCenterDatabase>",
    "<TrainingCenterDatabase><Activities><Activity Sport=\"Cycling\"><Id>2024-01-15T07:30:00</Id>\(lap)</Activity></Activities></TrainingCenterDatabase>",
    "<TrainingCenterDatabase><Activities><Activity><Id>not a time</Id>\(lap)</Activity></Activities></TrainingCenterDatabase>",
    "<t:TrainingCenterDatabase xmlns:t=\"x\"><Activities><MultiSportSession><FirstSport><Activity Sport=\"Biking\"><Id>2024-01-15T07:30:00Z</Id>\(lap)</Activity></FirstSport></MultiSportSession></Activities></t:TrainingCenterDatabase>",
    "<TrainingCenterDatabase><Activities><Activity Sport=\"Biking\"><Id>2024-01-15T07:30:00Z</Id>\(lap)<Training><Plan><Name>P</Name></Plan></Training><Creator><Name>Own</Name></Creator></Activity></Activities></TrainingCenterDatabase>",
    "<TrainingCenterDatabase><Courses><Course><Lap><TotalTimeSeconds>9</TotalTimeSeconds></Lap></Course></Courses><Activities><Activity Sport=\"Biking\"><Id>2024-01-15T07:30:00Z</Id>\(lap)</Activity></Activities></TrainingCenterDatabase>",
    "          <?xml version=\"1.0\"?><TrainingCenterDatabase><Activities><Activity Sport=\"Biking\"><Id>2024-01-15T07:30:00Z</Id>\(lap)</Activity></Activities></TrainingCenterDatabase>",
  ])
  func `an activity is one whatever the device`(text: String) throws {
    let recording = try read(text, .tcx)
    try #require(recording.rides.count == 1)
    let ride = recording.rides[0]
    #expect(ride.isRide && ride.start == 1_705_303_800_000)
    #expect(ride.moving == 300 && ride.metres == 1_200)
  }

  @Test(arguments: [
    ("<gpx><rte><rtept lat=\"1\" lon=\"2\"/></rte></gpx>", "a route"),
    ("<gpx><wpt lat=\"1\" lon=\"2\"/></gpx>", "a file without tracks"),
    (
      "<gpx><trk><trkseg><trkpt lat=\"1\" lon=\"2\"/></trkseg></trk></gpx>", "a track without times"
    ),
    ("<TrainingCenterDatabase><Courses><Course/></Courses></TrainingCenterDatabase>", "a course"),
    ("<TrainingCenterDatabase/>", "a file without activities"),
  ])
  func `a file that records nothing says what it is`(text: String, content: String) throws {
    let format = try #require(TrackFile.format(of: Array(text.utf8)))
    #expect(try read(text, format).content == content)
  }

  @Test func `a track in another encoding is read`() throws {
    let text =
      "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><gpx><trk><name>M\u{FC}hle</name><trkseg>\(Self.points)</trkseg></trk></gpx>"
    let bytes = text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
    #expect(try TrackFile.read(bytes, format: .gpx).rides.map(\.name) == ["M\u{FC}hle"])
  }
}
