/// The numbers of a server as Prometheus reads them.
///
/// Source: [Prometheus text format 0.0.4](https://prometheus.io/docs/instrumenting/exposition_formats/).
struct MetricsPage {
  static let type = "text/plain; version=0.0.4; charset=utf-8"

  private(set) var text = ""

  /// Writes the page.
  init(
    _ reading: ServerMetrics.Reading, _ storage: StorageReading?, connections: Int,
    turnedAway: Int, began: Int64
  ) {
    family("cloudsync_requests_total", "counter", "Requests that were answered.")
    for (kind, count) in reading.requests.sorted(by: { Self.key($0.key) < Self.key($1.key) }) {
      sample(
        "cloudsync_requests_total",
        [("method", kind.method), ("route", kind.route), ("status", "\(kind.status)")], "\(count)")
    }
    family(
      "cloudsync_request_duration_seconds", "histogram",
      "From the end of a request's head to the start of its answer.")
    for (route, durations) in reading.durations.sorted(by: { $0.key < $1.key }) {
      histogram("cloudsync_request_duration_seconds", [("route", route)], durations)
    }
    family("cloudsync_connections_refused_total", "counter", "Connections closed by the server.")
    let refused = reading.refused.merging(["too-many": turnedAway]) { $0 + $1 }
    for (reason, count) in refused.sorted(by: { $0.key < $1.key }) {
      sample("cloudsync_connections_refused_total", [("reason", reason)], "\(count)")
    }
    single("cloudsync_connections", "gauge", "Open connections.", connections)
    single("cloudsync_event_streams", "gauge", "Open event streams.", reading.eventStreams)
    single("cloudsync_received_bytes_total", "counter", "Bytes received.", reading.bytesReceived)
    single("cloudsync_sent_bytes_total", "counter", "Bytes sent.", reading.bytesSent)
    if let storage { write(storage) }
    family("process_start_time_seconds", "gauge", "Start of the server, in seconds since 1970.")
    sample("process_start_time_seconds", [], "\(Double(began) / 1_000)")
  }

  /// Each sample bears the engine, since a host may have servers over SQLite and over PostgreSQL.
  private mutating func write(_ storage: StorageReading) {
    let engine = [("engine", storage.engine)]
    let commits = storage.commits
    family("cloudsync_store_up", "gauge", "Whether the database answers: 1 or 0.")
    sample("cloudsync_store_up", engine, storage.isThere ? "1" : "0")
    family("cloudsync_store_statements_total", "counter", "Statements of the database.")
    sample("cloudsync_store_statements_total", engine, "\(storage.statements)")
    family("cloudsync_store_writes_total", "counter", "Writes in commits that became durable.")
    sample("cloudsync_store_writes_total", engine, "\(commits.writes)")
    family("cloudsync_store_writes_waiting", "gauge", "Writes that wait for the next commit.")
    sample("cloudsync_store_writes_waiting", engine, "\(commits.waiting)")
    family(
      "cloudsync_store_commit_failures_total", "counter",
      "Transactions that failed, repetitions included.")
    sample("cloudsync_store_commit_failures_total", engine, "\(commits.failures)")
    family(
      "cloudsync_store_commit_duration_seconds", "histogram",
      "From the begin of a transaction with one or more writes until it is durable.")
    histogram("cloudsync_store_commit_duration_seconds", engine, commits.durations)
  }

  private static func key(_ kind: ServerMetrics.RequestKind) -> String {
    "\(kind.route) \(kind.method) \(kind.status)"
  }

  private mutating func family(_ name: String, _ type: String, _ help: String) {
    text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
  }

  private mutating func single(_ name: String, _ type: String, _ help: String, _ value: Int) {
    family(name, type, help)
    sample(name, [], "\(value)")
  }

  private mutating func sample(_ name: String, _ labels: [(String, String)], _ value: String) {
    let pairs = labels.map { "\($0)=\"\(Self.escaped($1))\"" }.joined(separator: ",")
    text += "\(name)\(labels.isEmpty ? "" : "{\(pairs)}") \(value)\n"
  }

  private mutating func histogram(
    _ name: String, _ labels: [(String, String)], _ durations: ServerMetrics.Durations
  ) {
    var count = 0
    for (index, inBucket) in durations.counts.enumerated() {
      count += inBucket
      let bounds = ServerMetrics.Durations.bounds
      let bound = index < bounds.count ? "\(bounds[index])" : "+Inf"
      sample("\(name)_bucket", labels + [("le", bound)], "\(count)")
    }
    sample("\(name)_sum", labels, "\(durations.sum)")
    sample("\(name)_count", labels, "\(count)")
  }

  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": result += "\\\\"
      case "\"": result += "\\\""
      case "\n": result += "\\n"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
