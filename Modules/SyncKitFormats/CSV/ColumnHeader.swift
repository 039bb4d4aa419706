/// The header of a column, taken apart into its name and its unit.
///
/// | Header | Name | Unit |
/// |---|---|---|
/// | `Weight (kg)`, `Gewicht [kg]`, `weight, kg` | `weight`, `gewicht` | `kg` |
/// | `Body Fat %`, `bodyFat` | `body fat` | `%`, none |
/// | `Blood Pressure [Systolic] (mmHg)` | `blood pressure systolic` | `mmHg` |
/// | `com.samsung.health.weight.time_offset` | `time offset` | none |
///
/// Names are in lower case, one space between words, whatever stood between them.
public struct ColumnHeader: Sendable, Equatable {
  /// The header as it is written, without white space around it.
  public let text: String
  /// The words, without the unit.
  public let name: String
  /// What stands in the last brackets or after a comma, or a percent sign at the end.
  public let unit: String?

  /// Takes a header apart.
  public init(_ text: String) {
    let trimmed = Self.trimmed(text)
    self.text = trimmed
    var rest = Self.withoutDomain(trimmed)
    var unit: String?
    if let (head, inner, tail) = Self.lastBrackets(rest) {
      unit = Self.trimmed(inner)
      rest = head + " " + tail
    } else if let comma = rest.lastIndex(where: { $0 == "," || $0 == "、" || $0 == "，" }) {
      unit = Self.trimmed(String(rest[rest.index(after: comma)...]))
      rest = String(rest[..<comma])
    } else if Self.trimmed(rest).hasSuffix("%") {
      unit = "%"
      rest = String(Self.trimmed(rest).dropLast())
    }
    self.unit = unit.flatMap { $0.isEmpty ? nil : $0 }
    name = Self.folded(rest)
  }

  /// Finds the meaning of a header among names in lower case, with its unit.
  ///
  /// The name may be followed by the unit without any mark, as in `weight kg`; `isUnit` says what can
  /// be one. Words in brackets that are no unit belong to the name where such a name is known, and
  /// otherwise are given as the unit, for the caller to judge.
  public func find<Meaning>(
    in names: [String: Meaning], isUnit: (String) -> Bool
  ) -> (meaning: Meaning, unit: String?)? {
    if let unit, isUnit(unit) {
      if let meaning = names[name] { return (meaning, unit) }
    } else {
      let whole = Self.folded(Self.withoutDomain(text))
      if let meaning = names[whole] { return (meaning, nil) }
      if unit != nil, let meaning = names[name] { return (meaning, unit) }
    }
    guard unit == nil else { return nil }
    // The unit may follow after one word or two: `glucose mmol L`, `weight in kg`.
    let words = Self.trimmed(Self.withoutDomain(text)).split(whereSeparator: \.isWhitespace)
    for count in 1...3 where words.count > count {
      let tail = words.suffix(count).joined(separator: " ")
      let unit =
        ["in ", "en ", "em "].first(where: tail.lowercased().hasPrefix)
        .map { String(tail.dropFirst($0.count)) } ?? tail
      let head = Self.folded(words.dropLast(count).joined(separator: " "))
      if isUnit(unit), let meaning = names[head] { return (meaning, unit) }
    }
    let parts = name.split(separator: " ")
    if parts.count > 1, let last = parts.last.map(String.init), isUnit(last),
      let meaning = names[parts.dropLast().joined(separator: " ")]
    {
      return (meaning, last)
    }
    return nil
  }

  // MARK: Texts

  /// The words of a text in lower case, with one space between them; `bodyFat` is two words.
  public static func folded(_ text: String) -> String {
    var words = ""
    var previous: Character = " "
    for character in text {
      let isWord =
        character.isLetter || character.isNumber || character == "%" || character == "°"
        || character == "&" || character == "+"
      let startsWord = character.isUppercase && previous.isLowercase
      if startsWord || !isWord { words.append(" ") }
      if isWord { words.append(character) }
      previous = character
    }
    return words.lowercased().split(separator: " ").joined(separator: " ")
  }

  private static func trimmed(_ text: String) -> String {
    var part = text[...]
    while let first = part.first, first.isWhitespace || first == "#" || first == "\u{FEFF}" {
      part.removeFirst()
    }
    while let last = part.last, last.isWhitespace || last == ":" { part.removeLast() }
    return String(part)
  }

  /// The last part of a name such as `com.samsung.health.weight.time_offset`.
  private static func withoutDomain(_ text: String) -> String {
    guard text.hasPrefix("com."), let point = text.lastIndex(of: ".") else { return text }
    return String(text[text.index(after: point)...])
  }

  private static let brackets: [Character: Character] = [
    ")": "(", "]": "[", "）": "（", "}": "{", "】": "【",
  ]

  private static func lastBrackets(_ text: String) -> (String, String, String)? {
    guard let close = text.lastIndex(where: { brackets[$0] != nil }),
      let opening = brackets[text[close]]
    else { return nil }
    // Brackets may stand within brackets, as in `(mm[Hg])`.
    var depth = 0
    for index in text[..<close].indices.reversed() {
      if brackets[text[index]] == opening { depth += 1 }
      guard text[index] == opening else { continue }
      if depth > 0 {
        depth -= 1
        continue
      }
      let inner = text[text.index(after: index)..<close]
      return (String(text[..<index]), String(inner), String(text[text.index(after: close)...]))
    }
    return nil
  }
}

/// What an import made of the columns of a table, for the person who started it.
public struct ColumnReport: Sendable, Equatable {
  /// The headers that were read, with what they were read as.
  public private(set) var used: [(header: String, meaning: String)] = []
  /// The headers that were not read.
  public private(set) var unused: [String] = []

  /// Begins a report.
  public init() {}

  /// Notes a column that is read.
  public mutating func use(_ header: String, as meaning: String) {
    used.append((header, meaning))
  }

  /// Notes a column that is not read.
  public mutating func pass(_ header: String) {
    unused.append(header.isEmpty ? "(no header)" : header)
  }

  /// The sentences: which columns were used, and which not.
  public var sentences: [String] {
    let read = used.map { header, meaning in
      ColumnHeader.folded(header) == meaning.lowercased() ? header : "\(header) as \(meaning)"
    }
    return (read.isEmpty ? [] : ["columns used: \(read.joined(separator: "; "))"])
      + (unused.isEmpty ? [] : ["columns not used: \(unused.joined(separator: "; "))"])
  }

  public static func == (left: ColumnReport, right: ColumnReport) -> Bool {
    left.sentences == right.sentences
  }
}
