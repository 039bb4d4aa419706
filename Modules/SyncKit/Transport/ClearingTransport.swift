/// A transport whose place can find out by itself that nobody can read a segment, and remove it.
///
/// A folder leaves that to people, who see the file. Nobody can look into a server.
public protocol ClearingTransport: Transport {
  /// Has segments removed that nobody can read.
  ///
  /// What the place can read, and what is not the account's own, stays.
  ///
  /// - Returns: Those that are gone.
  /// - Throws: ``SyncError`` as for storing; some may be gone then.
  func clear(
    _ references: [SegmentReference], of domain: String
  ) async throws -> [SegmentReference]
}
