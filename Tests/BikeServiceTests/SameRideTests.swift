import SyncKit
import SyncKitFormats
import Testing

@testable import BikeService

/// Which rides are the same, and which are two.
struct SameRideTests {
  private static let start: Int64 = 1_705_303_800_000

  /// A track of ten minutes that begins some seconds after half past seven.
  private func track(later: Int = 0, degrees: Double = 0.003, type: String = "cycling") -> RideFile
  {
    let points = (0...10).map { index in
      let time = Timestamp.format(milliseconds: Self.start + Int64(later + index * 60) * 1000)
      return "<trkpt lat=\"\(47 + Double(index) * degrees)\" lon=\"8\"><time>\(time)</time></trkpt>"
    }
    let text = "<gpx><trk><type>\(type)</type><trkseg>\(points.joined())</trkseg></trk></gpx>"
    return RideFile(path: "\(later)-\(degrees).gpx") { Array(text.utf8) }
  }

  private func read(
    _ files: [RideFile], gear: String? = nil, known: [Ride] = [],
    _ change: (inout RideImport.Options) -> Void = { _ in }
  ) throws -> RideImport {
    var options = RideImport.Options()
    options.gear = gear
    options.known = known
    change(&options)
    return try RideImport(files, names: GearNames(), options: options)
  }

  /// The rides of an import, as they are stored.
  private func stored(_ found: RideImport) -> [Ride] {
    found.records.rows.compactMap { row in
      let fields = row.draft.fields
      guard let start = fields["startDate"]?.instant else { return nil }
      return Ride(
        id: row.draft.id?.text ?? "", gear: fields["gearId"]?.string, start: start,
        seconds: fields["movingTime"]?.int ?? 0, metres: fields["distance"]?.number ?? 0,
        origin: .recording)
    }
  }

  @Test func `the same outing on another bike is another ride`() throws {
    let first = stored(try read([track()], gear: "b1"))
    let second = try read([track(later: 3, degrees: 0.00301)], gear: "b2", known: first)
    #expect(stored(second).map(\.gear) == ["b2"] && second.doubles == 0)
    // Reading both again changes nothing.
    let all = first + stored(second)
    #expect(stored(try read([track()], gear: "b1", known: all)) == first)
    #expect(
      stored(try read([track(later: 3, degrees: 0.00301)], gear: "b2", known: all))
        == stored(second))
  }

  @Test func `two riders who begin in the same second have two rides`() throws {
    let first = stored(try read([track()], gear: "b1"))
    let other = try read([track(degrees: 0.00302)], gear: "b2", known: first)
    let ids = (first + stored(other)).map(\.id)
    #expect(Set(ids).count == 2 && ids[1].hasPrefix(ids[0]))
    let again = try read([track(degrees: 0.00302)], gear: "b2", known: first + stored(other))
    #expect(stored(again).map(\.id) == [ids[1]])
  }

  @Test func `the same recording for another bike moves there, and says so`() throws {
    let first = stored(try read([track()], gear: "b1"))
    let moved = try read([track()], gear: "b2", known: first)
    #expect(stored(moved).map(\.id) == first.map(\.id) && stored(moved).map(\.gear) == ["b2"])
    #expect(moved.warnings.count == 1 && moved.warnings[0].contains("b1"))
  }

  @Test func `the same outing of two devices on one bike is one ride, whatever ids the bike has`()
    throws
  {
    let first = stored(try read([track()], gear: "b1"))
    let second = try read([track(later: 3)], gear: "b77", known: first) {
      $0.bikes = BikeNames(owners: ["b77": "b1"])
    }
    #expect(stored(second).isEmpty && second.doubles == 1)
    #expect(try read([track(later: 3)], known: first).doubles == 1)
  }

  @Test func `a bike that is told later is filled in`() throws {
    let first = stored(try read([track()]))
    let second = try read([track(later: 3)], gear: "b1", known: first)
    #expect(second.records.rows.map(\.draft.fields) == [["gearId": "b1"]])
    #expect(second.records.rows.first?.draft.id?.text == first.first?.id)
  }

  @Test func `rides that were entered by hand are several on a day, and replace no recording`()
    throws
  {
    var taken: Set<RecordID> = ["ride-20240115T073000Z"]
    var ids: [RecordID] = []
    for (seconds, gear) in [(1_800, "b1"), (3_600, "b2"), (7_200, "b1"), (7_200, "b1")]
      as [(Int64, String)]
    {
      let draft = try RideEntry(
        start: Self.start, seconds: seconds, metres: 10_000, gear: gear
      ).draft { taken.contains($0) }
      let id = try #require(draft.id)
      #expect(taken.insert(id).inserted)
      ids.append(id)
    }
    #expect(
      ids == [
        "manual-20240115T073000Z", "manual-20240115T073000Z-2", "manual-20240115T073000Z-3",
        "manual-20240115T073000Z-4",
      ])
  }

  @Test func `a recording and an entry by hand at the same time both count`() {
    let manual = Ride(id: "manual-1", gear: "b1", start: 0, seconds: 3_600, metres: 1)
    let file = Ride(id: "ride-1", gear: "b1", start: 1_000, seconds: 3_600, metres: 2)
    let old = Ride(
      id: "ride-2", gear: "b1", start: 2_000, seconds: 3_600, metres: 3, origin: .manual)
    let service = Ride(id: "5", gear: "b1", start: 0, seconds: 3_600, metres: 4)
    #expect(
      Set(Ride.withoutDoubles([manual, file, old, service]).map(\.id)) == [
        "5", "manual-1", "ride-2",
      ])
  }

  @Test func `a service's ride and a recording on another bike are two riders' rides`() {
    let service = Ride(id: "5", gear: "b1", start: 0, seconds: 3_600, metres: 4)
    let other = Ride(id: "ride-1", gear: "b2", start: 1_000, seconds: 3_600, metres: 2)
    #expect(Ride.withoutDoubles([other, service]).count == 2)
    let same = BikeNames(owners: ["b2": "b1"])
    #expect(Ride.withoutDoubles([other, service], bikes: same).count == 1)
  }

  @Test func `of two recordings of a ride without a bike, the one for the second bike stays`() {
    let service = Ride(id: "5", gear: nil, start: 0, seconds: 3_600, metres: 4)
    let first = Ride(id: "ride-1", gear: "b1", start: 1_000, seconds: 3_600, metres: 2)
    let second = Ride(id: "ride-2", gear: "b2", start: 2_000, seconds: 3_600, metres: 2)
    let rides = Ride.withoutDoubles([first, second, service])
    #expect(rides.map(\.gear) == ["b1", "b2"])
  }

  @Test func `months and services count a ride of two sources once`() throws {
    let rider = try Rider("a")
    try rider.interval("Chain", ["intervalTime": 10])
    try rider.ride("ride-1", day: -1, hours: 2, ["source": "fit"])
    try rider.ride("77", day: -1, hours: 2, ["source": "strava"])
    let garage = try rider.garage
    #expect(garage.rides.map(\.id) == ["77"])
    #expect(MonthlyDistance(garage.rides, bike: { $0 }).kilometres == ["b1": [20]])
    #expect(try rider.only().foremost.used == 2)
  }

  @Test func `a ride of the future is refused, and one that is stored wears nothing`() throws {
    let found = try read([track()]) { $0.now = Self.start - 2 * 86_400_000 }
    #expect(found.records.rows.isEmpty)
    #expect(found.records.faults.map { $0.message.contains("in the future") } == [true])
    // Clocks and zones differ by hours.
    #expect(try read([track()]) { $0.now = Self.start - 3_600_000 }.records.rows.count == 1)
    let rider = try Rider("a")
    try rider.interval("Chain", ["intervalTime": 10])
    try rider.ride("1", day: -1, hours: 1)
    try rider.ride("2", day: 400, hours: 5)
    #expect(try rider.only().foremost.used == 1)
  }

  @Test func `types that are not known are listed by name, and taken when they are told`() throws {
    let files = [
      track(), track(later: 1_000, type: "Swim"), track(later: 2_000, type: "Frobnicate"),
      track(later: 3_000, type: "Other"), track(later: 4_000, type: "driving"),
    ]
    let found = try read(files)
    #expect(found.records.rows.count == 1 && found.skipped == 4)
    #expect(found.census.others == ["Swim": 1, "driving": 1])
    #expect(found.census.unknown == ["Frobnicate": 1, "Other": 1])
    #expect(found.census.notes.contains { $0.contains("Frobnicate 1, Other 1") })
    let told = try read(files) { $0.setType("frobnicate", to: "GravelRide") }
    #expect(told.census.rides == ["Ride": 1, "GravelRide": 1])
    #expect(try read(files) { $0.takesUnknown = true }.records.rows.count == 3)
  }

  @Test func `kinds of a track keep their kind, and indoors is told`() throws {
    let found = try read([
      track(type: "indoor_cycling"), track(later: 1_000, type: "e_bike_mountain"),
      track(later: 2_000, type: "17"),
    ])
    let fields = found.records.rows.map(\.draft.fields)
    #expect(fields.map { $0["sportType"] } == ["Ride", "EMountainBikeRide", "VirtualRide"])
    #expect(fields.map { $0["trainer"] } == [true, nil, true])
    #expect(fields.map { $0["type"] } == ["indoor_cycling", "e_bike_mountain", "17"])
  }

  @Test func `a device's memory comes in, with a count of what is no recording`() throws {
    @Sendable func memory(_ kind: UInt64) -> [UInt8] {
      var writer = FITWriter()
      writer.add(0, 0, [.u8(0, kind, type: 0)])
      return writer.file()
    }
    var empty = FITWriter()
    empty.add(0, 0, [.u8(0, 4, type: 0)])
    for _ in 0..<2 { empty.add(1, 20, [.u32(253, FITWriter.morning)]) }
    let nothing = empty.file()
    let found = try read([
      RideFile(path: "Activities/1.fit") { FITWriter.ride() },
      RideFile(path: "Settings/s.fit") { memory(2) },
      RideFile(path: "Monitor/1.fit") { memory(32) },
      RideFile(path: "Monitor/2.fit") { memory(32) },
      RideFile(path: "Activities/2.fit") { nothing },
      RideFile(path: "Device/notes.txt") { [1, 2, 3] },
    ])
    #expect(found.records.rows.count == 1 && found.records.faults.isEmpty)
    #expect(found.census.contents == ["a settings file": 1, "a monitoring file": 2])
    #expect(found.census.empty == 1)
    let error = #expect(throws: SyncError.self) {
      try read([RideFile(path: "s.fit") { memory(2) }])
    }
    #expect(error?.message.contains("settings file") == true)
  }

  @Test func `a file without a name that says it is read for what it has`() throws {
    for path in ["ride", "ride.bin", "ride.gpx"] {
      #expect(try read([RideFile(path: path) { FITWriter.ride() }]).records.rows.count == 1)
    }
  }

  @Test func `rides that were exported come back with their ids`() throws {
    let text = """
      {"schema":"cloudsync.strava.list/1","records":[
      {"collection":"activity","id":"manual-20240115T000000Z-2","fields":{"startDate":"2024-01-15T00:00:00.000Z",
       "movingTime":3600,"distance":20000.0,"sportType":"Ride","source":"manual","manual":true,"gearId":"b1"}},
      {"collection":"activity","id":"x","fields":{"movingTime":"long"}},
      {"collection":"activity","id":"y","deleted":true,"fields":{}}]}
      """
    let found = try read([RideFile(path: "rides.json") { Array(text.utf8) }])
    #expect(found.records.rows.map(\.draft.id) == ["manual-20240115T000000Z-2", "x"])
    #expect(found.records.rows[0].draft.fields["movingTime"] == 3_600)
    #expect(found.records.faults.map(\.column) == ["movingTime"])
  }
}
