import SyncKit
import SyncKitFormats
import Testing

@testable import BikeService

/// Exports in the language of the account: names of columns, types and dates.
struct ExportLanguageTests {
  /// The header of a German account; others have the same order.
  private static let german = """
    Aktivitäts-ID,Aktivitätsdatum,Name der Aktivität,Aktivitätsart,Aktivitätsbeschreibung,\
    Verstrichene Zeit,Distanz,Max. Herzfrequenz,Relative Leistung,Pendeln,Hinweis,\
    Aktivitätsausrüstung,Dateiname,Sportlergewicht,Fahrradgewicht,Verstrichene Zeit,Bewegungszeit,\
    Distanz,Höchstgeschw.,Durchschnittliche Geschwindigkeit,Höhenzunahme
    """

  private func row(
    _ id: Int, _ date: String, _ type: String, gear: String = ""
  ) -> String {
    "\(id),\"\(date)\",Name,\(type),,3700,\"25,12\",,,false,,\(gear),,,,3700.0,3600.0,25120.0,12,7,321.5"
  }

  private func read(
    _ rows: [String], header: String = german, delimiter: String = ",", more: [RideFile] = [],
    name: String = "activities.csv", _ change: (inout RideImport.Options) -> Void = { _ in }
  ) throws -> RideImport {
    var options = RideImport.Options()
    change(&options)
    let text = ([header] + rows).joined(separator: "\n")
    let file = RideFile(path: name) { Array(text.utf8) }
    return try RideImport([file] + more, names: GearNames(), options: options)
  }

  private func activities(_ found: RideImport) -> [RecordDraft] {
    found.records.rows.map(\.draft).filter { $0.collection == "activity" }
  }

  @Test func `a German export without bikes has its rides, with their kinds`() throws {
    let found = try read([
      row(1, "15.01.2024, 07:30:00", "Radfahrt"), row(2, "16.01.2024, 07:30:00", "E-Bike-Radfahrt"),
      row(3, "17.01.2024, 07:30:00", "Mountainbike-Fahrt"),
      row(4, "18.01.2024, 07:30:00", "Virtuelle Radfahrt"), row(5, "19.01.2024, 07:30:00", "Lauf"),
    ])
    #expect(
      activities(found).map { $0.fields["sportType"] }
        == ["Ride", "EBikeRide", "MountainBikeRide", "VirtualRide"])
    #expect(activities(found)[0].fields["type"] == "Radfahrt")
    #expect(activities(found)[0].fields["elevationGain"] == 321.5)
    #expect(activities(found)[0].fields["startDate"] == .instant(1_705_303_800_000))
    #expect(found.census.others == ["Lauf": 1] && found.census.unknown.isEmpty)
  }

  @Test(arguments: [
    ("24 mai 2012 à 16:27:40", "Vélo"), ("24 may 2012, 16:27:40", "Bicicleta"),
    ("24 mag 2012, 16:27:40", "Pedalata"), ("24 de mai. de 2012, 16:27:40", "Pedalada"),
    ("24 mei 2012 16:27:40", "Fietsrit"), ("24 maj 2012 16:27:40", "Cykling"),
    ("2012. 5. 24. 오후 4:27:40", "라이딩"), ("2012/05/24 16:27:40", "ライド"),
    ("2012年5月24日 下午4:27:40", "骑行"), ("2012年5月24日 16:27:40", "騎行"),
    ("24 мая 2012 г., 16:27:40", "Велозаезд"), ("24 maj 2012, 16:27:40", "Jazda na rowerze"),
    ("24.5.2012 klo 16.27.40", "Pyöräily"), ("24 May 2012 16:27:40", "Bersepeda"),
    ("24. 5. 2012 16:27:40", "Jízda na kole"), ("24 Mayıs 2012 16:27:40", "Bisiklet Sürüşü"),
  ])
  func `a row of each language is a ride at its time`(date: String, type: String) throws {
    let found = try read([row(1, date, type)])
    let draft = try #require(activities(found).first)
    #expect(draft.fields["startDate"] == .instant(1_337_876_860_000))
    #expect(draft.fields["sportType"] == "Ride")
  }

  @Test func `unknown types are listed by name with their numbers, and never lost in silence`()
    throws
  {
    let rows = [
      row(1, "15.01.2024, 07:30:00", "Zweirad"), row(2, "16.01.2024, 07:30:00", "Zweirad"),
      row(3, "17.01.2024, 07:30:00", "Radfahrt"),
    ]
    let found = try read(rows)
    #expect(activities(found).count == 1 && found.census.unknown == ["Zweirad": 2])
    #expect(found.census.notes.contains { $0.contains("Zweirad 2") && $0.contains("--type") })
    let told = try read(rows) { $0.setType("zweirad", to: "Ride") }
    #expect(activities(told).count == 3)
    #expect(activities(try read(rows) { $0.takesUnknown = true }).count == 3)
  }

  @Test func `a bike of the export makes a ride of an unknown type, a sold one does not hide it`()
    throws
  {
    let bikes = RideFile(path: "bikes.csv") { Array("Fahrrad,Marke\nTrail,Own\n".utf8) }
    let found = try read(
      [
        row(1, "15.01.2024, 07:30:00", "Zweirad", gear: "Trail"),
        row(2, "16.01.2024, 07:30:00", "Radfahrt", gear: "Sold"),
      ], more: [bikes])
    #expect(activities(found).count == 2)
  }

  @Test func `one date tells the order of all, and without one the rows are asked for`() throws {
    let rows = [row(1, "05/06/2024 07:30", "Ride"), row(2, "06/13/2024 07:30", "Ride")]
    #expect(
      activities(try read(rows)).map { $0.fields["startDate"]?.instant }
        == [1_714_980_600_000, 1_718_263_800_000])
    let doubtful = try read([rows[0]])
    #expect(activities(doubtful).isEmpty)
    #expect(doubtful.records.faults.map { $0.message.contains("--date-format") } == [true])
    let told = try read([rows[0]]) { $0.dateOrder = .dayFirst }
    #expect(activities(told).map { $0.fields["startDate"]?.instant } == [1_717_572_600_000])
  }

  @Test func `the layout of 2018 has metres and times in UTC`() throws {
    let header = "id,date,name,type,description,elapsed_time,distance,commute,gear,filename"
    let found = try read(
      ["1836,2018-09-12 15:02:23,Evening Ride,Ride,,783,3681.0,true,Trail,activities/1836.gpx"],
      header: header)
    let draft = try #require(activities(found).first)
    #expect(draft.fields["distance"] == 3_681.0 && draft.fields["elapsedTime"] == 783)
    #expect(draft.fields["startDate"] == .instant(1_536_764_543_000))
    #expect(draft.fields["commute"] == true)
  }

  @Test(arguments: [";", "\t"])
  func `a table that was saved again with another delimiter is read`(delimiter: String) throws {
    let header = ExportTests.header.replacing(",", with: delimiter)
    let row = [
      "1", "\"Jan 15, 2024, 7:30:00 AM\"", "Name", "Ride", "", "3700", "25.12", "", "", "false", "",
      "", "",
      "", "", "3700", "3600", "25120",
    ].joined(separator: delimiter)
    let draft = try #require(activities(try read([row], header: header)).first)
    #expect(draft.fields["distance"] == 25_120.0)
  }

  @Test func `a table under another name is known by its columns`() throws {
    let found = try read([ExportTests.ride], header: ExportTests.header, name: "activities (1).csv")
    #expect(activities(found).map(\.id) == ["111"])
    let error = #expect(throws: SyncError.self) {
      try read(["1,2"], header: "a,b", name: "other.csv")
    }
    #expect(error?.message.contains("no rides here") == true)
  }

  @Test func `a recording that cannot be read leaves the row as it is, with a warning`() throws {
    let row = "118,\"Jan 15, 2024, 7:30:00 AM\",,Ride,,,,,,,,,activities/1.tcx,,,,,,,,,,,"
    let found = try read(
      [row], header: ExportTests.header,
      more: [RideFile(path: "activities/1.tcx") { Array("<TrainingCenterDatabase><x".utf8) }])
    #expect(activities(found).count == 1 && found.records.faults.isEmpty)
    #expect(found.warnings.count == 1 && found.warnings[0].contains("activities/1.tcx"))
  }

  @Test func `a ride of the future is a bad row`() throws {
    let found = try read([row(1, "15.01.2034, 07:30:00", "Radfahrt")]) {
      $0.now = 1_705_303_800_000
    }
    #expect(activities(found).isEmpty && found.records.faults.map(\.row) == [2])
  }
}
