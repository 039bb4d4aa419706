import NIOCore

/// A client that does as little as a server can be made to wait for, and comes again when it is let go.
final class SlowClient: ChannelInboundHandler, @unchecked Sendable {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  /// What is slow about it.
  enum Manner: Sendable {
    /// A head that comes byte by byte.
    case head
    /// A body that comes byte by byte.
    case body
    /// An answer of which little is taken.
    case reading
  }

  private let manner: Manner
  private var rest: ByteBuffer
  private let ended: @Sendable () -> Void
  private var timer: RepeatedTask?

  /// Prepares one; `ended` is told when the connection is over.
  init(_ manner: Manner, request: ByteBuffer, ended: @escaping @Sendable () -> Void) {
    self.manner = manner
    rest = request
    self.ended = ended
  }

  func channelActive(context: ChannelHandlerContext) {
    switch manner {
    case .head: break
    case .body: give(context, rest.readableBytes - 10_000)
    case .reading: give(context, rest.readableBytes)
    }
    let box = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    timer = context.eventLoop.scheduleRepeatedTask(
      initialDelay: .milliseconds(.random(in: 0..<1_000)), delay: .seconds(1)
    ) { _ in
      let (client, context) = box.value
      switch client.manner {
      case .head, .body: client.give(context, 1)
      case .reading: context.read()
      }
    }
  }

  private func give(_ context: ChannelHandlerContext, _ count: Int) {
    guard let bytes = rest.readSlice(length: min(max(count, 0), rest.readableBytes)) else { return }
    context.writeAndFlush(wrapOutboundOut(bytes), promise: nil)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }

  func channelInactive(context: ChannelHandlerContext) {
    timer?.cancel()
    ended()
  }
}
