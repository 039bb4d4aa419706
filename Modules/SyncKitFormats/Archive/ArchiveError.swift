/// Why an archive or a compressed file cannot be read.
///
/// Trying again does not help; the file has to be another.
public struct ArchiveError: Error, Equatable, Sendable {
  /// The path of the entry that is at fault, free of control characters; nil when it is the file.
  public var entry: String?

  /// What is wrong, in words, without a full stop.
  public var message: String

  /// Creates an error about an archive or one of its entries.
  public init(_ message: String, entry: String? = nil) {
    self.entry = entry.map(DisplayWidth.sanitized)
    self.message = message
  }
}

extension ArchiveError: CustomStringConvertible {
  public var description: String {
    entry.map { "\(DisplayWidth.truncated($0, to: 200)): \(message)" } ?? message
  }
}
