/// How a server is, for its host.
struct ServerHealth: Sendable {
  /// When it began, in milliseconds since 1970.
  let began: Int64
  /// Whether it can do its work just now.
  let isReady: @Sendable () async -> Bool
  /// How many bytes are free; nil when unknown.
  let freeBytes: @Sendable () -> UInt64?
  /// Its numbers since it began.
  let reading: @Sendable () -> ServerMetrics.Reading
  /// How many connections there are.
  let connections: @Sendable () -> Int
  /// How many connections were not let in.
  let turnedAway: @Sendable () -> Int
  /// How the numbers went.
  let history: MetricsHistory
}
