import NIOCore

/// How long one connection may stay as it is: a value that takes events and says when time is up.
struct ConnectionPatience {
  /// What a connection is waiting for.
  enum Phase: Equatable {
    /// For the rest of a head.
    case head
    /// For the rest of a body.
    case body
    /// For our own answer, or for the client to take it.
    case answer
    /// For another request.
    case idle
  }

  /// What is to be done about a connection.
  enum Verdict: Equatable {
    /// Look again then.
    case wait(until: NIODeadline)
    /// The request is too slow: say so and close.
    case tooSlow
    /// No answer would be read: close.
    case close
  }

  private let limits: ConnectionLimits
  private(set) var phase = Phase.head
  private var since: NIODeadline
  private var bodyBytes = 0
  /// How many bytes the client had taken at the last look, and when it took the last ones.
  private var taken = 0
  private var takenAt: NIODeadline

  /// A connection begins; it has to show a whole head soon.
  init(_ limits: ConnectionLimits, now: NIODeadline) {
    self.limits = limits
    since = now
    takenAt = now
  }

  /// Bytes have come, of whatever.
  ///
  /// - Returns: Whether there is a new, earlier time to look.
  mutating func bytesCame(now: NIODeadline) -> Bool {
    guard phase == .idle else { return false }
    phase = .head
    since = now
    return true
  }

  /// A head is complete.
  mutating func headCame(now: NIODeadline) {
    phase = .body
    since = now
    bodyBytes = 0
  }

  /// A part of a body has come.
  mutating func bodyCame(_ count: Int) { bodyBytes += count }

  /// A request is complete, or its answer has begun.
  mutating func answerBegan(now: NIODeadline) {
    guard phase != .answer else { return }
    phase = .answer
    since = now
    takenAt = now
  }

  /// An answer is complete.
  mutating func answerEnded(now: NIODeadline) {
    phase = .idle
    since = now
    takenAt = now
  }

  /// Looks at the connection.
  ///
  /// - Parameters:
  ///   - now: The time.
  ///   - waiting: How many bytes of an answer wait for the client to take them.
  ///   - sent: How many bytes were given to the connection in all.
  ///   - isReading: Whether the server takes what the client sends; if not, a slow body is its own fault.
  /// - Returns: What is to be done.
  mutating func verdict(
    now: NIODeadline, waiting: Int, sent: Int, isReading: Bool
  ) -> Verdict {
    if waiting > 0 {
      let progress = sent - waiting - taken
      let pause = now - takenAt
      if progress > 0, progress >= minimum(of: pause) {
        taken = sent - waiting
        takenAt = now
      } else if pause >= TimeAmount(limits.stall) {
        return .close
      }
    } else {
      taken = sent
      takenAt = now
    }
    switch phase {
    case .head: return verdict(now, limits.head, over: .tooSlow)
    case .idle:
      return waiting > 0 ? .wait(until: now + look) : verdict(now, limits.idle, over: .close)
    case .answer: return .wait(until: now + look)
    case .body:
      let allowed =
        TimeAmount(limits.bodyGrace)
        + .milliseconds(Int64(bodyBytes) * 1_000 / Int64(max(1, limits.minimumRate)))
      if now < since + allowed { return .wait(until: min(since + allowed, now + look)) }
      return isReading ? .tooSlow : .wait(until: now + look)
    }
  }

  /// How often an answer is looked at.
  private var look: TimeAmount { .nanoseconds(max(1, TimeAmount(limits.stall).nanoseconds / 4)) }

  private func minimum(of pause: TimeAmount) -> Int {
    Int(clamping: Int64(limits.minimumRate) * (pause.nanoseconds / 1_000_000) / 1_000)
  }

  private func verdict(_ now: NIODeadline, _ limit: Duration, over: Verdict) -> Verdict {
    let end = since + TimeAmount(limit)
    return now < end ? .wait(until: end) : over
  }
}
