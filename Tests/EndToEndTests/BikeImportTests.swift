import SyncKitFormats
import Testing

/// Imports of rides, through the real program.
struct BikeImportTests {
  private static let csv = """
    Activity ID,Activity Date,Activity Name,Activity Type,Activity Description,Elapsed Time,Distance,\
    Max Heart Rate,Relative Effort,Commute,Activity Private Note,Activity Gear,Filename,\
    Athlete Weight,Bike Weight,Elapsed Time,Moving Time,Distance
    1,"Jan 15, 2024, 7:30:00\u{202F}AM",One,Ride,,3700,25.1,,,false,,Trail bike,,,,3700,3600,25100
    2,"Jan 16, 2024, 7:30:00 AM",Two,Ride,,3700,25.1,,,false,,Trail bike,,,,3700,3600,25100
    3,"Jan 17, 2024, 7:30:00 AM",Jog,Run,,3700,25.1,,,false,,Shoes,,,,3700,3600,25100

    """

  private func archive(_ csv: String) throws -> [UInt8] {
    var writer = ZipWriter()
    try writer.add("activities.csv", Array(csv.utf8))
    try writer.add("bikes.csv", Array("Bike Name,Bike Brand,Bike Model\nTrail bike,Own,One\n".utf8))
    try writer.add(
      "components.csv",
      Array("Bike Name,Component Type,Component Brand,Component Model\nTrail bike,Chain,,\n".utf8))
    return writer.finish()
  }

  @Test func `an export is read once, and can be taken back`() async throws {
    let device = try TestDevice()
    try Files.write(try archive(Self.csv), to: device.path("export.zip"))
    let preview = try await device.json(
      "bike", "ride", "import", device.path("export.zip"), "--dry-run")
    #expect(preview["added"]?.int == 3 && preview["batch"] == .null)
    let first = try await device.json("bike", "ride", "import", device.path("export.zip"))
    #expect(first["schema"]?.string == "cloudsync.bike.ride-import/1")
    // Two rides and the bike of the local store.
    #expect(first.counts == [3, 0, 0, 0])
    let again = try await device.json("bike", "ride", "import", device.path("export.zip"))
    #expect(again.counts == [0, 0, 0, 3] && again["batch"] == .null)
    let bikes = try await device.json("bike", "list")["records"]?.array ?? []
    #expect(bikes.map { $0["fields"]?["name"]?.string } == ["Trail bike"])
    let tree = try await device.json("bike", "component", "tree")["parts"]?.array ?? []
    #expect(tree.map { $0["hours"]?.double } == [2, 2])
    let history = try await device.json("bike", "history")["batches"]?.array ?? []
    #expect(history.contains { $0["domain"]?.string == "strava" })
    let batch = try #require(first["batch"]?.string)
    #expect(try await device.json("undo", batch)["deleted"]?.int == 3)
    #expect(try await device.json("bike", "ride", "list")["records"]?.array?.isEmpty == true)
  }

  @Test func `with one bad row nothing is written`() async throws {
    let device = try TestDevice()
    let bad = Self.csv.replacing("Jan 16, 2024, 7:30:00 AM", with: "one day")
    try Files.write(Array(bad.utf8), to: device.path("activities.csv"))
    let outcome = try await device.run(
      "bike", "ride", "import", device.path("activities.csv"), "--json")
    expectFailure(outcome, 65, "input.invalid")
    #expect(outcome.document["errors"]?[0]?["row"]?.int == 3)
    #expect(try await device.json("bike", "ride", "list")["records"]?.array?.isEmpty == true)
    #expect(try await device.json("bike", "list")["records"]?.array?.isEmpty == true)
    let partly = try await device.run(
      "bike", "ride", "import", device.path("activities.csv"), "--skip-bad", "--json")
    expectFailure(partly, 3, "records.partial")
    #expect(partly.document["added"]?.int == 2)
  }

  @Test func `recordings of a folder are read, packed or not, and a double is one ride`()
    async throws
  {
    let device = try TestDevice()
    let gpx = """
      <gpx creator="Own"><trk><type>cycling</type><trkseg>
      <trkpt lat="47" lon="8"><time>2024-01-15T07:30:00Z</time></trkpt>
      <trkpt lat="47.01" lon="8"><time>2024-01-15T07:30:50Z</time></trkpt></trkseg></trk></gpx>
      """
    try await device.run("bike", "add", "b1", "name=Trail")
    #expect(Files.names(in: device.path("rides")).isEmpty)
    try Files.makeFolder(device.path("rides"))
    try Files.write(try Gzip.compress(Array(gpx.utf8)), to: device.path("rides/a.gpx.gz"))
    let later = gpx.replacing("07:30:00Z", with: "07:30:03Z")
    try Files.write(Array(later.utf8), to: device.path("rides/b.gpx"))
    try Files.write([1, 2, 3], to: device.path("rides/note.bin"))
    let outcome = try await device.json(
      "bike", "ride", "import", device.path("rides"), "--bike", "Trail")
    #expect(outcome.counts == [1, 0, 0, 1])
    let tree = try await device.json("bike", "component", "tree")["parts"]
    #expect(tree?[0]?["rides"]?.int == 1)
    let again = try await device.json(
      "bike", "ride", "import", device.path("rides"), "--bike", "Trail")
    #expect(again["added"]?.int == 0 && again["changed"]?.int == 0)
  }

  @Test(arguments: ["", "no rides", "PK\u{3}\u{4}broken"])
  func `a file without rides is refused`(text: String) async throws {
    let device = try TestDevice()
    try Files.write(Array(text.utf8), to: device.path("file.bin"))
    expectFailure(
      try await device.run("bike", "ride", "import", device.path("file.bin"), "--json"), 65,
      "input.invalid")
  }

  @Test func `the app's data is read by both imports, and the token by none`() async throws {
    let device = try TestDevice()
    let text = """
      {"serviceIntervals": [{"id": "A1", "bike": {"id": "b1"}, "part": "Chain", "intervalTime": 5}],
       "tokenInfo": {"accessToken": "geheim"},
       "activities": [{"id": 1, "gearId": "b1", "type": "Ride", "movingTime": 7200,
         "startDate": "2024-01-15T07:30:00Z", "distance": 1}]}
      """
    try Files.write(Array(text.utf8), to: device.path("app.json"))
    #expect(
      try await device.json("bike", "import", device.path("app.json")).counts == [1, 0, 0, 0])
    #expect(
      try await device.json("bike", "import", device.path("app.json")).counts == [0, 0, 0, 1])
    #expect(
      try await device.json("bike", "ride", "import", device.path("app.json")).counts == [
        1, 0, 0, 0,
      ])
    let due = try await device.json("bike", "due")["services"]?[0]
    #expect(due?["limits"]?[0]?["used"]?.double == 2)
    let all = try await device.run("bike", "export", "-", "--format", "records").output
    #expect(!all.contains("geheim"))
  }

  @Test func `a calendar has an event for each service that will be due`() async throws {
    let device = try TestDevice()
    try await device.run(
      "bike", "add", "--collection", "interval", "bikeId=b1", "part=Fluid", "intervalDays=30")
    let outcome = try await device.run("bike", "calendar", device.path("service.ics"), "--json")
    #expect(outcome.status == 0 && outcome.document["count"]?.int == 1)
    let text = try Files.text(device.path("service.ics"))
    #expect(text.hasPrefix("BEGIN:VCALENDAR\r\n") && text.contains("SUMMARY:Fluid: bike b1"))
    #expect(try await device.run("bike", "calendar").output.contains("BEGIN:VEVENT"))
  }
}
