import Synchronization

/// The numbers of a server since it began.
final class ServerMetrics: Sendable {
  /// What requests are told apart by; every part has few values.
  struct RequestKind: Hashable {
    var method: String
    /// The pattern of the path.
    var route: String
    var status: Int
  }

  /// How long requests took.
  struct Durations {
    /// The upper ends of the buckets, in seconds.
    static let bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

    private(set) var counts = [Int](repeating: 0, count: bounds.count + 1)
    private(set) var sum = 0.0

    mutating func add(_ seconds: Double) {
      counts[Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count] += 1
      sum += seconds
    }
  }

  /// All numbers at one moment.
  struct Reading {
    var requests: [RequestKind: Int] = [:]
    var durations: [String: Durations] = [:]
    var refused: [String: Int] = [:]
    var eventStreams = 0
    var bytesReceived = 0
    var bytesSent = 0
  }

  private let state = Mutex(Reading())
  private let bytesIn = Atomic<Int>(0)
  private let bytesOut = Atomic<Int>(0)

  /// What they are now.
  var reading: Reading {
    var reading = state.withLock { $0 }
    reading.bytesReceived = bytesIn.load(ordering: .relaxed)
    reading.bytesSent = bytesOut.load(ordering: .relaxed)
    return reading
  }

  /// A request was answered.
  func answered(_ kind: RequestKind, seconds: Double) {
    state.withLock { state in
      state.requests[kind, default: 0] += 1
      state.durations[kind.route, default: Durations()].add(seconds)
    }
  }

  /// A connection was ended by us before its time.
  func refused(_ reason: String) { state.withLock { $0.refused[reason, default: 0] += 1 } }

  func eventStreamBegan() { state.withLock { $0.eventStreams += 1 } }
  func eventStreamEnded() { state.withLock { $0.eventStreams -= 1 } }
  func received(_ count: Int) { bytesIn.wrappingAdd(count, ordering: .relaxed) }
  func sent(_ count: Int) { bytesOut.wrappingAdd(count, ordering: .relaxed) }
}
