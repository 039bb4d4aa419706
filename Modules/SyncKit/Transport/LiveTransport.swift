/// A transport that hears of new things at its remote when they come.
///
/// What it says is a hint: something may be told twice, late or never, so whoever listens also looks
/// from time to time.
public protocol LiveTransport: Transport {
  /// The domains in which something has come, as long as the connection holds.
  ///
  /// The first element comes when the connection stands; it names no domain. The stream ends or throws
  /// when the connection is lost; whoever wants to go on asks again after a while.
  /// - Throws: ``SyncError`` `remote.unavailable`, `remote.denied` and the like.
  func news() -> AsyncThrowingStream<RemoteNews, any Error>
}

/// Word that something has come to a remote.
public struct RemoteNews: Hashable, Sendable {
  /// The domain; nil when the connection has just begun and anything may have come before.
  public var domain: String?

  /// Tells of a domain.
  public init(domain: String?) { self.domain = domain }
}
