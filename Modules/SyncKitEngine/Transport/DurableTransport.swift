import SyncKitModel
import SyncKitStore

/// A transport that can make each segment durable by itself, so that what was stored before a failure is there.
public protocol DurableTransport: Transport {
  /// Whether ``Transport/store(_:)`` returns only when the segment is durable.
  var storesAtOnce: Bool { get }
}
