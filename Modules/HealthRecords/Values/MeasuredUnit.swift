/// A unit of mass in which people weigh themselves.
public enum MassUnit: String, CaseIterable, Sendable {
  /// Kilogram.
  case kilogram = "kg"
  /// Gram.
  case gram = "g"
  /// Pound, 0.45359237 kg.
  case pound = "lb"
  /// Stone, 14 pounds.
  case stone = "st"

  /// Finds a unit by any of its usual names.
  public init?(named name: String) {
    switch name.folded {
    case "kg", "kgs", "kilo", "kilos", "kilogram", "kilograms": self = .kilogram
    case "g", "gr", "gram", "grams": self = .gram
    case "lb", "lbs", "[lb_av]", "pound", "pounds": self = .pound
    case "st", "[stone_av]", "stone", "stones": self = .stone
    default: return nil
    }
  }

  /// Kilograms in one of the unit; the pound is the international one, of 1959.
  public var kilograms: Double {
    switch self {
    case .kilogram: 1
    case .gram: 0.001
    case .pound: 0.453_592_37
    case .stone: 6.350_293_18
    }
  }

  /// Reads a weight such as `72.5 kg`, `160 lb` or `11 st 6 lb`, in kilograms to the gram.
  ///
  /// - Parameters:
  ///   - text: A number with its unit.
  ///   - unit: The unit of a number without one; nil refuses it.
  /// - Returns: Kilograms; nil for a text that is not a weight.
  public static func kilograms(in text: String, unit: MassUnit? = nil) -> Double? {
    var total = 0.0
    var rest = text.trimmed[...]
    var parts = 0
    while !rest.isEmpty {
      let number = rest.prefix { $0.isASCII && ($0.isNumber || $0 == "." || $0 == ",") }
      rest = rest.dropFirst(number.count).drop { $0 == " " }
      let name = rest.prefix { !$0.isWhitespace && !$0.isNumber }
      rest = rest.dropFirst(name.count).drop { $0 == " " }
      let found = name.isEmpty && parts == 0 && rest.isEmpty ? unit : MassUnit(named: String(name))
      guard let value = Double(plain: number), let found, parts < 2 else { return nil }
      total += value * found.kilograms
      parts += 1
    }
    return parts > 0 && total.isFinite ? total.inThousandths : nil
  }
}

/// A unit of blood pressure.
public enum PressureUnit: String, CaseIterable, Sendable {
  /// Millimetres of mercury.
  case millimetresOfMercury = "mmHg"
  /// Kilopascal.
  case kilopascal = "kPa"

  /// The unit in UCUM; the stored numbers are always in it.
  static let stored = "mm[Hg]"

  /// Finds a unit by any of its usual names.
  public init?(named name: String) {
    switch name.folded.filter({ $0 != " " && $0 != "." }) {
    case "mmhg", "mm[hg]", "millimetresofmercury", "millimetersofmercury", "torr":
      self = .millimetresOfMercury
    case "kpa", "kilopascal": self = .kilopascal
    default: return nil
    }
  }

  /// A value of the unit in mmHg, to a tenth.
  public func millimetresOfMercury(_ value: Double) -> Double {
    switch self {
    case .millimetresOfMercury: value
    case .kilopascal: (value * 75.006_157_585).rounded() / 10
    }
  }
}
