import SyncKitFormats
import SyncKit
import Testing

@testable import BikeService

/// Strava's bulk export, in the forms that people have.
struct ExportTests {
  /// The columns that matter of the first block, the second one, and the rest.
  static let header = """
    Activity ID,Activity Date,Activity Name,Activity Type,Activity Description,Elapsed Time,Distance,\
    Max Heart Rate,Relative Effort,Commute,Activity Private Note,Activity Gear,Filename,\
    Athlete Weight,Bike Weight,Elapsed Time,Moving Time,Distance,Max Speed,Average Speed,\
    Elevation Gain,Commute,Bike,Gear
    """
  static let ride = """
    111,"Jan 15, 2024, 7:30:00\u{202F}AM",Morning,Ride,,3700,25.12,,,false,,Trail bike,\
    activities/1.fit.gz,,,3700.0,3600.0,25123.4,12,7,321.5,0.0,12345.0,
    """
  static let run = """
    112,"Jan 16, 2024, 6:00:00 PM",Jog,Run,,1800,5.0,,,false,,Shoes,,,,1800,1800,5000,,,,,,
    """
  static let old = """
    113,"Feb 1, 2019, 12:05:00 PM",Old,Mountain Bike Ride,,7200,"1,040.5",,,true,,trail  BIKE,,,,,\
    ,,,,,,,
    """

  private func read(
    _ rows: [String], header: String = ExportTests.header, more: [RideFile] = [],
    _ change: (inout RideImport.Options) -> Void = { _ in }
  ) throws -> RideImport {
    var options = RideImport.Options()
    change(&options)
    let csv = ([header] + rows).joined(separator: "\r\n")
    let files = [RideFile(path: "export/activities.csv") { Array(csv.utf8) }] + more
    return try RideImport(files, names: GearNames(), options: options)
  }

  private func activities(_ found: RideImport) -> [RecordDraft] {
    found.records.rows.map(\.draft).filter { $0.collection == "activity" }
  }

  @Test func `of a repeated column the last one counts, in SI units`() throws {
    let found = try read([Self.ride])
    let draft = try #require(activities(found).first)
    #expect(found.records.faults.isEmpty)
    #expect(draft.id == "111")
    #expect(draft.fields["distance"] == 25_123.4)
    #expect(draft.fields["movingTime"] == 3_600 && draft.fields["elapsedTime"] == 3_700)
    #expect(draft.fields["startDate"] == .instant(1_705_303_800_000))
    #expect(draft.fields["gearId"] == "b12345" && draft.fields["elevationGain"] == 321.5)
  }

  @Test func `of a repeated column the last one counts wherever it stands`() throws {
    let header = "Activity ID,Activity Date,Activity Type,Distance,Elapsed Time,Distance"
    let row = "114,\"May 1, 2026, 8:00:00 AM\",Ride,23.1,3600,23100"
    let draft = try #require(activities(try read([row], header: header)).first)
    #expect(draft.fields["distance"] == 23_100.0)
  }

  @Test(
    arguments: [
      (
        "7200", "600", "60", 7_200,
        "row 2: its moving time of 600 s would be more than 100 km/h; the whole time counts"
      ),
      (
        "600", "600", "60", 600,
        "row 2: its moving time of 600 s would be more than 100 km/h; there is no other"
      ),
      (
        "600", "", "60", nil,
        "row 2: its moving time of 600 s would be more than 100 km/h; there is no other"
      ),
      ("7200", "3600", "90", 3_600, nil),
    ] as [(String, String, String, Int64?, String?)])
  func `no ride of an export is faster than a bike`(
    elapsed: String, moving: String, distance: String, counted: Int64?, warning: String?
  ) throws {
    let header = "Activity ID,Activity Date,Activity Type,Distance,Elapsed Time,Moving Time"
    let row = "114,\"May 1, 2026, 8:00:00 AM\",Ride,\(distance),\(elapsed),\(moving)"
    let found = try read([row], header: header)
    let draft = try #require(activities(found).first)
    #expect(draft.fields["movingTime"]?.number == counted.map(Double.init))
    #expect(found.warnings == (warning.map { [$0] } ?? []))
  }

  @Test func `of an old export the first block counts, in kilometres or miles`() throws {
    let draft = try #require(activities(try read([Self.old])).first)
    #expect(draft.fields["distance"] == 1_040_500.0)
    #expect(draft.fields["elapsedTime"] == 7_200 && draft.fields["movingTime"] == nil)
    #expect(draft.fields["sportType"] == "MountainBikeRide" && draft.fields["commute"] == true)
    let miles = try #require(activities(try read([Self.old]) { $0.usesMiles = true }).first)
    #expect(abs((miles.fields["distance"]?.number ?? 0) - 1_674_522.4) < 1)
  }

  @Test func `runs are left out, and a gear's name is one whatever its case`() throws {
    let found = try read([Self.ride, Self.run, Self.old])
    #expect(found.skipped == 1)
    #expect(Set(activities(found).map { $0.fields["gearId"] }) == ["b12345"])
  }

  @Test func `a bike without a number has an id that follows from its name`() throws {
    func found() throws -> RideImport {
      try read(
        [Self.old],
        more: [
          RideFile(path: "export/bikes.csv") {
            Array("Bike Name,Bike Brand,Bike Model\nTrail bike,Trek,Fuel\n".utf8)
          },
          RideFile(path: "export/components.csv") {
            Array(
              "Bike Name,Component Type,Component Brand,Component Model\nTrail bike,Chain,,X\nTrail bike,Chain,,X\n"
                .utf8)
          },
        ])
    }
    let (first, second) = (try found(), try found())
    let gear = try #require(activities(first).first?.fields["gearId"]?.string)
    #expect(gear.hasPrefix("trail-bike-"))
    #expect(first.garage.map(\.collection) == ["bike", "component", "component"])
    #expect(first.garage[0].id == RecordID(gear) && first.garage[0].fields["brand"] == "Trek")
    #expect(Set(first.garage.compactMap(\.id)).count == 3)
    #expect(first.garage.map(\.id) == second.garage.map(\.id))
    #expect(first.garage.allSatisfy { $0.weight == .touch })
  }

  @Test func `a name that is known means what is known`() throws {
    var names = GearNames()
    names.learn("Trail Bike", is: "b777")
    let csv = Self.header + "\n" + Self.old
    let found = try RideImport(
      [RideFile(path: "activities.csv") { Array(csv.utf8) }], names: names)
    #expect(activities(found).first?.fields["gearId"] == "b777")
  }

  @Test func `bad rows are listed with their numbers, and the good ones read`() throws {
    let found = try read([
      Self.ride, "x1,\"Jan 15, 2024, 7:30:00 AM\",,Ride,,,,,,,,,,,,,,,,,,,,",
      "114,yesterday,,Ride,,,,,,,,,,,,,,,,,,,,", Self.ride,
      "115,\"Jan 15, 2024, 7:30:00 AM\",,Ride,,,,,,,,,,,,,-5,,,,,,,",
      "116,\"Jan 15, 2024, 7:30:00 AM\",,Ride,,,,,,,,,,,,10,10,1e12,,,,,,",
    ])
    #expect(activities(found).count == 1)
    #expect(found.records.faults.map(\.row) == [3, 4, 5, 6, 7])
    #expect(found.records.faults[1].message.contains("'yesterday'"))
    #expect(found.records.faults[2].message.contains("row 2"))
  }

  @Test func `in another language the columns are found by their places`() throws {
    let header = """
      ID aktivity,Datum,Název,Typ,Popis,Uplynulý čas,Vzdálenost,TF,Úsilí,Dojíždění,Poznámka,\
      Vybavení,Soubor,Hmotnost,Hmotnost kola,Uplynulý čas,Čas v pohybu,Vzdálenost
      """
    let row = """
      117,15. 1. 2024 7:30:00,Ráno,Jízda na kole,,3700,"25,12",,,false,,Trail bike,a.gpx,,,3700,3600,
      """
    let found = try read(
      [row], header: header,
      more: [
        RideFile(path: "export/bikes.csv") { Array("Kolo,Značka\nTrail bike,Trek\n".utf8) }
      ])
    let draft = try #require(activities(found).first)
    #expect(draft.fields["distance"] == 25_120.0 && draft.fields["movingTime"] == 3_600)
    #expect(draft.fields["startDate"] == .instant(1_705_303_800_000))
    #expect(draft.fields["sportType"] == "Ride")
  }

  @Test func `what a row does not say is taken from its recording`() throws {
    let row = "118,\"Jan 15, 2024, 7:30:00 AM\",,Ride,,,,,,,,,activities/1.fit.gz,,,,,,,,,,,"
    let packed = try Gzip.compress(FITWriter.ride())
    let found = try read(
      [row], more: [RideFile(path: "export/activities/1.fit.gz") { packed }])
    let draft = try #require(activities(found).first)
    #expect(draft.id == "118" && draft.fields["distance"] == 25_123.45)
    #expect(draft.fields["movingTime"] == 3_600)
  }

  @Test(arguments: ["", "a,b,c\n1,2,3", "Activity ID\n\"open"])
  func `a file that is not an export is refused as a whole`(text: String) {
    #expect(throws: SyncError.self) {
      try RideImport(
        [RideFile(path: "activities.csv") { Array(text.utf8) }], names: GearNames())
    }
  }

  @Test func `an archive is read like the folder`() throws {
    var writer = ZipWriter()
    try writer.add("activities.csv", Array("\(Self.header)\n\(Self.ride)\n".utf8))
    let files = try RideFile.files(in: MemoryBytes(writer.finish()))
    let found = try RideImport(files, names: GearNames())
    #expect(activities(found).map(\.id) == ["111"])
  }
}

/// Numbers in many languages.
struct ExportTextTests {
  @Test(arguments: [
    ("1234.5", true, 1234.5), ("1,234.5", true, 1234.5), ("1.234,5", false, 1234.5),
    ("25,12", false, 25.12), ("25,12", true, 25.12), ("1,234", true, 1234), ("1,234", false, 1.234),
    ("1\u{202F}234,5", false, 1234.5), ("-3", true, -3), ("1,234,567", true, 1_234_567),
    ("1e3", true, 1000),
  ])
  func `a number is read as its language writes it`(text: String, isEnglish: Bool, value: Double) {
    #expect(LocalNumber.parse(text, isEnglish: isEnglish) == value)
  }

  @Test(arguments: ["", "-", "abc", "1-2", "nan", "inf", "1e999", "0x10"])
  func `a text that is not a number is nil`(text: String) {
    #expect(LocalNumber.parse(text, isEnglish: true) == nil)
  }
}
