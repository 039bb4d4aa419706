import NIOCore

/// Counts what goes over a connection, as the kernel sees it, for its ``RequestGuard``.
final class SocketWatch: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let guardian: RequestGuard
  private let metrics: ServerMetrics

  init(_ guardian: RequestGuard, metrics: ServerMetrics) {
    self.guardian = guardian
    self.metrics = metrics
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    metrics.received(unwrapInboundIn(data).readableBytes)
    guardian.bytesCame()
    context.fireChannelRead(data)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    let count = unwrapOutboundIn(data).readableBytes
    guardian.sent += count
    metrics.sent(count)
    context.write(data, promise: promise)
  }
}

@available(*, unavailable)
extension SocketWatch: Sendable {}
