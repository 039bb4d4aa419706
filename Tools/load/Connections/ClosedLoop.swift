import NIOCore
import NIOPosix

/// One connection that sends a request after each answer, and notes how long each
/// answer took.
final class ClosedLoop: ChannelInboundHandler, @unchecked Sendable {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  /// The observations of a connection.
  struct Tally: Sendable {
    /// The times of successful answers, by the kind of request.
    var times: [Int: Latencies] = [:]
    /// The number of other answers, by status; 0 for a broken connection.
    var faults: [Int: Int] = [:]

    static func + (left: Tally, right: Tally) -> Tally {
      var sum = left
      for (kind, times) in right.times { sum.times[kind, default: Latencies()].add(times) }
      sum.faults.merge(right.faults) { $0 + $1 }
      return sum
    }
  }

  /// A request, with the kind that it counts as.
  struct Request: Sendable {
    var bytes: ByteBuffer
    var kind = 0
  }

  private let next: @Sendable (Int) -> Request?
  private let pause: TimeAmount
  private let until: NIODeadline
  private let finished: EventLoopPromise<Tally>
  private var tally = Tally()
  private var scanner = AnswerScanner()
  private var number = 0
  private var kind = 0
  private var start = NIODeadline.now()
  private var isFinished = false

  /// Prepares a connection.
  ///
  /// - Parameters:
  ///   - until: The time of its last request.
  ///   - pause: How long it waits between an answer and the next request.
  ///   - finished: Receives its observations.
  ///   - next: Returns the request for a number from 0; nil for no more.
  init(
    until: NIODeadline, pause: TimeAmount = .zero, finished: EventLoopPromise<Tally>,
    next: @escaping @Sendable (Int) -> Request?
  ) {
    self.until = until
    self.pause = pause
    self.finished = finished
    self.next = next
  }

  func channelActive(context: ChannelHandlerContext) { send(context) }

  private func send(_ context: ChannelHandlerContext) {
    guard .now() < until, let request = next(number) else { return finish(context) }
    number += 1
    kind = request.kind
    start = .now()
    context.writeAndFlush(wrapOutboundOut(request.bytes), promise: nil)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    scanner.add(unwrapInboundIn(data))
    while !isFinished, let answer = scanner.next() {
      if (200..<300).contains(answer.status) {
        tally.times[kind, default: Latencies()].add((.now() - start).nanoseconds)
      } else {
        tally.faults[answer.status, default: 0] += 1
      }
      guard pause > .zero else {
        send(context)
        continue
      }
      let box = NIOLoopBound((self, context), eventLoop: context.eventLoop)
      context.eventLoop.scheduleTask(in: pause) { box.value.0.send(box.value.1) }
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }

  func channelInactive(context: ChannelHandlerContext) {
    if !isFinished { tally.faults[0, default: 0] += 1 }
    finish(context)
  }

  private func finish(_ context: ChannelHandlerContext) {
    guard !isFinished else { return }
    isFinished = true
    finished.succeed(tally)
    context.close(promise: nil)
  }
}

extension LoadTarget {
  /// Runs connections in parallel until all have sent their requests, or the time is up; `next` returns
  /// the request for a connection and a number, nil for no more.
  func closedLoops(
    _ count: Int, seconds: Int, pause: TimeAmount = .zero,
    next: @escaping @Sendable (_ connection: Int, _ number: Int) -> ClosedLoop.Request?
  ) async throws -> (tally: ClosedLoop.Tally, seconds: Double) {
    let start = NIODeadline.now()
    let until = start + .seconds(Int64(seconds))
    var futures: [EventLoopFuture<ClosedLoop.Tally>] = []
    for connection in 0..<count {
      let finished = group.next().makePromise(of: ClosedLoop.Tally.self)
      futures.append(finished.futureResult)
      do {
        _ = try await connect { channel in
          channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(
              ClosedLoop(until: until, pause: pause, finished: finished) { next(connection, $0) })
          }
        }
      } catch {
        finished.fail(error)
      }
    }
    var tally = ClosedLoop.Tally()
    for future in futures { tally = tally + (try await future.get()) }
    return (tally, Double((.now() - start).nanoseconds) / 1e9)
  }
}
