public import Hummingbird
public import NIOCore

/// What accompanies a request through the server.
public struct ServerContext: RequestContext {
  public var coreContext: CoreRequestContextStorage
  /// The other end of the connection; nil in tests without one.
  public let peer: SocketAddress?

  public init(source: ApplicationRequestContextSource) {
    coreContext = CoreRequestContextStorage(source: source)
    peer = source.channel.remoteAddress
  }
}
