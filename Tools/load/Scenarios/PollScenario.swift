import RealServer

/// Many connections ask for changes, and there are none.
struct PollScenario: Scenario {
  func run(_ target: LoadTarget, _ load: inout Load) async throws {
    let polls = try await target.polls(run: 1)
    // The warm-up of the first second is not part of a server's cost.
    _ = try await target.closedLoops(load.connections, seconds: 1) { connection, _ in
      polls[connection % polls.count]
    }
    for _ in 0..<load.repetitions {
      let before = target.usage
      let connections = load.connections
      let (tally, seconds) = try await target.closedLoops(connections, seconds: load.seconds) {
        connection, number in polls[(number * connections + connection) % polls.count]
      }
      let times = tally.times[0] ?? Latencies()
      load.report.add(
        "poll", "answers per second", Double(times.count) / seconds, "/s", .atLeast(15_000))
      load.report.add("poll", "answer", times, p99: .atMost(25))
      for (status, count) in tally.faults { load.report.fault("poll", "status \(status)", count) }
      guard let before, let after = target.usage, times.count > 0 else { continue }
      load.report.add(
        "poll", "processor time per answer", (after.cpu - before.cpu) / Double(times.count) * 1e6,
        "µs")
      load.report.add("poll", "memory of the server", Double(after.resident) / 1e6, "MB")
    }
  }
}
