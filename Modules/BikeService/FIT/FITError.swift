/// Why bytes are not the FIT file they should be, and where.
///
/// Trying again does not help; the file has to change.
public struct FITError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The place in the file, counted in bytes from 0.
  public var offset: Int
  /// The fault in words, without a full stop.
  public var message: String

  public var description: String { "byte \(offset): \(message)" }
}
