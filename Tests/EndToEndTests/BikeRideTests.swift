import SyncKitFormats
import Testing

/// Rides that are told apart, corrected and taken along, through the real program.
struct BikeRideTests {
  private func track(_ time: String, type: String = "cycling") -> String {
    """
    <gpx creator="Own"><trk><type>\(type)</type><trkseg>
    <trkpt lat="47" lon="8"><time>2024-01-15T07:30:\(time)Z</time></trkpt>
    <trkpt lat="47.01" lon="8"><time>2024-01-15T07:33:\(time)Z</time></trkpt></trkseg></trk></gpx>
    """
  }

  private func records(_ device: TestDevice, _ words: String...) async throws -> [JSON] {
    let outcome = try await device.run(["bike", "ride", "list"] + words + ["--json"])
    return outcome.document["records"]?.array ?? []
  }

  @Test func `several rides of a day that are entered by hand are several`() async throws {
    let device = try TestDevice()
    try await device.run("bike", "add", "b1", "name=Trail")
    for length in ["30m", "1:00:00", "30m"] {
      let outcome = try await device.json(
        "bike", "ride", "add", "--bike", "Trail", "--date", "2024-03-01", "--miles", "10", "--time",
        length)
      #expect(outcome.counts == [1, 0, 0, 0])
    }
    #expect(try await records(device).count == 3)
    let tree = try await device.json("bike", "component", "tree")["parts"]
    #expect(tree?[0]?["hours"]?.double == 2)
  }

  @Test func `a ride is corrected, deleted and brought back`() async throws {
    let device = try TestDevice()
    try await device.run("bike", "add", "b1", "name=Trail")
    try await device.run(
      "bike", "ride", "add", "--bike", "b1", "--date", "2024-03-01", "--km", "425", "--time", "2h")
    let id = "manual-20240301T000000Z"
    let changed = try await device.json(
      "bike", "ride", "set", id, "--km", "42,5", "--type", "Schotterfahrt")
    #expect(changed.counts == [0, 1, 0, 0])
    let fields = try await records(device).first?["fields"]
    #expect(fields?["distance"]?.double == 42_500 && fields?["sportType"]?.string == "GravelRide")
    #expect(try await device.json("bike", "ride", "rm", id).counts == [0, 0, 1, 0])
    let gone = try await device.run("bike", "ride", "show", id, "--json")
    expectFailure(gone, 66, "record.not-found")
    #expect(gone.failure["hint"]?.string?.contains("bike ride restore activity/\(id)") == true)
    #expect(try await device.run("bike", "ride", "restore", id).status == 0)
    #expect(try await records(device).count == 1)
    expectFailure(
      try await device.run("bike", "ride", "show", "nosuch", "--json"), 66, "record.not-found")
  }

  @Test func `rides are taken along to another device`() async throws {
    let (first, second) = (try TestDevice(), try TestDevice())
    for device in [first, second] { try await device.run("bike", "add", "b1", "name=Trail") }
    try await first.run(
      "bike", "ride", "add", "--bike", "b1", "--date", "2024-03-01", "--km", "10", "--time", "1h")
    let file = first.path("rides.json")
    #expect(try await first.run("bike", "ride", "export", file).status == 0)
    #expect(try await second.json("bike", "ride", "import", file).counts == [1, 0, 0, 0])
    #expect(try await second.json("bike", "ride", "import", file).counts == [0, 0, 0, 1])
    #expect(try await first.json("bike", "ride", "import", file).counts == [0, 0, 0, 1])
    #expect(try await records(second).map { $0["id"]?.string } == ["manual-20240301T000000Z"])
  }

  @Test func `a bike that is not known is refused wherever it is named`() async throws {
    let device = try TestDevice()
    try await device.run("bike", "add", "b1", "name=Trail bike")
    try Files.write(Array(track("00").utf8), to: device.path("a.gpx"))
    for words in [
      ["bike", "ride", "import", device.path("a.gpx"), "--bike", "Trial bike"],
      ["bike", "ride", "import", device.path("a.gpx"), "--gear", "Old=Trial bike"],
      ["bike", "ride", "list", "--bike", "Trial bike"], ["bike", "defaults", "Trial bike"],
    ] {
      let outcome = try await device.run(words + ["--json"])
      expectFailure(outcome, 66, "record.not-found")
      #expect(outcome.failure["hint"]?.string?.contains("Trail bike") == true, "\(words)")
    }
    #expect(try await records(device).isEmpty)
  }

  @Test func `two who go out together have two rides, and a list shows each ride once`()
    async throws
  {
    let device = try TestDevice()
    for bike in ["b1", "b2"] { try await device.run("bike", "add", bike) }
    try Files.write(Array(track("00").utf8), to: device.path("a.gpx"))
    try Files.write(Array(track("03").utf8), to: device.path("b.gpx"))
    for (file, bike) in [("a.gpx", "b1"), ("b.gpx", "b2")] {
      let outcome = try await device.json(
        "bike", "ride", "import", device.path(file), "--bike", bike)
      #expect(outcome.counts == [1, 0, 0, 0])
    }
    #expect(try await records(device).count == 2)
    // The same outing from the service's export: one of the two is it.
    let csv = """
      Activity ID,Activity Date,Activity Name,Activity Type,Elapsed Time,Distance,Activity Gear
      77,"Jan 15, 2024, 7:30:01 AM",One,Ride,180,1.11,
      """
    try Files.write(Array(csv.utf8), to: device.path("activities.csv"))
    try await device.run("bike", "ride", "import", device.path("activities.csv"))
    #expect(try await records(device).count == 2)
    #expect(try await records(device, "--all").count == 3)
  }

  @Test func `a dry run says what becomes of each kind`() async throws {
    let device = try TestDevice()
    let csv = """
      Activity ID,Activity Date,Activity Name,Activity Type,Elapsed Time,Distance
      1,"Jan 15, 2024, 7:30:00 AM",One,Ride,3700,25.1
      2,"Jan 16, 2024, 7:30:00 AM",Two,Run,3700,25.1
      3,"Jan 17, 2024, 7:30:00 AM",Three,Zweirad,3700,25.1
      """
    try Files.write(Array(csv.utf8), to: device.path("activities.csv"))
    let words = ["bike", "ride", "import", device.path("activities.csv")]
    let plan = try await device.run(words + ["--dry-run", "--json"]).document
    let kinds = plan["kinds"]?.array?.map { $0["kind"]?.string ?? "" } ?? []
    #expect(kinds == ["Ride", "Run, no ride", "Zweirad, not known as a ride"])
    let warnings = plan["warnings"]?.array?.compactMap(\.string) ?? []
    #expect(warnings.contains { $0.contains("Zweirad 1") && $0.contains("--type") })
    let told = try await device.run(words + ["--type", "Zweirad=Ride", "--json"]).document
    #expect(told["added"]?.int == 2)
  }

  @Test func `a device without rides says so, and one with miles shows them`() async throws {
    let device = try TestDevice()
    try await device.run("bike", "add", "b1", "name=Trail")
    try await device.run(
      "bike", "add", "--collection", "interval", "bikeId=b1", "part=Tyre", "intervalDistance=2500mi"
    )
    let unknown = try await device.run("bike", "due")
    #expect(unknown.output.contains("no rides here") && unknown.error.contains("has no rides"))
    #expect(try await device.run("config", "set", "domains.bike.units", "imperial").status == 0)
    try await device.run(
      "bike", "ride", "add", "--bike", "b1", "--date", "2024-03-01", "--miles", "250", "--time",
      "20h")
    let due = try await device.run("bike", "due").output
    #expect(due.contains("10 %") && due.contains("2500 mi") && due.contains("good"))
    #expect(try await device.run("bike", "chart").output.contains("250 mi"))
  }

  @Test func `a backup has the rides that no service gives back`() async throws {
    let device = try TestDevice()
    try await device.run("bike", "add", "b1")
    try await device.run(
      "bike", "ride", "add", "--bike", "b1", "--date", "2024-03-01", "--km", "10", "--time", "1h")
    let made = try await device.json("backup", "create", "--unencrypted", device.path("backup.zip"))
    let stores = made["stores"]?.array?.map { $0["name"]?.string ?? "" } ?? []
    #expect(stores.contains("strava"))
  }

  @Test func `sums of rides travel when their owner wants it, and rides never`() async throws {
    let devices = try await TwoDevices()
    let (laptop, phone) = (devices.first, devices.second)
    try await laptop.run("bike", "add", "b1", "name=Trail")
    try await laptop.run(
      "bike", "add", "--collection", "interval", "bikeId=b1", "part=Chain", "intervalTime=5h")
    let add = ["bike", "ride", "add", "--bike", "b1", "--date", "2024-03-01", "--time", "1h"]
    try await laptop.run(add)
    try await devices.sync()
    let before = try await phone.json("bike", "due")["services"]?[0]
    #expect(before?["status"]?.string == "unknown")
    try await laptop.run("config", "set", "domains.bike.share-totals", "true")
    let ride = try #require(try await laptop.json(add)["batch"]?.string)
    try await devices.sync()
    let after = try await phone.json("bike", "due")["services"]?[0]
    #expect(after?["status"]?.string == "good" && after?["share"]?.double == 0.4)
    #expect(try await records(phone).isEmpty)
    // What is taken back counts no more elsewhere.
    try await laptop.run("undo", ride)
    try await devices.sync()
    #expect(try await phone.json("bike", "due")["services"]?[0]?["share"]?.double == 0.2)
    // Rides that cannot be read keep nothing else from its sync.
    let rides = laptop.path(".local/share/cloudsync/strava.sqlite")
    let whole = try Files.read(rides)
    try Files.write(Array("no database".utf8), to: rides)
    try await laptop.run("bike", "set", "b1", "name=Renamed")
    let outcome = try await laptop.run("sync")
    #expect(outcome.status == 0, "\(outcome.error)")
    #expect(outcome.error.contains("was not brought up to date"))
    try await devices.sync()
    #expect(try await phone.json("bike", "show", "b1")["fields"]?["name"]?.string == "Renamed")
    try Files.write(whole, to: rides)
    try await laptop.run("config", "set", "domains.bike.share-totals", "false")
    try await devices.sync()
    #expect(try await phone.json("bike", "due")["services"]?[0]?["status"]?.string == "unknown")
  }
}
