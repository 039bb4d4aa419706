import SyncKitFormats
import Testing

/// Health records from and to files, through the real program.
struct HealthImportTests {
  private static let export = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE HealthData [
    <!ATTLIST Correlation
      type CDATA #REQUIRED
    <!ATTLIST Broken device CDATA #IMPLIED
    ]>
    <HealthData locale="en_US">
     <Me HKCharacteristicTypeIdentifierDateOfBirth="1980-02-29"/>
     <Record type="HKQuantityTypeIdentifierBodyMass" unit="lb" startDate="2024-01-15 08:00:00 +0100" value="160"/>
     <Record type="HKQuantityTypeIdentifierHeartRate" unit="count/min" startDate="2024-01-15 08:00:00 +0100" value="60"/>
     <Record type="HKQuantityTypeIdentifierHeartRate" unit="count/min" startDate="2024-01-15 09:00:00 +0100" value="90"/>
     <Record type="HKQuantityTypeIdentifierNoise" unit="dB" startDate="2024-01-15 09:00:00 +0100" value="90"/>
    </HealthData>
    """

  @Test func `Apple Health's archive is read as it comes, and again without doubling`() async throws
  {
    let device = try TestDevice()
    try await device.succeed("health", "subject", "add", "Anna")
    var writer = ZipWriter()
    try writer.add("apple_health_export/export_cda.xml", Array("<ClinicalDocument/>".utf8))
    try writer.add("apple_health_export/export.xml", Array(Self.export.utf8))
    try Files.write(writer.finish(), to: device.path("export.zip"))
    let first = try await device.json(
      "health", "import", device.path("export.zip"), "--subject", "anna")
    #expect(first.counts == [2, 1, 0, 0])
    #expect(first["warnings"]?.array?.count == 1)
    let again = try await device.json(
      "health", "import", device.path("export.zip"), "--subject", "anna")
    #expect(again["batch"] == .null)
    #expect(
      try await device.titles("Anna") == ["72.575 kg", "Heart rate: 75 /min (60 to 90 /min)"])
  }

  @Test func `a day has its readings or their average, whichever import comes last`() async throws {
    let device = try TestDevice()
    try await device.succeed("health", "subject", "add", "Anna")
    let file = device.path("export.xml")
    try Files.write(Array(Self.export.utf8), to: file)
    func load(_ options: String...) async throws -> JSON {
      try await device.json(["health", "import", file, "--subject", "anna"] + options)
    }
    #expect(try await load("--every-reading").counts == [3, 1, 0, 0])
    #expect(try await load()["batch"] == .null)
    #expect(
      try await device.titles("Anna").sorted() == [
        "72.575 kg", "Heart rate: 60 /min", "Heart rate: 90 /min",
      ])
  }

  @Test func `how a table was read is a note and no warning`() async throws {
    let device = try TestDevice()
    try await device.succeed("health", "subject", "add", "Anna")
    try Files.write(
      Array("Datum;Gewicht (kg);Laune\n2026-02-01;72,4;gut\n".utf8), to: device.path("w.csv"))
    let command = [
      "health", "import", device.path("w.csv"), "--subject", "anna", "--ignore-other-columns",
    ]
    let rehearsed = try await device.json(command + ["--dry-run"])
    #expect(rehearsed["warnings"]?.array == [])
    #expect(
      rehearsed["notes"]?.array?.compactMap(\.string) == [
        "columns used: Datum as date; Gewicht (kg) as weight", "columns not used: Laune",
      ])
    let said = try await device.run(command)
    #expect(said.error.contains("columns not used: Laune"))
    #expect(!said.error.contains("warning"))
  }

  @Test func `a column of a table may name the zones of its times`() async throws {
    let device = try TestDevice()
    try await device.succeed("health", "subject", "add", "Anna")
    try Files.write(
      Array(
        """
        date,time zone,weight kg
        2026-07-01 08:00:00,Europe/Zurich,72
        2026-12-01 08:00:00,Europe/Zurich,73
        2026-12-02 08:00:00,America/New_York,74

        """.utf8), to: device.path("w.csv"))
    try await device.succeed("health", "import", device.path("w.csv"), "--subject", "anna")
    let shown = try await device.json("health", "entry", "list", "anna")
    let dates = shown["records"]?.array?.compactMap { $0["fields"]?["date"]?.string }
    #expect(
      dates?.sorted() == [
        "2026-07-01T08:00:00+02:00", "2026-12-01T08:00:00+01:00", "2026-12-02T08:00:00-05:00",
      ])
  }

  @Test func `a file that does not say whose it is needs a subject`() async throws {
    let device = try TestDevice()
    let outcome = try await device.run(
      "health", "import", "-", "--format", "csv", "--json", input: "date,weight kg\n2024,72\n")
    expectFailure(outcome, 65, "input.invalid")
    #expect(outcome.failure["hint"]?.string?.contains("--subject") == true)
  }

  @Test(arguments: ["json", "fhir", "fhir-r5", "cloud", "app"])
  func `what is exported comes back on another device`(format: String) async throws {
    let device = try TestDevice()
    try await device.succeed(
      "health", "subject", "add", "Anna Schmidt", "personalBirthdate=1980-02-29")
    try await device.succeed("health", "entry", "add", "Anna", "blood", "120/80 mmHg")
    try await device.succeed("health", "entry", "add", "Anna", "drug", "Ramipril 5 mg")
    let file = device.path("anna.json")
    try await device.succeed("health", "export", file, "--format", format, "--subject", "Anna")
    #expect(Files.mode(file) == 0o600)
    let other = try TestDevice()
    try await other.succeed("health", "import", file)
    #expect(try await other.titles("Anna") == ["120/80 mmHg", "Ramipril 5 mg"])
    #expect(try await other.json("health", "import", file)["batch"] == .null)
    #expect(try await other.subjects().map { $0["scope"] } == ["local"])
  }

  private static let denials = """
    {"resourceType":"Bundle","type":"collection","entry":[
    {"resource":{"resourceType":"Patient","id":"p","name":[{"family":"Muster","given":["Mia"]}]}},
    {"resource":{"resourceType":"AllergyIntolerance","code":{"text":"Nuts"},"patient":{"reference":"Patient/p"},
     "verificationStatus":{"coding":[{"code":"refuted"}]}}},
    {"resource":{"resourceType":"AllergyIntolerance","code":{"text":"No known allergies"},
     "patient":{"reference":"Patient/p"}}},
    {"resource":{"resourceType":"MedicationRequest","status":"stopped","intent":"order",
     "medicationCodeableConcept":{"text":"Warfarin"},"subject":{"reference":"Patient/p"}}},
    {"resource":{"resourceType":"Condition","code":{"text":"Asthma"},"subject":{"reference":"Patient/other"}}}]}
    """

  @Test func `what a bundle denies or ends is no fact of today`() async throws {
    let device = try TestDevice()
    try Files.write(Array(Self.denials.utf8), to: device.path("mia.json"))
    let result = try await device.json("health", "import", device.path("mia.json"))
    #expect(result["warnings"]?.array?.count == 2)
    let summary = try await device.json("health", "summary", "Mia")
    let sections = summary["sections"]?.array ?? []
    #expect(sections.first?["state"] == "noneKnown")
    #expect(sections.dropFirst().prefix(2).map { $0["state"] } == ["notRecorded", "notRecorded"])
    #expect(sections.last?["title"] == "No longer current")
    #expect(sections.last?["items"]?[0]?["title"] == "Warfarin")
  }

  @Test func `messages name the field and never its value`() async throws {
    let device = try TestDevice()
    try await device.succeed("health", "subject", "add", "Anna")
    let runs: [([String], String)] = [
      (["import", "-", "--subject", "Anna", "--format", "csv"], "date,weight kg\nSECRET,72\n"),
      (
        ["import", "-", "--subject", "Anna"],
        #"{"exportVersion":1,"blood":[{"bloodDate":"SECRET"}]}"#
      ),
      (
        ["import", "-"],
        #"{"records":[{"collection":"subject","id":"x","fields":{"isPet":"SECRET"}}]}"#
      ),
      (["import", "-"], #"{"uuid":"x","isPet":0,"schemaVersion":1,"bloodEntries":"SECRET"}"#),
      (["entry", "add", "Anna", "weight", "SECRET kg"], ""),
      (["entry", "add", "Anna", "weight", "weightKg=SECRET"], ""),
      (["entry", "add", "Anna", "blood", "x", "--date", "SECRET"], ""),
      (["set", "Anna", "isPet=SECRET"], ""), (["set", "Anna", "personalBirthdate=SECRET"], ""),
    ]
    for (arguments, input) in runs {
      for form in [["--json"], ["-vv"]] {
        let outcome = try await device.run(["health"] + arguments + form, input: input)
        #expect(outcome.status == 65, "\(arguments): \(outcome.error)")
        #expect(
          !outcome.output.contains("SECRET") && !outcome.error.contains("SECRET"), "\(arguments)")
      }
    }
  }
}
