import SyncKitModel
import SyncKitStore

/// A transport whose remote numbers what comes, so that a run asks only for what is new.
public protocol IncrementalTransport: Transport {
  /// Lists what has come since a position that this remote gave for this domain, where it can tell; otherwise,
  /// or without a position, everything.
  func inventory(of domain: String, since position: FeedPosition?) async throws -> Inventory
}
