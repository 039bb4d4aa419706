public import Hummingbird
import Logging
public import NIOCore

/// What accompanies a request through the server.
public struct ServerContext: RequestContext {
  public var coreContext: CoreRequestContextStorage
  /// The other end of the connection; nil in tests without one.
  public let peer: SocketAddress?
  /// Where the connection is written; nil in tests without one.
  private let loop: (any EventLoop)?

  public init(source: ApplicationRequestContextSource) {
    coreContext = CoreRequestContextStorage(source: source)
    peer = source.channel.remoteAddress
    loop = source.channel.eventLoop
  }

  /// What accompanies a request that comes from this process.
  init(logger: Logger) {
    coreContext = CoreRequestContextStorage(source: Local(logger: logger))
    peer = nil
    loop = nil
  }

  /// Waits until what was written has got to the connection, so that the next write waits for a client
  /// that takes nothing.
  ///
  /// A writer that is faster than the loop would leave a whole answer in between.
  func settle() async throws {
    try await loop?.submit {}.get()
  }

  private struct Local: RequestContextSource {
    let logger: Logger
  }
}
