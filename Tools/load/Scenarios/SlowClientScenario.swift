import NIOCore
import NIOPosix
import RealServer
import SyncKit
import SyncWire
import Synchronization

/// Very many slow clients alongside a few others, which must not notice.
struct SlowClientScenario: Scenario {
  /// The others, which poll four times and store once, with short pauses.
  private static let others = 16
  private static let pause = TimeAmount.milliseconds(2)

  func run(_ target: LoadTarget, _ load: inout Load) async throws {
    let polls = try await target.polls(run: 3)
    let heavy = target.tokens[0]
    var segments = LoadSegments(series: 900, of: 3)
    // Too big for the kernel's buffers of a connection.
    let big = try (0..<24).map { _ in try segments.segment(changes: 10, bytes: 100_000) }
    try await target.store(big, heavy)
    let cursors = try await target.feed(heavy).flatMap(\.segments).filter { $0.size > 100_000 }
    var run: UInt64 = 100
    for _ in 0..<load.repetitions {
      run += 1
      let alone = try await measure(target, polls, run: run, seconds: load.seconds)
      let crowd = SlowClients(target, requests: requests(target, heavy, cursors.map(\.cursor)))
      crowd.gather(load.slow)
      // Until the server disconnects the first of them.
      try await Task.sleep(for: .seconds(5))
      run += 1
      let beside = try await measure(target, polls, run: run, seconds: load.seconds)
      let usage = target.usage
      crowd.disperse()
      for (kind, name) in [(0, "poll"), (1, "push")] {
        guard let before = alone.times[kind], let after = beside.times[kind] else { continue }
        load.report.add("slow", "\(name) alone, p99", before.milliseconds(0.99), "ms")
        load.report.add("slow", "\(name) alongside them, p99", after.milliseconds(0.99), "ms")
        load.report.add(
          "slow", "\(name), slowdown", after.milliseconds(0.99) / before.milliseconds(0.99),
          "x", .atMost(2))
      }
      load.report.add("slow", "slow clients disconnected", Double(crowd.partings), "")
      if let usage {
        load.report.add("slow", "memory of the server", Double(usage.peak) / 1e6, "MB")
      }
      for (status, count) in (alone + beside).faults {
        load.report.fault("slow", "status \(status) for the others", count)
      }
    }
  }

  private func measure(
    _ target: LoadTarget, _ polls: [ClosedLoop.Request], run: UInt64, seconds: Int
  ) async throws -> ClosedLoop.Tally {
    let pushes = try (0..<Self.others).map { connection in
      var segments = LoadSegments(series: UInt64(connection), of: run)
      return try (0..<seconds * 100).map { _ in
        var request = target.storing([try segments.segment()], target.tokens[1 + connection % 8])
        request.kind = 1
        return request
      }
    }
    return try await target.closedLoops(Self.others, seconds: seconds, pause: Self.pause) {
      connection, number in
      let push = number / 5
      return number % 5 == 4 && push < pushes[connection].count
        ? pushes[connection][push] : polls[connection % polls.count]
    }.tally
  }

  private func requests(
    _ target: LoadTarget, _ token: String, _ cursors: [UInt64]
  ) -> [(SlowClient.Manner, ByteBuffer)] {
    let numbers = cursors.map { "\($0)" }.joined(separator: ",")
    let body = Array("{\"cursors\":[\(numbers)]}".utf8)
    return [
      (.head, target.request("GET", "/account", token)),
      (
        .body,
        target.request(
          "POST", LoadTarget.segmentsPath, token, [UInt8](repeating: 0, count: 20_000),
          WireProtocol.segments)
      ),
      (.reading, target.request("POST", "\(LoadTarget.segmentsPath)/fetch", token, body)),
    ]
  }
}

/// Slow clients that are replaced as the server disconnects them.
private final class SlowClients: Sendable {
  private struct State {
    var channels: [ObjectIdentifier: any Channel] = [:]
    var partings = 0
    var isOver = false
  }

  private let target: LoadTarget
  private let requests: [(SlowClient.Manner, ByteBuffer)]
  private let state = Mutex(State())

  init(_ target: LoadTarget, requests: [(SlowClient.Manner, ByteBuffer)]) {
    self.target = target
    self.requests = requests
  }

  /// The number of disconnected clients so far.
  var partings: Int { state.withLock(\.partings) }

  func gather(_ count: Int) { for number in 0..<count { admit(number) } }

  func disperse() {
    let channels = state.withLock { state in
      state.isOver = true
      return Array(state.channels.values)
    }
    for channel in channels { channel.close(promise: nil) }
  }

  private func admit(_ number: Int) {
    let (manner, request) = requests[number % requests.count]
    ClientBootstrap(group: target.group)
      .channelOption(.autoRead, value: manner != .reading)
      .channelOption(.socketOption(.so_rcvbuf), value: 4_096)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(
            SlowClient(manner, request: request) { [weak self] in self?.part(number, channel) })
        }
      }
      .connect(host: target.host, port: target.port)
      .whenSuccess { channel in
        let isOver = self.state.withLock { state in
          state.channels[ObjectIdentifier(channel)] = channel
          return state.isOver
        }
        if isOver { channel.close(promise: nil) }
      }
  }

  private func part(_ number: Int, _ channel: any Channel) {
    let isOver = state.withLock { state in
      state.channels[ObjectIdentifier(channel)] = nil
      if !state.isOver { state.partings += 1 }
      return state.isOver
    }
    if !isOver { channel.eventLoop.execute { self.admit(number) } }
  }
}
