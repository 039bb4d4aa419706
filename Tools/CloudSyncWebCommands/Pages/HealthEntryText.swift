import SyncKitFormats

/// An entry of a person or pet as its page shows it, with the numbers and dates of the reader's language.
struct HealthEntryText {
  let kind: String
  /// The record as `COLLECTION/ID`.
  let key: String
  private let fields: JSON
  private let words: WebWords

  init(_ record: JSON, _ words: WebWords) {
    kind = record["collection"]?.string ?? ""
    key = "\(kind)/\(record["id"]?.string ?? "")"
    fields = record["fields"] ?? .object([:])
    self.words = words
  }

  /// The field with the title of an entry of a kind.
  static func titleField(_ kind: String) -> String {
    ["drug": "nameAndDosage", "weight": "weightKg", "petCost": "category"][kind] ?? "name"
  }

  /// The field for further details of an entry of a kind.
  static func remarkField(_ kind: String) -> String {
    switch kind {
    case "illness", "history": "informationOrComment"
    case "risk": "descriptionOrComment"
    case "document", "doctor", "petCost", "emergencyContact": "note"
    default: "comment"
    }
  }

  private func text(_ name: String) -> String { fields[name]?.string ?? "" }

  /// The date in its precision; empty where it is unknown.
  var date: String { words.date(text("date")) }

  /// The name, the reading or the weight, each number with its unit.
  var title: String {
    switch kind {
    case "weight": weight.map { "\(words.decimal($0, places: 3)) kg" } ?? ""
    case "petCost":
      joined([text("category"), fields["amount"]?.double.map { money($0) } ?? ""], by: ": ")
    case "blood":
      pressure.map { joined([isNamedByNumber ? "" : text("name"), $0.text], by: ": ") } ?? measured
    default: text(Self.titleField(kind))
    }
  }

  private func money(_ amount: Double) -> String { words.money(amount, text("currency")) }

  private func joined(_ parts: [String], by separator: String) -> String {
    parts.filter { !$0.isEmpty }.joined(separator: separator)
  }

  /// Whether the name of a blood pressure is the pressure itself.
  private var isNamedByNumber: Bool { text("name").first?.isNumber ?? true }

  private var measured: String {
    guard let value = fields["value"]?.double else {
      return joined([text("name"), text("result")], by: ": ")
    }
    var shown = joined([text("comparator"), quantity(value)], by: " ")
    if let least = fields["minimum"]?.double, let greatest = fields["maximum"]?.double {
      shown += " (\(words["health.span", quantity(least, isPlain: true), quantity(greatest)]))"
    }
    return joined([text("name"), shown], by: ": ")
  }

  private func quantity(_ value: Double, isPlain: Bool = false) -> String {
    joined([words.decimal(value, places: 3), isPlain ? "" : unit], by: " ")
  }

  /// The unit of UCUM as people write it.
  private var unit: String {
    switch text("unit") {
    case "1": ""
    case "mm[Hg]": "mmHg"
    case "Cel": "°C"
    case "{steps}": words["health.steps"]
    case let unit: unit
    }
  }

  /// Whether the entry says that nothing of its kind is known.
  private var isNoneKnown: Bool { text("status") == "none-known" }

  /// Further details, the status first.
  var detail: String {
    let names: [String] =
      switch kind {
      case "vaccination": ["information", "place", "comment"]
      case "allergy": ["information", "comment"]
      case "history": ["contact", "informationOrComment"]
      case "doctor": ["type", "phone", "email", "address", "note"]
      case "emergencyContact": ["phone", "email", "note"]
      default: [Self.remarkField(kind)]
      }
    let status =
      text("status").isEmpty || isNoneKnown ? "" : words.name(text("status"), of: "status")
    let days = ["until", "nextDue", "refillDue"].map { name in
      text(name).isEmpty ? "" : words["health.\(name)", words.date(text(name))]
    }
    return joined([status] + days + names.map { text($0) }, by: "; ")
  }

  // MARK: Readings

  /// The weight in kilograms.
  private var weight: Double? { kind == "weight" ? fields["weightKg"]?.double : nil }

  private var pressure: (systolic: Double, diastolic: Double, text: String)? {
    guard kind == "blood", let systolic = fields["systolic"]?.double,
      let diastolic = fields["diastolic"]?.double
    else { return nil }
    let numbers = [systolic, diastolic].map { words.decimal($0) }.joined(separator: "/")
    return (systolic, diastolic, "\(numbers) mmHg")
  }

  /// The measurement that a chart can show; nil for an entry without a date or a number.
  var reading: HealthReading? {
    guard !text("date").isEmpty else { return nil }
    if let weight {
      return HealthReading(
        series: .weight, unit: "kg", date: date, text: title, least: weight, greatest: weight)
    }
    if let pressure {
      return HealthReading(
        series: .bloodPressure, unit: "mmHg", date: date, text: pressure.text,
        least: pressure.diastolic, greatest: pressure.systolic)
    }
    guard kind == "blood", !text("name").isEmpty, let value = fields["value"]?.double else {
      return nil
    }
    return HealthReading(
      series: .named(text("name")), unit: unit, date: date,
      text: joined([text("comparator"), quantity(value)], by: " "),
      least: fields["minimum"]?.double ?? value, greatest: fields["maximum"]?.double ?? value)
  }
}

/// One measurement with its numbers.
struct HealthReading {
  /// What is measured.
  enum Series: Hashable {
    case weight, bloodPressure
    /// A reading with another name.
    case named(String)

    /// The same for names that the command takes for one.
    var key: String {
      switch self {
      case .weight: "weight"
      case .bloodPressure: "blood pressure"
      case .named(let name): "name \(name.lowercased())"
      }
    }

    /// What the option `--of` calls it; nil for a name that the command takes for something else.
    var argument: String? {
      guard case .named(let name) = self else { return key }
      let folded = name.lowercased().filter { $0 != " " && $0 != "-" }
      return ["weight", "bloodpressure", "bp"].contains(folded) ? nil : name
    }

    func label(_ words: WebWords) -> String {
      switch self {
      case .weight: words["health.weight"]
      case .bloodPressure: words["health.bloodPressure"]
      case .named(let name): name
      }
    }
  }

  let series: Series
  let unit: String
  let date: String
  let text: String
  let least: Double
  let greatest: Double
}
