/// The shape of airport codes, and the parsing of typed text.
///
/// Text is trimmed of white space (also U+FEFF and U+200B) and ASCII letters become capitals, in no
/// locale: a Turkish dotless i is not an I. Nothing else is changed. A letter that only looks like
/// a Latin one is refused by its Unicode name, since mapping it silently would invent a code.
public enum AirportCode {
  /// The kind of code that a text is meant to be.
  public enum Kind: Hashable, Sendable {
    /// Three letters A to Z.
    case iata
    /// Four letters A to Z, not beginning with I, J or Q, which ICAO does not assign.
    case icao
    /// An ICAO code, or a stand-in such as `CEB3`: digits may follow the first letter.
    case local
  }

  /// The IATA code that a text means.
  ///
  /// - Throws: ``AirportCodeProblem``, whose description is a sentence for the person who typed it.
  public static func iata(_ text: String) throws(AirportCodeProblem) -> String {
    try code(text, as: .iata)
  }

  /// The ICAO code that a text means.
  ///
  /// The shape says nothing about whether an airport has the code. Of the first letters only I, J
  /// and Q are refused; a filter of the usual ones would lose 2,952 real codes.
  ///
  /// - Parameters:
  ///   - text: The typed text.
  ///   - allowingLocal: Whether stand-ins with digits are accepted too.
  /// - Returns: The code in capitals, without spaces.
  /// - Throws: ``AirportCodeProblem``, whose description is a sentence for the person who typed it.
  public static func icao(
    _ text: String, allowingLocal: Bool = false
  ) throws(AirportCodeProblem) -> String {
    try code(text, as: allowingLocal ? .local : .icao)
  }

  private static func code(_ text: String, as kind: Kind) throws(AirportCodeProblem) -> String {
    let text = trimmed(text)
    guard !text.isEmpty else { throw .empty(kind) }
    var code = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "A"..."Z": code.unicodeScalars.append(scalar)
      case "a"..."z": code.append(Character(Unicode.Scalar(UInt8(scalar.value) - 0x20)))
      case "0"..."9" where kind == .local: code.unicodeScalars.append(scalar)
      default: throw .character(scalar, text: text, kind)
      }
    }
    guard code.utf8.count == kind.length else { throw .length(text, kind) }
    if kind != .iata, let first = code.unicodeScalars.first,
      "IJQ0123456789".unicodeScalars.contains(first)
    {
      throw .firstCharacter(text, kind)
    }
    return code
  }

  /// The text without white space and invisible marks of no width around it.
  static func trimmed(_ text: String) -> String {
    func isSpace(_ scalar: Unicode.Scalar) -> Bool {
      scalar.properties.isWhitespace || scalar == "\u{FEFF}" || scalar == "\u{200B}"
    }
    let scalars = text.unicodeScalars
    guard let last = scalars.lastIndex(where: { !isSpace($0) }) else { return "" }
    return String(scalars[...last].drop(while: isSpace))
  }
}

extension AirportCode.Kind {
  /// How many characters the code has.
  public var length: Int { self == .iata ? 3 : 4 }

  /// The shape in words.
  var rule: String {
    switch self {
    case .iata: "an IATA code is three letters A to Z"
    case .icao: "an ICAO code is four letters A to Z"
    case .local: "an ICAO or local code is a letter A to Z and three letters or digits"
    }
  }
}
