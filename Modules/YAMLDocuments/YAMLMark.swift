/// A position in a YAML text: line and column from 1, columns in Unicode scalars.
public struct YAMLMark: Hashable, Sendable {
  /// The line.
  public var line: Int
  /// The column in that line.
  public var column: Int

  /// Names a position.
  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// The first character of a text.
  static let start = YAMLMark(line: 1, column: 1)
}

/// Why bytes are not the YAML they should be, and where.
///
/// Trying again does not help; the text has to change.
public struct YAMLError: Error, Equatable, Sendable {
  /// Where.
  public var mark: YAMLMark
  /// What is wrong, in words, without a full stop.
  public var message: String

  /// Creates an error about one position in a text.
  public init(_ mark: YAMLMark, _ message: String) {
    self.mark = mark
    self.message = message
  }
}

extension YAMLError: CustomStringConvertible {
  public var description: String { "line \(mark.line), column \(mark.column): \(message)" }
}
