/// What stands between the cells of a row.
public enum CSVDelimiter: UInt8, CaseIterable, Sendable {
  /// `,`
  case comma = 0x2C
  /// `;`
  case semicolon = 0x3B
  /// A tab.
  case tab = 0x09
  /// `|`
  case pipe = 0x7C
  /// `^`
  case caret = 0x5E
  /// `:`
  case colon = 0x3A
}

/// How a cell may hold the delimiter, a quote or the end of a line.
public enum CSVQuoting: Sendable {
  /// In quotes, within which a quote is written twice, as RFC 4180 has it.
  case doubled
  /// The same, with spaces outside the quotes, as in `"a", "b"`.
  case spaced
  /// In quotes, within which a backslash takes the next character as it is, as MySQL writes.
  case backslash
  /// Not at all: a quote is a character like any other, as in many tables with tabs or carets.
  case none
}
