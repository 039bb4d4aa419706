import SyncKitModel
import SyncKitStore

/// A transport that fetches several segments in one request.
public protocol PrefetchingTransport: Transport {
  /// Announces what will be fetched next, in this order: a hint.
  func expect(_ references: [SegmentReference], of domain: String) async
}
