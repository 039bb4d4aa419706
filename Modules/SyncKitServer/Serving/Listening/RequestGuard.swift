import SyncKitText
import NIOCore
import NIOHTTP1
import SyncWire

/// Stands between a connection and the program: refuses what is no proper request, ends what takes too
/// long, and closes so that the last answer arrives.
///
/// It sits right behind the parser of HTTP/1.1. All of it runs on the event loop of its connection.
final class RequestGuard: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart
  typealias OutboundIn = HTTPServerResponsePart
  typealias OutboundOut = HTTPServerResponsePart

  private let rules: RequestHeadRules
  private let limits: ConnectionLimits
  private let metrics: ServerMetrics
  private var patience: ConnectionPatience
  private var timer: Scheduled<Void>?
  private var context: ChannelHandlerContext?

  /// How many bytes were given to the connection in all; ``SocketWatch`` counts them.
  var sent = 0
  /// Requests that were passed on and are not answered to the end.
  private var unanswered = 0
  private var isReadingBody = false
  private var isAnswering = false
  private var isEventStream = false
  /// Whether a reader wants the next bytes of the client.
  private var isReading = true
  /// When the last complete answer has gone to the kernel.
  private var gone: EventLoopFuture<Void>?
  /// Whether the connection closes once all that was asked is answered.
  private var closesAfterAnswer = false
  private var isStopping = false
  /// What is said once all requests before it are answered.
  private var refusal: WireError?
  /// Whether the last words are said: nothing is passed on any more.
  private var isClosing = false
  /// Whether the last words have gone.
  private var isLingering = false

  init(rules: RequestHeadRules, limits: ConnectionLimits, metrics: ServerMetrics) {
    self.rules = rules
    self.limits = limits
    self.metrics = metrics
    patience = ConnectionPatience(limits, now: .now())
  }

  // MARK: The connection

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
    patience = ConnectionPatience(limits, now: .now())
    look(at: .now() + TimeAmount(limits.head))
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    timer?.cancel()
    timer = nil
    self.context = nil
  }

  func channelInactive(context: ChannelHandlerContext) {
    timer?.cancel()
    timer = nil
    if isEventStream { metrics.eventStreamEnded() }
    isEventStream = false
    context.fireChannelInactive()
  }

  func read(context: ChannelHandlerContext) {
    isReading = true
    context.read()
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    isReading = false
    context.fireChannelReadComplete()
    // No reader asks for what is only thrown away.
    if isClosing || refusal != nil { context.read() }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    switch event {
    case is ChannelShouldQuiesceEvent: stop(context)
    case ChannelEvent.inputClosed where isClosing: context.close(promise: nil)
    default: context.fireUserInboundEventTriggered(event)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    if isClosing || refusal != nil { return }
    switch error {
    case HTTPParserError.headerOverflow:
      refuse(WireError(.badRequest, "the head of the request is too large"), "head-size", context)
    case is HTTPParserError:
      refuse(WireError(.badRequest, "the request is not valid HTTP/1.1"), "malformed", context)
    default: context.close(promise: nil)
    }
  }

  // MARK: What comes

  /// Bytes of whatever have come over the wire.
  func bytesCame() {
    if patience.bytesCame(now: .now()) { look(at: .now() + TimeAmount(limits.head)) }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !isClosing, refusal == nil else { return }
    let part = unwrapInboundIn(data)
    switch part {
    case .head(let head):
      if closesAfterAnswer { return }
      if let refusal = rules.refusal(head) {
        refuse(refusal, refusal.code.rawValue, context)
        return
      }
      unanswered += 1
      isReadingBody = true
      patience.headCame(now: .now())
      if !head.isKeepAlive { closesAfterAnswer = true }
      if unanswered == 1, head.headers["expect"].first?.lowercased() == "100-continue" {
        context.writeAndFlush(
          wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: .continue))),
          promise: nil)
      }
    case .body(let bytes): patience.bodyCame(bytes.readableBytes)
    case .end:
      isReadingBody = false
      patience.answerBegan(now: .now())
    }
    context.fireChannelRead(data)
  }

  // MARK: What goes

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    guard !isClosing else {
      promise?.fail(ChannelError.ioOnClosedChannel)
      return
    }
    switch unwrapOutboundIn(data) {
    case .head(var head):
      guard head.status.code >= 200 else { break }
      isAnswering = true
      patience.answerBegan(now: .now())
      if head.headers["content-type"].first?.hasPrefix(WireProtocol.events) == true {
        isEventStream = true
        metrics.eventStreamBegan()
      }
      // A client that is answered in the middle of a request may go on sending for ever.
      if isReadingBody, unanswered == 1 { closesAfterAnswer = true }
      if closesAfterAnswer, unanswered == 1 {
        head.headers.replaceOrAdd(name: "Connection", value: "close")
      }
      context.write(wrapOutboundOut(.head(head)), promise: promise)
      return
    case .body: break
    case .end:
      endAnswer(context, data, promise)
      return
    }
    context.write(data, promise: promise)
  }

  private func endAnswer(
    _ context: ChannelHandlerContext, _ data: NIOAny, _ promise: EventLoopPromise<Void>?
  ) {
    isAnswering = false
    unanswered = max(0, unanswered - 1)
    if isEventStream { metrics.eventStreamEnded() }
    isEventStream = false
    patience.answerEnded(now: .now())
    let written = promise ?? context.eventLoop.makePromise(of: Void.self)
    gone = written.futureResult
    if closesAfterAnswer, unanswered == 0 {
      isClosing = true
      context.writeAndFlush(data, promise: written)
      linger(context, after: written.futureResult)
      return
    }
    context.write(data, promise: written)
    if let refusal, isTurn {
      say(refusal, context)
    } else {
      look(at: .now() + TimeAmount(limits.idle))
    }
  }

  /// Whether all is answered that came before what cannot be.
  private var isTurn: Bool { unanswered == (isReadingBody ? 1 : 0) && !isAnswering }

  // MARK: How it ends

  /// No further requests: an answer that is under way is given to its end.
  private func stop(_ context: ChannelHandlerContext) {
    guard !isStopping else { return }
    isStopping = true
    if isEventStream, !isClosing {
      isClosing = true
      metrics.eventStreamEnded()
      isEventStream = false
      let written = context.eventLoop.makePromise(of: Void.self)
      context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: written)
      linger(context, after: written.futureResult)
    } else if unanswered > 0 {
      closesAfterAnswer = true
    } else if !isClosing {
      isClosing = true
      // What is complete may still be on its way to a client that takes its time.
      if let gone { linger(context, after: gone) } else { context.close(promise: nil) }
    }
  }

  private func refuse(_ error: WireError, _ reason: String, _ context: ChannelHandlerContext) {
    metrics.refused(reason)
    refusal = error
    if isTurn { say(error, context) } else if unanswered <= 1, isReadingBody { closeHard(context) }
  }

  /// Says why, closes our half, and hears the rest of what the client sends for a moment: closing with
  /// bytes unread would make the kernel take back what is on its way.
  private func say(_ error: WireError, _ context: ChannelHandlerContext) {
    isClosing = true
    patience.answerBegan(now: .now())
    let written = context.eventLoop.makePromise(of: Void.self)
    for part in RefusalAnswer.parts(error) { context.write(wrapOutboundOut(part), promise: nil) }
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: written)
    linger(context, after: written.futureResult)
  }

  /// An answer is half given, and the rest of it waits for what will never come.
  private func closeHard(_ context: ChannelHandlerContext) {
    isClosing = true
    context.close(promise: nil)
  }

  private func linger(_ context: ChannelHandlerContext, after written: EventLoopFuture<Void>) {
    let channel = context.channel
    let patience = TimeAmount(limits.linger)
    let box = NIOLoopBound(self, eventLoop: context.eventLoop)
    // A client that does not take the last words is dealt with as one that takes no answer.
    look(at: .now())
    written.whenComplete { _ in
      box.value.timer?.cancel()
      box.value.isLingering = true
      channel.close(mode: .output, promise: nil)
      channel.read()
      channel.eventLoop.scheduleTask(in: patience) { channel.close(promise: nil) }
    }
  }

  // MARK: Time

  private func look(at time: NIODeadline) {
    guard let context, !isLingering else { return }
    timer?.cancel()
    let box = NIOLoopBound(self, eventLoop: context.eventLoop)
    timer = context.eventLoop.scheduleTask(deadline: time) { box.value.look() }
  }

  private func look() {
    guard let context, !isLingering else { return }
    let waiting =
      (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
    let verdict = patience.verdict(
      now: .now(), waiting: waiting, sent: sent, isReading: isReading)
    switch verdict {
    case .wait(let time): look(at: time)
    case .close:
      metrics.refused(waiting > 0 ? "slow-reader" : "idle")
      context.close(promise: nil)
    case .tooSlow where isClosing || isAnswering || unanswered > 1:
      metrics.refused("slow-request")
      context.close(promise: nil)
    case .tooSlow:
      metrics.refused("slow-request")
      say(WireError(.timeout, "the request took too long"), context)
    }
  }
}

@available(*, unavailable)
extension RequestGuard: Sendable {}
