/// An app's declaration of one of its settings.
public struct SettingDeclaration: Hashable, Sendable {
  /// The format of a setting's values, beyond their type.
  public enum Format: String, Sendable {
    /// `#RGB`, `#RRGGBB` or `#RRGGBBAA`.
    case color
  }

  /// The type of its values.
  public var kind: SettingValue.Kind
  /// The app's value for an unset setting; a captured value equal to it is unset.
  public var fallback: SettingValue?
  /// The allowed values; empty for all.
  public var choices: [SettingValue]
  /// The format of its texts.
  public var format: Format?
  /// The range of its numbers.
  public var minimum: Double?
  /// The range of its numbers.
  public var maximum: Double?
  /// The rule for concurrent values.
  public var merge: MergeRule
  /// A key of the app's file that says whether this one was ever set.
  ///
  /// An app that cannot distinguish 0 from unset keeps such a flag. A captured value counts only while
  /// the flag is true; the flag itself is not a setting, and is written with the value.
  public var setFlag: String?

  /// Declares a setting.
  public init(
    _ kind: SettingValue.Kind, fallback: SettingValue? = nil, choices: [SettingValue] = [],
    format: Format? = nil, minimum: Double? = nil, maximum: Double? = nil,
    merge: MergeRule = .newest, setFlag: String? = nil
  ) {
    self.kind = kind
    self.fallback = fallback
    self.choices = choices
    self.format = format
    self.minimum = minimum
    self.maximum = maximum
    self.merge = merge
    self.setFlag = setFlag
  }

  /// The value in the declared type; a whole number is accepted for a double.
  ///
  /// - Throws: ``SettingProblem`` that says what is allowed.
  public func checked(_ value: SettingValue) throws(SettingProblem) -> SettingValue {
    var value = value
    if kind == .double, case .int(let number) = value, Int64(exactly: Double(number)) == number {
      value = .double(Double(number))
    }
    if case .plain(let word) = value, let known = Self.meaning(of: word, as: kind) { value = known }
    let isWhole = kind == .int && value.kind == .uint || kind == .uint && value.kind == .int
    let isLong = kind == .double && value.kind == .decimal
    guard value.kind == kind || isWhole || isLong else {
      throw SettingProblem("takes a value of type \(kind.rawValue), not \(value.kind.rawValue)")
    }
    if !choices.isEmpty, !choices.contains(value) {
      throw SettingProblem("takes one of \(choices.map(\.text).joined(separator: ", "))")
    }
    if format == .color, let text = value.string, !ColorText.isColor(text) {
      throw SettingProblem("takes a colour such as #3A3A3A or #FFFFFF4D")
    }
    if let number = value.number {
      if let minimum, !(number >= minimum) { throw SettingProblem("must be at least \(minimum)") }
      if let maximum, !(number <= maximum) { throw SettingProblem("must be at most \(maximum)") }
    }
    return value
  }

  /// What a word that readers of YAML take differently is, once the type is known.
  private static func meaning(of word: String, as kind: SettingValue.Kind) -> SettingValue? {
    switch (kind, word.lowercased()) {
    case (.string, _): .string(word)
    case (.bool, "yes"), (.bool, "on"), (.bool, "y"): .bool(true)
    case (.bool, "no"), (.bool, "off"), (.bool, "n"): .bool(false)
    case (.double, _): Double(word).map { .double($0) }
    default: nil
    }
  }
}

extension SettingValue {
  /// The value as a number, if it is one.
  var number: Double? {
    switch self {
    case .int(let value): Double(value)
    case .uint(let value): Double(value)
    case .double(let value): value
    case .decimal(let text): Double(text)
    default: nil
    }
  }
}

/// The format of colours in settings.
enum ColorText {
  /// Whether a text is `#` and 3, 6 or 8 hexadecimal digits.
  static func isColor(_ text: String) -> Bool {
    let digits = text.utf8.dropFirst()
    return text.utf8.first == UInt8(ascii: "#") && [3, 6, 8].contains(digits.count)
      && digits.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
  }
}
