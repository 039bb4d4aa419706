import NIOCore

/// A client that does as little as possible to keep a server waiting, and reconnects after a disconnect.
final class SlowClient: ChannelInboundHandler, @unchecked Sendable {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  /// The kind of slowness.
  enum Manner: Sendable {
    /// A head sent byte by byte.
    case head
    /// A body sent byte by byte.
    case body
    /// An answer that is barely read.
    case reading
  }

  private let manner: Manner
  private var rest: ByteBuffer
  private let ended: @Sendable () -> Void
  private var timer: RepeatedTask?

  /// Prepares one; calls `ended` at the end of the connection.
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
