import LocalMachine
import CommandFoundation
import SyncKitFormats
import Testing

@testable import CloudSyncCommands

/// Files that were given to the command of another domain, or that no command reads.
struct WrongFileTests {
  /// A file by its name and content.
  struct File: Sendable, CustomTestStringConvertible {
    var name: String
    var bytes: [UInt8]
    var testDescription: String { name }

    init(_ name: String, _ text: String) { (self.name, bytes) = (name, Array(text.utf8)) }

    /// An archive of empty files, or of files with a text.
    init(_ name: String, holding paths: [String], _ text: String = "x\n") {
      var writer = ZipWriter()
      for path in paths { try? writer.add(path, Array(text.utf8)) }
      (self.name, bytes) = (name, writer.finish())
    }
  }

  private func run(
    _ words: [String], _ file: File, _ extra: [String] = []
  ) async throws -> TestMachine.Outcome {
    let machine = try TestMachine()
    let path = machine.home.path + "/" + file.name
    try LocalFile.replace(path, with: file.bytes)
    return await machine.run(words + [path] + extra)
  }

  private static let known: [(file: File, what: String, reader: String)] = [
    (
      File("letterboxd-sample.zip", holding: ["profile.csv", "watched.csv", "ratings.csv"]),
      "a Letterboxd archive", "media import"
    ),
    (
      File("data.zip", holding: ["watched-history-1.json", "ratings-movies.json"], "[]"),
      "a Trakt archive", "media import"
    ),
    (
      File("ratings.csv", "Const,Your Rating,Date Rated,Title,URL,Title Type\n"),
      "a table of IMDb", "media import"
    ),
    (
      File("diary.csv", "Date,Name,Year,Letterboxd URI,Rating\n"), "a table of Letterboxd",
      "media import"
    ),
    (
      File("export.csv", "media_id,source,media_type,title,score,status\n"), "a table of Yamtrack",
      "media import"
    ),
    (
      File("list.xml", "<?xml version=\"1.0\"?>\n<myanimelist>\n"), "a list of MyAnimeList",
      "media import"
    ),
    (
      File("backup.json", #"{"version": 1, "lists": [], "titles": []}"#), "a backup of MediaWatch",
      "media import"
    ),
    (
      File("export.zip", holding: ["apple_health_export/export.xml"]), "an export of Apple Health",
      "health import"
    ),
    (
      File("export.xml", "<?xml version=\"1.0\"?>\n<HealthData locale=\"en_US\">\n"),
      "an export of Apple Health", "health import"
    ),
    (
      File("bundle.json", #"{"resourceType": "Bundle", "entry": ["#), "a FHIR document",
      "health import"
    ),
    (
      File("pressure.csv", "Date;Systolic;Diastolic;Pulse\n2024-01-01;120;80;60\n"),
      "a table of blood pressures", "health import"
    ),
    (
      File("export_1.zip", holding: ["activities.csv", "bikes.csv", "activities/1.fit.gz"]),
      "a Strava archive", "bike ride import"
    ),
    (
      File("activities.csv", "Activity ID,Activity Date,Activity Name,Activity Type\n"),
      "Strava's table of activities", "bike ride import"
    ),
    (
      File("ride.gpx", "<?xml version=\"1.0\"?>\n<gpx version=\"1.1\"></gpx>\n"), "a GPX recording",
      "bike ride import"
    ),
    (
      File("ride.tcx", "<TrainingCenterDatabase></TrainingCenterDatabase>"), "a TCX recording",
      "bike ride import"
    ),
    (File("ride.fit", "\u{0E}\u{10}abcdef.FIT\0\0"), "a FIT recording", "bike ride import"),
    (
      File("app.plist", "<?xml version=\"1.0\"?>\n<plist version=\"1.0\"><dict/></plist>\n"),
      "a property list", "settings capture"
    ),
    (
      File("airports.csv", "id,ident,type,name,iata_code,icao_code,gps_code\n"),
      "a table of airports", "airports import"
    ),
    (
      File("airports.json", #"{"KJFK": {"icao": "KJFK", "iata": "JFK", "name": "A"}}"#),
      "a list of airports", "airports import"
    ),
    (
      File("codes.json", #"{"UserAirportMappings": {"JFK": "KJFK"}}"#), "a map of airport codes",
      "airports import"
    ),
  ]

  @Test(arguments: known.indices)
  func `a command names the one that reads the file`(index: Int) async throws {
    let (file, what, reader) = Self.known[index]
    let own = String(reader.split(separator: " ")[0])
    for domain in ["airports", "settings", "health", "media", "bike"] where domain != own {
      let outcome = try await run([domain, "import"], file)
      #expect(outcome.status == 65, "\(domain)")
      #expect(outcome.error.contains("\(file.name): this is \(what)"), "\(outcome.error)")
      #expect(outcome.error.contains("'cloudsync \(reader)' reads it"), "\(outcome.error)")
    }
    // The domain itself does not call its own file a wrong one.
    let words =
      reader == "settings capture"
      ? ["settings", "import"]
      : reader.split(separator: " ")
        .map(String.init)
    let outcome = try await run(words, file, ["--dry-run"])
    #expect(outcome.error.contains("reads it") == (reader == "settings capture"))
  }

  @Test func `rides are not imported by the generic verb`() async throws {
    let file = File("ride.gpx", "<gpx version=\"1.1\"></gpx>")
    let outcome = try await run(["bike", "import"], file)
    #expect(outcome.status == 65)
    #expect(outcome.error.contains("'cloudsync bike ride import' reads it"))
  }

  @Test(
    arguments: [
      (File("table.xlsx", holding: ["[Content_Types].xml", "xl/workbook.xml"]), "Excel workbook"),
      (File("table.ods", holding: ["mimetype", "content.xml"]), "office program"),
      (File("paper.pdf", "%PDF-1.7\n"), "a PDF document"),
      (File("data.sqlite", "SQLite format 3\0\0\0"), "an SQLite database"),
      (File("data.rar", "Rar!\u{1A}"), "an archive of another kind than ZIP"),
      (File("login.html", "<!DOCTYPE html>\n<html><body>x</body></html>"), "a web page"),
      (File("data.xml", "<?xml version=\"1.0\"?>\n<records/>"), "an XML file of a kind"),
      (
        File("other.zip", holding: ["a.txt", "b.txt", "c.txt", "d.txt", "e.txt"]),
        "it holds a.txt, b.txt, c.txt and 2 more"
      ),
    ] as [(File, String)])
  func `a file that no command reads is named too`(file: File, what: String) async throws {
    for domain in ["airports", "settings", "bike"] {
      let outcome = try await run([domain, "import"], file)
      #expect(outcome.status == 65)
      #expect(outcome.error.contains(what), "\(domain): \(outcome.error)")
      #expect(!outcome.error.contains("no format"), "\(outcome.error)")
    }
  }

  @Test func `a document of another domain is named`() async throws {
    let file = File("list.json", #"{"schema": "cloudsync.media.list/1", "records": []}"#)
    let outcome = try await run(["airports", "import"], file)
    #expect(outcome.status == 65)
    #expect(outcome.error.contains("a document of the domain media"))
    #expect(try await run(["media", "import"], file).status == 0)
  }

  @Test func `whoever states a format is believed`() async throws {
    let file = File("airports.csv", "iata,icao\nJFK,KJFK\n")
    let outcome = try await run(["media", "import"], file, ["--format", "csv"])
    #expect(!outcome.error.contains("a table of airports"))
  }

  @Test(arguments: ["pairs.bak", "pairs", "pairs.2024", "pairs.dat", "pairs.JSON"])
  func `a name's extension is no choice of format`(name: String) async throws {
    let text = name.hasSuffix("JSON") ? #"{"JFK": "KJFK"}"# : "iata,icao\nJFK,KJFK\n"
    let outcome = try await run(["airports", "import"], File(name, text), ["--json"])
    #expect(outcome.status == 0)
    #expect(outcome.document["added"]?.int == 1)
  }

  @Test func `a dry run says what would become of each kind of row`() async throws {
    let table = """
      iata,icao,name
      JFK,KJFK,A
      LHR,EGLL,B
      ,EDAY,C
      YCK,CEB3,D
      """
    let told = try await run(["airports", "import"], File("t.csv", table), ["--dry-run"])
    #expect(told.status == 0)
    #expect(told.error.contains("the rows of the file would be:"))
    #expect(told.error.contains("   2  mapping                                added"))
    #expect(told.error.contains("   1  no IATA code                           passed over"))
    let document = try await run(
      ["airports", "import"], File("t.csv", table), ["--dry-run", "--json"]
    ).document
    #expect(
      document["kinds"]?.array?.map { $0["kind"]?.string } == [
        "mapping", "no IATA code", "a local code in place of an ICAO code",
      ])
    #expect(document["kinds"]?.array?.map { $0["count"]?.int } == [2, 1, 1])
    #expect(document["kinds"]?[0]?["added"]?.int == 2)
    #expect(document["kinds"]?[1]?["passedOver"]?.int == 1)
    #expect(try Schemas.problems(in: document, by: "write").isEmpty)
  }

  @Test func `a dry run of a file with bad rows says that nothing would be written`() async throws {
    let file = File("t.csv", "iata,icao\nJFK,KJFK\nXX,KABC\n")
    let refused = try await run(["airports", "import"], file, ["--dry-run"])
    #expect(refused.status == 65)
    #expect(refused.error.contains("   1  mapping  not written"))
    #expect(refused.error.contains("   1  bad      refused"))
    let skipped = try await run(["airports", "import"], file, ["--dry-run", "--skip-bad"])
    #expect(skipped.status == 3)
    #expect(skipped.error.contains("   1  mapping  added"))
    #expect(skipped.error.contains("   1  bad      skipped"))
  }

  @Test func `texts of spreadsheets are read by every domain`() async throws {
    let text = "id,name\nb1,Zürich\n"
    let utf16: [UInt8] =
      [0xFF, 0xFE] + Array(text.utf16).flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    let machine = try TestMachine()
    let path = machine.home.path + "/bikes.csv"
    try LocalFile.replace(path, with: utf16)
    let first = await machine.run("bike", "import", path, "--json")
    #expect(first.document["added"]?.int == 1)
    try LocalFile.replace(path, with: text.unicodeScalars.map { UInt8($0.value) })
    let second = await machine.run("bike", "import", path, "--json")
    #expect(second.document["unchanged"]?.int == 1)
    #expect(
      second.document["warnings"] == [
        "the file is not UTF-8 and was read as Windows-1252 (Latin-1)"
      ])
  }

  @Test func `a text is read in the encoding that a person names`() async throws {
    let machine = try TestMachine()
    let path = machine.home.path + "/bikes.csv"
    // "Велосипед" in Windows-1251.
    let word: [UInt8] = [0xC2, 0xE5, 0xEB, 0xEE, 0xF1, 0xE8, 0xEF, 0xE5, 0xE4]
    try LocalFile.replace(path, with: Array("id,name\nb1,".utf8) + word + [0x0A])
    let unclear = await machine.run("airports", "import", path, "--json")
    #expect(unclear.failure["hint"]?.string?.contains("--encoding") == true)
    let read = await machine.run("bike", "import", path, "--encoding", "windows-1251", "--json")
    #expect(read.document["added"]?.int == 1 && read.document["warnings"] == [])
    let shown = await machine.run("bike", "show", "b1", "--json")
    #expect(shown.document["fields"]?["name"]?.string == "Велосипед")
    let unknown = await machine.run("bike", "import", path, "--encoding", "klingon", "--json")
    #expect(unknown.status == 64)
    #expect(unknown.failure["hint"]?.string?.contains("koi8-r") == true)
    let wrong = await machine.run("bike", "import", path, "--encoding", "utf-8", "--json")
    #expect(wrong.status == 65)
    #expect(
      wrong.failure["message"]?.string?.contains("bikes.csv: line 2: not valid utf-8") == true)
    var archive = ZipWriter()
    try archive.add("a.csv", Array("id\nb2\n".utf8))
    try LocalFile.replace(path, with: archive.finish())
    let packed = await machine.run("bike", "import", path, "--encoding", "big5", "--json")
    #expect(packed.status == 64)
    try LocalFile.replace(path, with: Array("<?xml version=\"1.0\" encoding=\"big5\"?><a/>".utf8))
    let marked = await machine.run("health", "import", path, "--encoding", "big5", "--json")
    #expect(marked.status == 64)
    let folder = await machine.run(
      "media", "import", machine.home.path, "--encoding", "big5", "--json")
    #expect(folder.status == 64)
  }
}
