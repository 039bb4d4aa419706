import SyncKitFormats

/// What a table leaves out since its program always has it the same.
///
/// | Program | Recognised by | Known |
/// |---|---|---|
/// | Libra | `#Units:kg` | the unit of weights |
/// | Samsung Health | `com.samsung.` | kg, cm, °C, mmol/L; times are in UTC, with an offset beside them |
/// | openScale | `dateTime` beside `water` and `muscle` | kg, cm, shares in percent |
/// | Zepp Life | `fatRate` | kg, cm |
struct TableDefaults {
  /// The unit of weights.
  private(set) var weights: MassUnit?
  /// The unit of parts of the body, which some programs have in percent.
  private(set) var masses: MassUnit?
  private(set) var lengths: String?
  /// Whether times without a zone are in UTC.
  private(set) var isUniversal = false
  private var hasShares = false
  private var isSamsung = false

  /// Whether a column of this name has numbers of which the unit is not known.
  func isUnclear(_ header: String) -> Bool {
    guard isSamsung else { return false }
    let name = ColumnHeader(header).name
    return ["skeletal muscle", "total body water", "muscle mass", "skeletal muscle mass"].contains(
      name)
  }

  /// The unit of a kind without one; nil where it is not known.
  func unit(of sign: VitalSign) -> String? {
    switch sign {
    case .glucose where isSamsung: "mmol/L"
    case .temperature where isSamsung: "°C"
    case .muscle where hasShares, .water where hasShares: "%"
    default: nil
    }
  }

  /// Takes a line before the header, or a remark within the table.
  mutating func take(preamble cells: [String]) {
    let text = cells.joined(separator: " ").folded
    if text.hasPrefix("com.samsung.") { takeSamsung() }
    guard text.hasPrefix("#"), let units = text.firstRange(of: "units:") else { return }
    weights = MassUnit(named: String(text[units.upperBound...])) ?? weights
  }

  /// Takes what follows from the names of the columns.
  mutating func take(header: [String]) {
    let names = Set(header.map(\.trimmed))
    if header.contains(where: { $0.hasPrefix("com.samsung.") }) { takeSamsung() }
    if names.isSuperset(of: ["dateTime", "water", "muscle"]) {
      (weights, masses, lengths, hasShares) = (.kilogram, .kilogram, "cm", true)
    }
    if names.contains("fatRate") { (weights, masses, lengths) = (.kilogram, .kilogram, "cm") }
  }

  private mutating func takeSamsung() {
    (weights, masses, lengths) = (.kilogram, .kilogram, "cm")
    (isUniversal, isSamsung) = (true, true)
  }
}
