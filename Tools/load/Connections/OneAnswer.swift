import NIOCore

/// Sends one request, takes its answer and closes.
final class OneAnswer: ChannelInboundHandler, @unchecked Sendable {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let request: ByteBuffer
  private var scanner = AnswerScanner()
  private let answered: EventLoopPromise<AnswerScanner.Answer>
  private var isDone = false

  init(_ request: ByteBuffer, answered: EventLoopPromise<AnswerScanner.Answer>) {
    self.request = request
    self.answered = answered
  }

  func channelActive(context: ChannelHandlerContext) {
    context.writeAndFlush(wrapOutboundOut(request), promise: nil)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    scanner.add(unwrapInboundIn(data))
    guard !isDone, let answer = scanner.next(withBody: true) else { return }
    isDone = true
    answered.succeed(answer)
    context.close(promise: nil)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }

  func channelInactive(context: ChannelHandlerContext) {
    if !isDone { answered.fail(ChannelError.eof) }
    isDone = true
  }
}
