import SyncKitModel

/// Reads a file that is too large to be held in memory, piece by piece.
///
/// Pieces may be cut anywhere, also within a character. The value holds no more of the file than
/// what becomes records.
public protocol StreamingImport {
  /// Takes the next bytes of the file.
  ///
  /// - Throws: ``SyncError`` `input.invalid` when the file as a whole cannot be read; then nothing
  ///   else is called.
  mutating func read(_ chunk: ArraySlice<UInt8>) throws

  /// Ends the file; call once, last.
  ///
  /// - Throws: ``SyncError`` `input.invalid` when the file ends too early.
  mutating func finish() throws -> ImportedRecords
}
