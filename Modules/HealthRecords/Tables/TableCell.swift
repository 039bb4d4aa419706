import SyncKitFormats

/// A cell of a table: a number with perhaps a sign and a unit, or nothing.
struct TableCell {
  let text: String

  init(_ text: String) { self.text = text.trimmed }

  /// Whether nothing was measured.
  var isBlank: Bool { Self.blanks.contains(text.folded) }

  private static let blanks: Set<String> = [
    "", "-", "--", "---", "–", "—", "n/a", "na", "nan", "null", "nil", "none", "not measured", ".",
  ]

  /// Whether it says that something is not the case.
  var isDenial: Bool {
    isBlank
      || [
        "0", "no", "false", "n", "nein", "non", "nee", "nej", "not detected", "not found", "没有",
        "なし", "off",
      ]
      .contains(text.folded)
  }

  /// A whole number with signs between its thousands, `8,500`.
  var count: (value: Double, sign: Comparator?, unit: String?)? {
    let groups = text.split(omittingEmptySubsequences: false) { ",.'’ \u{A0}\u{202F}".contains($0) }
    guard groups.count > 1, groups[0].count <= 3, groups.dropFirst().allSatisfy({ $0.count == 3 }),
      let value = Double(plain: groups.joined())
    else { return nil }
    return (value, nil, nil)
  }

  /// The number, the sign before it and the unit after it; nil for another text.
  var quantity: (value: Double, sign: Comparator?, unit: String?)? {
    var rest = text[...]
    let mark = rest.prefix { "<>=≤≥".contains($0) }
    let sign = mark.isEmpty ? nil : Comparator(named: String(mark))
    if !mark.isEmpty, sign == nil { return nil }
    rest = rest.dropFirst(mark.count).drop { $0 == " " }
    let digits = rest.prefix {
      $0.isASCII && ($0.isNumber || $0 == "." || $0 == ",") || $0 == "-" || $0 == "+"
    }
    let unit = String(rest.dropFirst(digits.count)).trimmed
    guard let value = Double(plain: String(digits)), unit.isEmpty || VitalSign.isUnit(unit) else {
      return nil
    }
    return (value, sign, unit.isEmpty ? nil : unit)
  }
}
