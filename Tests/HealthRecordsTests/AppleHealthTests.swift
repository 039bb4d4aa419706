import SyncKitFormats
import SyncKit
import Testing

@testable import HealthRecords

/// Apple Health's `export.xml`.
struct AppleHealthTests {
  /// An export with the broken document type of newer systems and a stray control character.
  static func export(_ body: String) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE HealthData [
    <!-- HealthKit Export Version: 12 -->
    <!ELEMENT HealthData (ExportDate,Me,(Record|Correlation|Workout)*)>
    <!ATTLIST HealthData
      locale CDATA #REQUIRED
    >
    <!ELEMENT Record ((MetadataEntry|HeartRateVariabilityMetadataList)*)>
    <!ATTLIST Correlation
      type CDATA #REQUIRED
    <!ATTLIST Broken device CDATA #IMPLIED
    ]>
    <HealthData locale="de_CH">
     <ExportDate value="2024-02-01 09:00:00 +0100"/>
    \(body)
    </HealthData>
    """
  }

  private func record(_ type: String, _ unit: String, _ value: String, _ date: String) -> String {
    """
     <Record type="HKQuantityTypeIdentifier\(type)" sourceName="An\u{B}na&#8217;s Watch" unit="\(unit)" \
    creationDate="\(date)" startDate="\(date)" endDate="\(date)" value="\(value)"/>
    """
  }

  private func read(
    _ body: String, _ options: HealthImportOptions = .anna
  ) throws
    -> ImportedRecords
  {
    try imported(Self.export(body), format: "xml", options)
  }

  @Test func `a broken document type and stray control characters are ignored`() throws {
    let read = try read(record("BodyMass", "kg", "72.5", "2024-01-15 08:00:00 +0100"))
    #expect(read.faults.isEmpty)
    #expect(read.drafts(.weight)[0].fields["date"] == "2024-01-15T08:00:00+01:00")
  }

  @Test func `a dense series is summed up by the days of where it was measured`() throws {
    let times = [
      "2024-01-15 00:10:00 +0100", "2024-01-15 12:00:00 +0100", "2024-01-16 00:10:00 +0100",
    ]
    let body = zip(times, ["60", "90", "70"]).map { record("HeartRate", "count/min", $1, $0) }
    let read = try read(body.joined(separator: "\n"))
    let days = read.drafts(.blood)
    #expect(days.map { $0.fields["date"] } == ["2024-01-15", "2024-01-16"])
    #expect(days[0].fields["value"] == 75.0)
    #expect(days[0].fields["minimum"] == 60.0 && days[0].fields["maximum"] == 90.0)
    #expect(days[0].fields["unit"] == "/min" && days[0].fields["code"] == "8867-4")
    #expect(days[1].fields["minimum"] == nil)
  }

  @Test func `every reading is kept where that is asked for`() throws {
    var options = HealthImportOptions.anna
    options.keepsEveryReading = true
    let times = ["2024-01-15 00:10:00 +0100", "2024-01-15 12:00:00 +0100"]
    let body = times.map { record("HeartRate", "count/min", "60", $0) }.joined()
    #expect(try read(body, options).drafts(.blood).count == 2)
  }

  @Test func `a day with readings of its own gets further ones, and no average`() throws {
    let first = record("HeartRate", "count/min", "60", "2024-01-15 08:00:00 +0100")
    let later = record("HeartRate", "count/min", "90", "2024-01-15 12:00:00 +0100")
    let other = record("HeartRate", "count/min", "70", "2024-01-16 12:00:00 +0100")
    var options = HealthImportOptions.anna
    options.keepsEveryReading = true
    let stored = try read(first, options).drafts(.blood)
    options.keepsEveryReading = false
    options.daysOfReadings = Set(HealthDomain.days(replacedBy: stored).keys)
    let entries = try read(first + later + other, options).drafts(.blood)
    #expect(
      entries.map { $0.fields["date"] } == [
        "2024-01-15T08:00:00+01:00", "2024-01-15T12:00:00+01:00", "2024-01-16",
      ])
    #expect(entries.first?.id == stored.first?.id)
  }

  @Test(arguments: [
    ("BloodGlucose", "mg/dL", ["97", "133"]), ("BodyTemperature", "degC", ["37", "38"]),
    ("OxygenSaturation", "%", ["0.88", "0.97"]), ("BodyFatPercentage", "%", ["0.21", "0.22"]),
    ("WaistCircumference", "cm", ["80", "82"]), ("RestingHeartRate", "count/min", ["50", "52"]),
    ("HeartRateVariabilitySDNN", "ms", ["41", "63"]),
    ("RespiratoryRate", "count/min", ["13", "16"]),
  ])
  func `readings that matter one by one are never averaged`(
    type: String, unit: String, values: [String]
  ) throws {
    let times = ["2024-01-15 08:00:00 +0100", "2024-01-15 12:00:00 +0100"]
    let body = zip(times, values).map { record(type, unit, $1, $0) }.joined()
    let entries = try read(body).drafts(.blood)
    #expect(entries.count == 2)
    #expect(entries.allSatisfy { $0.fields["minimum"] == nil })
    #expect(
      entries.compactMap { $0.fields["date"]?.string }.map { $0.prefix(13) } == [
        "2024-01-15T08", "2024-01-15T12",
      ])
  }

  @Test func `readings name the average of their day, which they replace`() throws {
    let times = ["2024-01-15 00:10:00 +0100", "2024-01-15 12:00:00 +0100"]
    let body = zip(times, ["60", "80"]).map { record("HeartRate", "count/min", $1, $0) }.joined()
    let average = try read(body).drafts(.blood).compactMap(\.id)
    var options = HealthImportOptions.anna
    options.keepsEveryReading = true
    let readings = try read(body, options).drafts(.blood)
    let days = HealthDomain.days(replacedBy: readings)
    let id = try #require(average.first)
    #expect(readings.count == 2 && days == [id: [60, 80]])
    #expect(HealthDomain.days(replacedBy: try read(body).rows.map(\.draft)) == [:])
  }

  @Test(
    arguments: [
      (["value": 70, "minimum": 60, "maximum": 80], true), (["value": 60], true),
      (["value": 70], false),
      (["value": 70, "minimum": 60, "maximum": 80, "comment": "fever"], false),
      (["value": 60, "date": "2024-01-15T00:00:01Z"], false),
    ] as [([FieldName: Value], Bool)])
  func `only an average, or the same value, makes way for readings`(
    fields: [FieldName: Value], isReplaced: Bool
  ) {
    var all: [FieldName: Value] = ["date": "2024-01-15", "name": "Heart rate", "unit": "/min"]
    all.merge(fields) { $1 }
    let record = Record(key: RecordKey(collection: "blood", id: "x"), fields: all)
    #expect(HealthDomain.isReplaced(record, by: [60, 80]) == isReplaced)
  }

  @Test func `the dates of the first exports are read`() throws {
    let read = try read(record("BodyMass", "kg", "72.5", "20150616071820-0700"))
    #expect(read.drafts(.weight)[0].fields["date"] == "2015-06-16T07:18:20-07:00")
  }

  @Test func `steps of a day are those of the source that counted most`() throws {
    let watch = record("StepCount", "count", "700", "2024-01-15 09:00:00 +0100")
    let phone = watch.replacing("Watch", with: "Phone").replacing("700", with: "900")
    let read = try read(watch + watch + phone)
    #expect(read.drafts(.blood)[0].fields["value"] == 1400.0)
    #expect(read.drafts(.blood)[0].fields["unit"] == "{steps}")
  }

  @Test func `a blood pressure comes from its correlation, once`() throws {
    let date = "2024-01-15 08:00:00 +0100"
    let halves =
      record("BloodPressureSystolic", "mmHg", "120", date)
      + record("BloodPressureDiastolic", "mmHg", "80", date)
    let pair = """
      <Correlation type="HKCorrelationTypeIdentifierBloodPressure" startDate="\(date)">\(halves)</Correlation>
      """
    let read = try read(halves + pair)
    #expect(read.drafts(.blood).map { $0.fields["name"] } == ["120/80 mmHg"])
    let single = try self.read(halves)
    #expect(single.drafts(.blood).map { $0.fields["name"] } == ["120/80 mmHg"])
    let half = try self.read(record("BloodPressureSystolic", "mmHg", "120", date))
    #expect(half.drafts(.blood).isEmpty && half.remarks.count == 1)
  }

  @Test(arguments: [
    ("BodyMass", "lb", "160", "weightKg", 72.575), ("BodyMass", "st", "11", "weightKg", 69.853),
    ("OxygenSaturation", "%", "0.97", "value", 97),
    ("BodyTemperature", "degF", "98.6", "value", 37),
    ("BloodGlucose", "mmol&lt;180.1558800000541>/L", "5", "value", 90.078),
    ("Height", "ft", "5.9", "value", 179.832), ("RestingHeartRate", "count/min", "52", "value", 52),
  ])
  func `units are converted to the ones that are stored`(
    type: String, unit: String, value: String, field: FieldName, stored: Double
  ) throws {
    let read = try read(record(type, unit, value, "2024-01-15 08:00:00 +0100"))
    #expect(read.faults.isEmpty)
    #expect(read.rows.first?.draft.fields[field] == .double(stored))
  }

  @Test func `birthday, sex and blood type fill in empty fields`() throws {
    let me = """
      <Me HKCharacteristicTypeIdentifierDateOfBirth="1980-02-29" \
      HKCharacteristicTypeIdentifierBiologicalSex="HKBiologicalSexFemale" \
      HKCharacteristicTypeIdentifierBloodType="HKBloodTypeAPositive" \
      HKCharacteristicTypeIdentifierFitzpatrickSkinType="HKFitzpatrickSkinTypeNotSet"/>
      """
    var options = HealthImportOptions.anna
    options.known = [
      Record(key: .root("subject", .anna), fields: ["personalGender": "N/A"])
    ]
    let draft = try read(me, options).rows.first?.draft
    #expect(draft?.id == .anna)
    #expect(draft?.fields == ["personalBirthdate": "1980-02-29", "bloodType": "A+"])
  }

  @Test func `elements that have no place here are counted by type`() throws {
    let noise = record("EnvironmentalAudioExposure", "dBASPL", "70", "2024-01-15 08:00:00 +0100")
    let read = try read(noise + noise + "<Workout/><ClinicalRecord/>")
    #expect(
      read.remarks == [
        "left out: ClinicalRecord elements (1)", "left out: Workout elements (1)",
        "left out: records of type HKQuantityTypeIdentifierEnvironmentalAudioExposure (2)",
      ])
  }

  @Test func `a bad record is reported by its line, never by its content`() throws {
    let bad = record("BodyMass", "furlong-secret", "72", "2024-01-15 08:00:00 +0100")
    let read = try read(record("BodyMass", "kg", "secret", "x") + "\n" + bad)
    #expect(read.faults.count == 2)
    #expect(read.faults.allSatisfy { ($0.row ?? 0) > 10 && !$0.message.contains("secret") })
  }

  @Test(arguments: [1, 7, 4096])
  func `it is the same however the file is cut`(size: Int) throws {
    let text = Self.export(record("BodyMass", "kg", "72.5", "2024-01-15 08:00:00 +0100"))
    let bytes = Array(text.utf8)
    var reader = try #require(
      try HealthDomain(importing: .anna).streamingImport(name: nil, format: nil, head: bytes))
    for start in stride(from: 0, to: bytes.count, by: size) {
      try reader.read(bytes[start..<min(start + size, bytes.count)])
    }
    #expect(try reader.finish().rows.count == 1)
  }

  @Test func `a file that ends too early is refused with its place alone`() throws {
    let text = Self.export("<Record secret='1'").dropLast(14)
    let message = refusal(of: String(text), format: "xml", .anna)
    #expect(message.contains("line") && !message.contains("secret"))
  }

  @Test func `it does not say whose it is, and other XML is left alone`() throws {
    #expect(refusal(of: Self.export(""), format: "xml").contains("whose"))
    let other = Array("<?xml version='1.0'?><ClinicalDocument/>".utf8)
    #expect(try HealthDomain().streamingImport(name: "x", format: "xml", head: other) == nil)
  }

  @Test func `memory grows with the days and not with the readings`() throws {
    let line = record("HeartRate", "count/min", "60", "2024-01-15 08:00:00 +0100")
    var reader = try AppleHealthImport(.anna)
    try reader.read(Array(Self.export("").dropLast(13).utf8)[...])
    let chunk = Array(repeatElement(line, count: 500).joined().utf8)
    for _ in 0..<20 { try reader.read(chunk[...]) }
    try reader.read(Array("</HealthData>".utf8)[...])
    let read = try reader.finish()
    #expect(read.rows.count == 1)
  }
}
