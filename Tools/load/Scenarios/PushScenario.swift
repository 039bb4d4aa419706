import RealServer
import SyncKit

/// Many connections store a segment of ten changes each, and wait until it is durable.
struct PushScenario: Scenario {
  static let changes = 10

  func run(_ target: LoadTarget, _ load: inout Load) async throws {
    let connections = load.connections
    for repetition in 0..<load.repetitions {
      // More than any server can take in that time, prepared in advance.
      let count = load.seconds * 4_000 / connections
      let requests = try (0..<connections).map { connection in
        let token = target.tokens[connection % target.tokens.count]
        var segments = LoadSegments(
          series: UInt64(connection), of: load.seed &* 1_000 &+ UInt64(repetition) + 10)
        return try (0..<count).map { _ in
          target.storing([try segments.segment(changes: Self.changes)], token)
        }
      }
      let before = target.usage
      let (tally, seconds) = try await target.closedLoops(connections, seconds: load.seconds) {
        connection, number in
        number < requests[connection].count ? requests[connection][number] : nil
      }
      let times = tally.times[0] ?? Latencies()
      load.report.add(
        "push", "durable changes per second", Double(times.count * Self.changes) / seconds,
        "/s", .atLeast(10_000))
      load.report.add("push", "answer", times, p99: .atMost(100))
      for (status, count) in tally.faults { load.report.fault("push", "status \(status)", count) }
      guard let before, let after = target.usage, times.count > 0 else { continue }
      load.report.add(
        "push", "processor time per answer", (after.cpu - before.cpu) / Double(times.count) * 1e6,
        "µs")
      load.report.add("push", "memory of the server", Double(after.resident) / 1e6, "MB")
    }
  }
}
