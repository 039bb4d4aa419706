import SyncKitModel
import SyncKitStore

/// A transport that is notified of new segments on its remote.
///
/// Its news are hints: an event may come twice, late or never, so a listener also checks from time to time.
public protocol LiveTransport: Transport {
  /// The domains with new segments, as long as the connection holds.
  ///
  /// The first element comes when the connection is made; it names no domain. The stream ends or throws when
  /// the connection is lost; to continue, ask again after a while.
  /// - Throws: ``SyncError`` `remote.unavailable`, `remote.denied` and the like.
  func news() -> AsyncThrowingStream<RemoteNews, any Error>
}

/// Word that something has come to a remote.
public struct RemoteNews: Hashable, Sendable {
  /// The domain; nil when the connection has just begun and anything may have come before.
  public var domain: String?

  /// Announces a domain.
  public init(domain: String?) { self.domain = domain }
}
