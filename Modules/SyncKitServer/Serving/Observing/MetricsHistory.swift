import ServiceLifecycle
import Synchronization

/// How the numbers of a server went since it began, for charts.
///
/// It keeps a limited number of samples: when there are more, every second one goes, and those to come are taken half
/// as often.
final class MetricsHistory: Sendable {
  /// The numbers at one moment.
  struct Sample: Sendable, Equatable {
    /// Milliseconds since 1970.
    var at: Int64
    /// Requests that were answered since the start.
    var requests: Int
    /// Those of them that were answered with a status of 400 and more.
    var failed: Int
    /// Open connections.
    var connections: Int
    /// Open streams of news.
    var streams: Int
  }

  /// The most samples kept.
  static let limit = 240

  private struct State {
    var samples: [Sample] = []
    /// Of how many samples that come one is kept.
    var stride = 1
    var count = 0
  }

  private let state = Mutex(State())

  /// The samples, the oldest first.
  var samples: [Sample] { state.withLock { $0.samples } }

  /// Takes a sample, which is to come in equal distances.
  func note(_ sample: Sample) {
    state.withLock { state in
      defer { state.count += 1 }
      guard state.count.isMultiple(of: state.stride) else { return }
      state.samples.append(sample)
      guard state.samples.count > Self.limit else { return }
      state.samples = state.samples.enumerated().filter { $0.offset.isMultiple(of: 2) }
        .map(\.element)
      state.stride *= 2
    }
  }
}

/// Takes a sample of the numbers each minute.
struct MetricsSampler: Service {
  let history: MetricsHistory
  let metrics: ServerMetrics
  let census: ConnectionCensus
  /// Milliseconds since 1970.
  let now: @Sendable () -> Int64

  func run() async throws {
    try? await cancelWhenGracefulShutdown {
      while true {
        history.note(.init(metrics.reading, connections: census.total, at: now()))
        try await Task.sleep(for: .seconds(60))
      }
    }
    // The group stops when a service ends by itself.
    try? await gracefulShutdown()
  }
}

extension MetricsHistory.Sample {
  init(_ reading: ServerMetrics.Reading, connections: Int, at time: Int64) {
    self.init(
      at: time, requests: reading.requests.values.reduce(0, +),
      failed: reading.requests.reduce(0) { $1.key.status >= 400 ? $0 + $1.value : $0 },
      connections: connections, streams: reading.eventStreams)
  }
}
