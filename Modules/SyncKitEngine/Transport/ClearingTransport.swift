import SyncKitModel
import SyncKitStore

/// A transport whose remote can confirm that no device can read a segment, and remove it.
///
/// In a folder people can see and remove the file. They cannot look into a server.
public protocol ClearingTransport: Transport {
  /// Removes segments that no device can read.
  ///
  /// Readable segments, and those of another account, stay.
  ///
  /// - Returns: Those that were removed.
  /// - Throws: ``SyncError`` as for storing; some may be removed then.
  func clear(
    _ references: [SegmentReference], of domain: String
  ) async throws -> [SegmentReference]
}
