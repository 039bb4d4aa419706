import SyncKitFormats
import SyncKit

/// Turns the elements of Apple Health's export into entries.
final class AppleGatherer {
  /// Returns the reader's position in the file.
  weak var reader: XMLEventReader?
  private var collector: EntryCollector
  private let subject: RecordID
  private let keepsAll: Bool
  private let id: EntryID
  /// Whether the readings of a day become entries, for the days of dense series met so far.
  private var isKept: [AppleDay: Bool] = [:]
  private var rollup = AppleRollup()
  private var series: [String: Int] = [:]
  /// The open correlation: its type, and the records read within it.
  private var correlation: (type: String, pressure: Pressure)?
  /// Halves of blood pressures outside of any correlation, by time and source.
  private var halves: [String: Pressure] = [:]
  private var paired: Set<String> = []
  private var faultCount = 0

  private struct Pressure {
    var date = ""
    var systolic: Double?
    var diastolic: Double?
  }

  init(_ options: HealthImportOptions) throws {
    collector = EntryCollector(options)
    subject = try collector.chosenSubject()
    keepsAll = options.keepsEveryReading
    id = EntryID(subject: subject)
    for (index, one) in AppleSeries.all.enumerated() { series[Self.quantity + one.type] = index }
  }

  private static let quantity = "HKQuantityTypeIdentifier"
  private static let pressure = "HKCorrelationTypeIdentifierBloodPressure"

  func take(_ event: XMLEvent) {
    switch event {
    case .start("Record", let attributes): takeRecord(attributes)
    case .start("Correlation", let attributes):
      correlation = (attributes["type"] ?? "", Pressure(date: attributes["startDate"] ?? ""))
    case .end("Correlation"): endCorrelation()
    case .start("Me", let attributes): takeMe(attributes)
    case .start("Workout", _): collector.leaveOut("Workout elements")
    case .start("ClinicalRecord", _): collector.leaveOut("ClinicalRecord elements")
    case .start("Audiogram", _), .start("VisionPrescription", _):
      collector.leaveOut("Audiogram and VisionPrescription elements")
    default: break
    }
  }

  func finished() -> ImportedRecords {
    for (key, half) in halves.sorted(by: { $0.key < $1.key }) where !paired.contains(key) {
      add(half)
    }
    for fields in rollup.entries() { collector.entry(row: nil, .blood, of: subject, fields) }
    return collector.records()
  }

  private var line: Int { reader?.place.line ?? 0 }

  // MARK: Elements

  private func takeMe(_ attributes: XMLAttributes) {
    func value(_ name: String) -> String? {
      attributes["HKCharacteristicTypeIdentifier\(name)"].flatMap { $0.isEmpty ? nil : $0 }
    }
    var fields: [FieldName: Value] = [:]
    if let date = value("DateOfBirth"), HealthDate(date) != nil {
      fields[.birthdate] = .string(date)
    }
    if let sex = value("BiologicalSex"), sex != "HKBiologicalSexNotSet",
      let gender = Gender(named: sex)
    {
      fields[.gender] = .string(gender.rawValue)
    }
    if let type = value("BloodType").flatMap({ Self.bloodTypes[$0] }) {
      fields[.bloodType] = .string(type)
    }
    // A phone's data does not replace values that a person has entered.
    let known = collector.options.known.first { $0.key.id == subject }
    fields = fields.filter { known?.fields[$0.key] == nil }
    guard !fields.isEmpty else { return }
    _ = try? collector.subject(row: nil, statedID: nil, fields)
  }

  private static let bloodTypes: [String: String] = [
    "HKBloodTypeAPositive": "A+", "HKBloodTypeANegative": "A-", "HKBloodTypeBPositive": "B+",
    "HKBloodTypeBNegative": "B-", "HKBloodTypeABPositive": "AB+", "HKBloodTypeABNegative": "AB-",
    "HKBloodTypeOPositive": "O+", "HKBloodTypeONegative": "O-",
  ]

  private func takeRecord(_ attributes: XMLAttributes) {
    let type = attributes["type"] ?? ""
    switch type {
    case "HKQuantityTypeIdentifierBloodPressureSystolic": takePressure(attributes, \.systolic)
    case "HKQuantityTypeIdentifierBloodPressureDiastolic": takePressure(attributes, \.diastolic)
    case "HKQuantityTypeIdentifierBodyMass":
      guard let (value, date) = reading(attributes) else { return }
      guard let unit = MassUnit(named: attributes["unit"] ?? "") else { return fail("unit") }
      collector.entry(
        row: line, .weight, of: subject,
        [.date: .string(date.text), .weightKg: .double((value * unit.kilograms).inThousandths)])
    default:
      guard let index = series[type] else { return leaveOut(type) }
      takeSeries(index, attributes)
    }
  }

  private func leaveOut(_ type: String) {
    let isName = type.utf8.count <= 80 && type.utf8.allSatisfy { $0.isDigit || $0 | 0x20 >= 0x61 }
    collector.leaveOut(isName ? "records of type \(type)" : "records of an unreadable type")
  }

  private func takeSeries(_ index: Int, _ attributes: XMLAttributes) {
    guard let (value, date) = reading(attributes) else { return }
    let series = AppleSeries.all[index]
    guard let converted = series.convert(value, attributes["unit"] ?? ""), converted.isFinite else {
      return fail("unit")
    }
    let day = date.day ?? date.text
    if series.density == .total || series.density == .dense && !keepsReadings(of: index, day) {
      rollup.add(converted, series: index, day: day, source: attributes["sourceName"] ?? "")
    } else {
      var fields = series.fields(converted)
      fields[.date] = .string(date.text)
      collector.entry(row: line, .blood, of: subject, fields)
    }
  }

  private func keepsReadings(of series: Int, _ day: String) -> Bool {
    let known = collector.options.daysOfReadings
    if keepsAll || known.isEmpty { return keepsAll }
    let key = AppleDay(series: series, day: day)
    if let isKept = isKept[key] { return isKept }
    let summary = id.derived(.blood, date: day, name: AppleSeries.all[series].name, ordinal: 0)
    isKept[key] = known.contains(summary)
    return known.contains(summary)
  }

  private func reading(_ attributes: XMLAttributes) -> (Double, HealthDate)? {
    let number = attributes["value"].flatMap { Double(plain: $0) ?? Double($0) }
    guard let value = number, value.isFinite else {
      fail("value")
      return nil
    }
    guard let date = attributes["startDate"].flatMap(Self.date) else {
      fail("startDate")
      return nil
    }
    return (value, date)
  }

  /// The form of today, `2024-01-15 08:00:00 +0100`, or that of 2015, `20150115080000+0100`.
  private static func date(_ text: String) -> HealthDate? {
    if let date = HealthDate(text) { return date }
    let digits = text.prefix { $0.isNumber }
    guard digits.utf8.count == 14 else { return nil }
    func part(_ from: Int, _ count: Int) -> Substring { digits.dropFirst(from).prefix(count) }
    return HealthDate(
      "\(part(0, 4))-\(part(4, 2))-\(part(6, 2))T\(part(8, 2)):\(part(10, 2)):\(part(12, 2))"
        + text.dropFirst(14))
  }

  // MARK: Blood pressure

  private func takePressure(
    _ attributes: XMLAttributes, _ part: WritableKeyPath<Pressure, Double?>
  ) {
    guard let (value, date) = reading(attributes) else { return }
    guard let unit = PressureUnit(named: attributes["unit"] ?? "") else { return fail("unit") }
    let stored = unit.millimetresOfMercury(value)
    let key = "\(date.start) \(attributes["sourceName"] ?? "")"
    if correlation != nil {
      correlation?.pressure[keyPath: part] = stored
      correlation?.pressure.date = date.text
      // The same halves appear again outside of the correlation.
      paired.insert(key)
    } else {
      var half = halves[key] ?? Pressure(date: date.text)
      half[keyPath: part] = stored
      halves[key] = half
    }
  }

  private func endCorrelation() {
    defer { correlation = nil }
    guard let correlation else { return }
    guard correlation.type == Self.pressure else {
      return collector.leaveOut("correlations of other types")
    }
    add(correlation.pressure)
  }

  private func add(_ pressure: Pressure) {
    guard let upper = pressure.systolic, let lower = pressure.diastolic,
      let pair = BloodPressure(systolic: upper, diastolic: lower)
    else { return collector.leaveOut("blood pressures with only one value") }
    collector.entry(
      row: line, .blood, of: subject,
      [.date: .string(pressure.date), "name": .string(pair.text)])
  }

  /// Records a bad attribute; of very many only the first, as a broken file may have a million.
  private func fail(_ attribute: String) {
    faultCount += 1
    guard faultCount <= 1000 else {
      return collector.leaveOut("further unreadable records")
    }
    collector.fail(line, attribute, "Could not read the attribute '\(attribute)' of a record.")
  }
}
