/// Why bytes are not the JSON they should be, and where.
///
/// Trying again does not help; the text has to change.
public struct JSONError: Error, Equatable, Sendable {
  /// The line, from 1; LF, CR and CRLF each end one.
  public var line: Int

  /// The column in that line, from 1, counted in Unicode scalars; a byte order mark does not count.
  public var column: Int

  /// What is wrong, in words, without a full stop and free of control characters.
  public var message: String

  /// Creates an error about one position in a text.
  public init(line: Int, column: Int, message: String) {
    self.line = line
    self.column = column
    self.message = message
  }
}

extension JSONError: CustomStringConvertible {
  public var description: String { "line \(line), column \(column): \(message)" }
}
