public import Hummingbird
import Logging
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

  /// What accompanies a request that comes from this process.
  init(logger: Logger) {
    coreContext = CoreRequestContextStorage(source: Local(logger: logger))
    peer = nil
  }

  private struct Local: RequestContextSource {
    let logger: Logger
  }
}
