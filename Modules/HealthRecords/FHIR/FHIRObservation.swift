import SyncKitFormats
import SyncKit

/// Reads an observation of another program: one value, a blood pressure, or a value for each component.
///
/// A component is a reading of its own, so that half of a blood pressure and a part of a panel stay.
struct FHIRObservation {
  /// One reading of an observation.
  struct Entry {
    var kind: EntryKind
    var fields: [FieldName: Value]
    /// Whether it stands for the observation itself, and not for one component.
    var isWhole: Bool
  }

  private let json: JSON
  private let resource: FHIRResource
  /// The readings; none when there is no value.
  let entries: [Entry]
  /// The number of components without a value.
  let emptyParts: Int

  init(_ resource: FHIRResource) {
    self.resource = resource
    json = resource.json
    let kind = resource.collection.flatMap { EntryKind($0) } ?? .blood
    let reader = FHIREntryReader(resource)
    var entries: [Entry] = []
    let own = reader.fields(kind)
    let hasValue =
      own[.value] != nil || own[.result] != nil || own[.systolic] != nil || own[.weightKg] != nil
    if hasValue { entries.append(Entry(kind: kind, fields: own, isWhole: true)) }
    var empty = 0
    for part in json["component"]?.array ?? [] {
      if own[.systolic] != nil, BloodPressure.isPart(part["code"]) { continue }
      guard let value = FHIRValue(part), let name = part["code"]?.words else {
        empty += 1
        continue
      }
      var fields = reader.shared
      fields["name"] = .string(name)
      fields.merge(value.fields) { $1 }
      if let code = part["code"]?.code(in: FHIRTerms.loinc) { fields[.code] = .string(code) }
      let comment = [fields["comment"]?.string, FHIREntryReader.remarks(onValue: part)]
        .compactMap(\.self)
      if !comment.isEmpty { fields["comment"] = .string(comment.joined(separator: "\n")) }
      entries.append(Entry(kind: .blood, fields: fields, isWhole: false))
    }
    self.entries = entries
    emptyParts = entries.isEmpty ? 0 : empty
  }

  /// Why there is no reading.
  var reasonWithoutEntry: String {
    if let members = json["hasMember"]?.array ?? json["related"]?.array, !members.isEmpty {
      return "that only group others"
    }
    let value = json.object?.members.first { $0.key.hasPrefix("value") }
    return value.map { "with a \($0.key) that is not read" } ?? "without a value"
  }
}

/// A value of an observation or a component: a number with its unit, or a text.
struct FHIRValue {
  private(set) var fields: [FieldName: Value] = [:]

  /// Reads the value; nil without one.
  init?(_ json: JSON) {
    if let quantity = json["valueQuantity"], let value = quantity.quantityValue {
      fields[.value] = .double(value)
      fields[.unit] = .string(quantity.quantityUnit ?? "1")
      guard let text = quantity["comparator"]?.string else { return }
      if let sign = Comparator(named: text) {
        fields[.comparator] = .string(sign.rawValue)
      } else {
        // A sign that is not understood, such as `ad` for "sufficient to reach": the words stay.
        fields = [.result: .string(quantity.quantityWords ?? value.plainText)]
      }
      return
    }
    guard let words = Self.words(json)?.nonEmpty else { return nil }
    fields[.result] = .string(words)
  }

  private static func words(_ json: JSON) -> String? {
    if let text = json["valueString"]?.string { return text }
    if let words = json["valueCodeableConcept"]?.words { return words }
    if let truth = json["valueBoolean"]?.bool { return truth ? "yes" : "no" }
    if let number = json["valueInteger"]?.double { return number.plainText }
    if let range = json["valueRange"]?.rangeWords { return range }
    if let ratio = json["valueRatio"]?.ratioWords { return ratio }
    if let period = json["valuePeriod"]?.periodWords { return period }
    return json["valueDateTime"]?.string ?? json["valueTime"]?.string
  }
}

extension BloodPressure {
  private static let upper: Set<String> = [
    "8480-6", "8459-0", "8460-8", "8461-6", "271649006",
  ]
  private static let lower: Set<String> = [
    "8462-4", "8453-3", "8454-1", "8455-8", "271650006",
  ]

  private static func has(_ concept: JSON?, _ codes: Set<String>) -> Bool {
    (concept?["coding"]?.array ?? []).contains { codes.contains($0["code"]?.string ?? "") }
  }

  /// Whether a concept is one of the two halves.
  static func isPart(_ concept: JSON?) -> Bool { has(concept, upper) || has(concept, lower) }

  /// The pair of a panel; nil unless both halves are there, exact and in a known unit.
  init?(panel json: JSON) {
    func part(_ codes: Set<String>) -> Double? {
      let parts = json["component"]?.array ?? []
      let found = parts.first { Self.has($0["code"], codes) }
      guard let quantity = found?["valueQuantity"], quantity["comparator"] == nil,
        let value = quantity.quantityValue,
        let unit = PressureUnit(named: quantity.quantityUnit ?? "")
          ?? PressureUnit(named: quantity["unit"]?.string ?? "")
      else { return nil }
      return unit.millimetresOfMercury(value)
    }
    guard let systolic = part(Self.upper), let diastolic = part(Self.lower) else { return nil }
    self.init(systolic: systolic, diastolic: diastolic)
  }
}
