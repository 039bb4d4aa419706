import SyncKit

/// A kind of measurement in a table, and the units in which tables have it.
///
/// The names are those under which Apple Health's readings are stored, so that both are one series.
enum VitalSign: String, CaseIterable {
  case heartRate = "Heart rate"
  case restingHeartRate = "Resting heart rate"
  case heartRateVariability = "Heart rate variability"
  case respiratoryRate = "Respiratory rate"
  case temperature = "Body temperature"
  case glucose = "Blood glucose"
  case oxygen = "Oxygen saturation"
  case meanPressure = "Mean arterial pressure"
  case bodyFat = "Body fat"
  case fatMass = "Body fat mass"
  case muscle = "Muscle mass"
  case water = "Body water"
  case bone = "Bone mass"
  case visceralFat = "Visceral fat"
  case bodyMassIndex = "Body mass index"
  case height = "Body height"
  case waist = "Waist circumference"
  case hip = "Hip circumference"
  case chest = "Chest circumference"
  case neck = "Neck circumference"
  case arm = "Arm circumference"
  case thigh = "Thigh circumference"
  case calf = "Calf circumference"
  case steps = "Steps"

  /// A value as it is stored.
  struct Stored: Equatable {
    var name: String
    var value: Double
    var unit: String
    var loinc: String?

    /// The fields of a reading, without its date.
    var fields: [FieldName: Value] {
      var fields: [FieldName: Value] = [
        "name": .string(name), .value: .double(value), .unit: .string(unit),
      ]
      if let loinc { fields[.code] = .string(loinc) }
      return fields
    }
  }

  /// Whether 0 means that nothing was measured, as scales and watches write it.
  var isNeverZero: Bool { self != .steps }

  /// Converts a value of a unit to the stored one.
  ///
  /// - Parameters:
  ///   - value: The number.
  ///   - unit: Its unit as the table writes it; nil where it names none.
  ///   - lengths: The unit of lengths without one, where the table's program always has the same.
  ///   - masses: The unit of masses without one, likewise.
  /// - Returns: The value; nil for a unit that the kind does not have, and where a unit is needed.
  func stored(
    _ value: Double, _ unit: String?, lengths: String? = nil, masses: MassUnit? = nil
  ) -> Stored? {
    let unit = unit.map(Self.plain)
    func plain(_ unit: String, _ loinc: String? = nil) -> Stored {
      Stored(name: rawValue, value: value, unit: unit, loinc: loinc)
    }
    switch self {
    case .heartRate: return isRate(unit) ? plain("/min", "8867-4") : nil
    case .restingHeartRate: return isRate(unit) ? plain("/min", "40443-4") : nil
    case .respiratoryRate: return isRate(unit) ? plain("/min", "9279-1") : nil
    case .heartRateVariability: return unit == nil || unit == "ms" ? plain("ms", "80404-7") : nil
    case .steps:
      return unit == nil || Self.counts.contains(unit ?? "") ? plain("{steps}", "41950-7") : nil
    case .visceralFat: return unit == nil || Self.levels.contains(unit ?? "") ? plain("1") : nil
    case .bodyMassIndex:
      return unit == nil || unit?.hasPrefix("kg/m") == true ? plain("kg/m2", "39156-5") : nil
    case .temperature: return temperature(value, unit)
    case .glucose: return glucose(value, unit)
    case .oxygen:
      guard unit == nil || unit == "%" else { return nil }
      return Stored(
        name: rawValue, value: value <= 1 ? value * 100 : value, unit: "%", loinc: "59408-5")
    case .meanPressure:
      guard let pressure = unit.map({ PressureUnit(named: $0) }) ?? .millimetresOfMercury else {
        return nil
      }
      return Stored(
        name: rawValue, value: pressure.millimetresOfMercury(value), unit: PressureUnit.stored,
        loinc: "8478-0")
    case .bodyFat, .fatMass, .muscle, .water, .bone: return part(value, unit, masses)
    case .height, .waist, .hip, .chest, .neck, .arm, .thigh, .calf:
      return length(value, unit ?? lengths)
    }
  }

  private func isRate(_ unit: String?) -> Bool { unit == nil || Self.rates.contains(unit ?? "") }

  private func temperature(_ value: Double, _ unit: String?) -> Stored? {
    let celsius: Double? =
      switch unit {
      case "c"?, "celsius"?, "degc"?, "cel"?: value
      case "f"?, "fahrenheit"?, "degf"?: (value - 32) / 1.8
      // The temperatures of living people and pets in one unit are none in the other.
      case nil where 30...45 ~= value: value
      case nil where 86...113 ~= value: (value - 32) / 1.8
      default: nil
      }
    return celsius.map {
      Stored(name: rawValue, value: $0.inThousandths, unit: "Cel", loinc: "8310-5")
    }
  }

  private func glucose(_ value: Double, _ unit: String?) -> Stored? {
    switch unit {
    case "mg/dl"?: Stored(name: rawValue, value: value, unit: "mg/dL", loinc: "2339-0")
    case "mmol/l"?, "mmol"?: Stored(name: rawValue, value: value, unit: "mmol/L", loinc: "15074-8")
    default: nil
    }
  }

  /// A part of the body: a share in percent, or a mass.
  private func part(_ value: Double, _ unit: String?, _ masses: MassUnit?) -> Stored? {
    let isShare = unit == "%" || unit == nil && (self == .bodyFat || self == .water)
    if isShare {
      let name =
        switch self {
        case .bodyFat, .fatMass: VitalSign.bodyFat.rawValue
        case .muscle: "Muscle share"
        case .bone: "Bone share"
        default: rawValue
        }
      let isFat = self == .bodyFat || self == .fatMass
      return Stored(name: name, value: value, unit: "%", loinc: isFat ? "41982-0" : nil)
    }
    guard let mass = unit.map({ MassUnit(named: $0) }) ?? masses else { return nil }
    let kilograms = mass == .kilogram ? value : (value * mass.kilograms).inThousandths
    switch self {
    case .bodyFat, .fatMass:
      return Stored(
        name: VitalSign.fatMass.rawValue, value: kilograms, unit: "kg", loinc: "73708-0")
    case .water: return Stored(name: "Body water mass", value: kilograms, unit: "kg", loinc: nil)
    default: return Stored(name: rawValue, value: kilograms, unit: "kg", loinc: nil)
    }
  }

  private func length(_ value: Double, _ unit: String?) -> Stored? {
    let factor: Double? =
      switch unit {
      case "cm"?: 1
      case "mm"?: 0.1
      case "m"?: 100
      case "in"?, "inch"?, "inches"?, "\""?, "″"?: 2.54
      case "ft"?, "feet"?: 30.48
      // No one is 3 m tall, and no one 3 cm.
      case nil where self == .height && value < 3: 100
      case nil where self == .height && value >= 100: 1
      default: nil
      }
    let loinc: String? =
      switch self {
      case .height: "8302-2"
      case .waist: "8280-0"
      default: nil
      }
    return factor.map {
      Stored(name: rawValue, value: (value * $0).inThousandths, unit: "cm", loinc: loinc)
    }
  }

  // MARK: Units

  /// A unit without case, blanks and signs that do not count.
  static func plain(_ unit: String) -> String {
    switch unit.trimmed {
    case "℃": return "c"
    case "℉": return "f"
    default: break
    }
    return String(unit.folded.filter { !" .°º".contains($0) }.map { $0 == "²" ? "2" : $0 })
  }

  /// Whether a text is a unit of anything that tables hold.
  static func isUnit(_ text: String) -> Bool {
    let unit = plain(text)
    return rates.contains(unit) || counts.contains(unit) || levels.contains(unit)
      || others.contains(unit) || MassUnit(named: text) != nil || PressureUnit(named: text) != nil
  }

  private static let rates: Set<String> = [
    "bpm", "/min", "1/min", "min-1", "beats/min", "beat/min", "beats/minute", "beatsperminute",
    "count/min", "counts/min", "brpm", "breaths/min", "lpm", "ppm", "p/min", "slag/min",
    "slagen/min",
    "schläge/min", "battiti/min", "batt/min", "уд/мин", "удмин", "уд/хв", "次/分", "次/分钟", "拍/分",
    "回/分", "회/분", "bpm/min",
  ]
  private static let counts: Set<String> = ["count", "counts", "steps", "{steps}"]
  private static let levels: Set<String> = ["level", "rating", "index", "1"]
  private static let others: Set<String> = [
    "%", "c", "celsius", "degc", "cel", "f", "fahrenheit", "degf", "mg/dl", "mmol/l", "mmol", "ms",
    "cm", "mm", "m", "in", "inch", "inches", "\"", "″", "ft", "feet", "kg/m2", "kg/m^2", "kg/m",
  ]
}
