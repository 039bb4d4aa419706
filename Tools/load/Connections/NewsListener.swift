import NIOCore
import Synchronization

/// One stream of events, which only listens.
final class NewsListener: ChannelInboundHandler, @unchecked Sendable {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let request: ByteBuffer
  private let ears: HeardNews
  private var isReady = false
  private var tail: [UInt8] = []

  init(_ request: ByteBuffer, _ ears: HeardNews) {
    self.request = request
    self.ears = ears
  }

  func channelActive(context: ChannelHandlerContext) {
    context.writeAndFlush(wrapOutboundOut(request), promise: nil)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let bytes = tail + unwrapInboundIn(data).readableBytesView
    let text = String(decoding: bytes, as: UTF8.self)
    if !isReady {
      guard text.contains("event: ready") else {
        tail = Array(bytes.suffix(2_000))
        return
      }
      isReady = true
      tail = []
      ears.ready()
    } else if text.contains("event: news") {
      tail = []
      ears.heard()
    } else if text.contains(": \n\n") {
      tail = []
      ears.beat()
    } else {
      tail = Array(bytes.suffix(100))
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }

  func channelInactive(context: ChannelHandlerContext) { ears.lost() }
}

/// The events of all streams together.
final class HeardNews: Sendable {
  /// The numbers at one moment.
  struct Count: Sendable {
    var ready = 0
    var beats = 0
    var lost = 0
    var news = Latencies()
  }

  private struct State {
    var count = Count()
    var asked = NIODeadline.now()
    var isDeaf = false
  }

  private let state = Mutex(State())

  var count: Count { state.withLock(\.count) }

  /// Starts to wait for news.
  func await() {
    state.withLock { state in
      state.asked = .now()
      state.count.news = Latencies()
    }
  }

  /// From now on the end of a stream is not a fault.
  func end() { state.withLock { $0.isDeaf = true } }

  func ready() { state.withLock { $0.count.ready += 1 } }
  func beat() { state.withLock { $0.count.beats += 1 } }
  func lost() { state.withLock { if !$0.isDeaf { $0.count.lost += 1 } } }
  func heard() {
    state.withLock { $0.count.news.add((NIODeadline.now() - $0.asked).nanoseconds) }
  }
}
