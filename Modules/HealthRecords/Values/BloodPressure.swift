/// A blood pressure: the pair that a text such as `120/80 mmHg` stands for.
public struct BloodPressure: Hashable, Sendable {
  /// The higher value, in mmHg.
  public let systolic: Double
  /// The lower value, in mmHg.
  public let diastolic: Double

  /// Takes a pair in mmHg; nil unless both are above 0, below 400, and the first is the higher.
  public init?(systolic: Double, diastolic: Double) {
    guard systolic < 400, diastolic > 0, systolic > diastolic else { return nil }
    self.systolic = systolic
    self.diastolic = diastolic
  }

  /// Reads a text: two numbers with a slash, and a unit or nothing after them.
  ///
  /// Without a unit it is a blood pressure only where both numbers can be one in mmHg, so that a
  /// fraction or a date is not one. Words before the pair, such as `RR`, are allowed; after it only
  /// the unit.
  public init?(_ text: String) {
    let text = text.trimmed
    guard text.utf8.count <= 80, let slash = text.firstIndex(of: "/") else { return nil }
    let isNumber = { (character: Character) in
      character.isASCII && (character.isNumber || character == "." || character == ",")
    }
    let before = String(text[..<slash]).trimmed
    let upper = String(before.reversed().prefix(while: isNumber).reversed())
    let lead = before.dropLast(upper.count)
    let after = String(text[text.index(after: slash)...]).trimmed
    let lower = String(after.prefix(while: isNumber))
    let unitText = String(after.dropFirst(lower.count)).trimmed
    guard let systolic = Double(plain: upper), let diastolic = Double(plain: lower),
      lead.allSatisfy({ $0.isLetter || $0 == " " || $0 == ":" })
    else { return nil }
    if unitText.isEmpty {
      guard 50...300 ~= systolic, 20...200 ~= diastolic else { return nil }
      self.init(systolic: systolic, diastolic: diastolic)
    } else {
      guard let unit = PressureUnit(named: unitText) else { return nil }
      self.init(
        systolic: unit.millimetresOfMercury(systolic),
        diastolic: unit.millimetresOfMercury(diastolic))
    }
  }

  /// The pair as the app writes it: `120/80 mmHg`.
  public var text: String { "\(systolic.plainText)/\(diastolic.plainText) mmHg" }

  /// The LOINC code of a blood pressure with its two parts.
  static let code = "85354-9"
}
