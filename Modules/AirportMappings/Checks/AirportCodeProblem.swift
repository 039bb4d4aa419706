import SyncKitFormats

/// Why a text cannot be an airport code; the description is a sentence for the person who typed it.
public enum AirportCodeProblem: Error, Hashable, Sendable, CustomStringConvertible {
  /// There is nothing but white space.
  case empty(AirportCode.Kind)
  /// A character that such a code never has, be it a digit, a sign or a look-alike of a letter.
  case character(Unicode.Scalar, text: String, AirportCode.Kind)
  /// Too few or too many characters, all of them allowed.
  case length(String, AirportCode.Kind)
  /// A first character that no ICAO code has: I, J, Q or a digit.
  case firstCharacter(String, AirportCode.Kind)

  public var description: String {
    switch self {
    case .empty(let kind):
      "The code is empty; \(kind.rule)."
    case .character(let scalar, let text, let kind):
      "“\(shown(text))” contains \(named(scalar)); \(kind.rule)."
    case .length(let text, let kind):
      "“\(shown(text))” has \(Plural(text.utf8.count, "character")); \(kind.rule)."
    case .firstCharacter(let text, _):
      "“\(shown(text))” begins with \(text.prefix(1)); "
        + "no ICAO code begins with I, J, Q or a digit."
    }
  }

  private func named(_ scalar: Unicode.Scalar) -> String {
    let hex = String(scalar.value, radix: 16, uppercase: true)
    let number = "U+" + String(repeating: "0", count: max(0, 4 - hex.count)) + hex
    let name = (scalar.properties.name ?? scalar.properties.nameAlias).map { " \($0)" } ?? ""
    switch scalar {
    case " ": return "a space"
    case "0"..."9": return "the digit \(scalar)"
    default: return isPrintable(scalar) ? "\(scalar), \(number)\(name)" : number + name
    }
  }

  /// The text fit for a terminal: at most 20 characters, and nothing that would move its cursor.
  private func shown(_ text: String) -> String {
    let scalars = text.unicodeScalars
    let head = scalars.prefix(20).map { scalar in
      isPrintable(scalar) ? String(scalar) : "\\u{\(String(scalar.value, radix: 16))}"
    }
    return head.joined() + (scalars.count > 20 ? "…" : "")
  }

  private func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
      .paragraphSeparator, .nonspacingMark, .enclosingMark:
      false
    case .spaceSeparator: scalar == " "
    default: true
    }
  }
}
