import NIOCore
import NIOPosix
import RealServer
import SyncKit
import SyncWire
import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Everything at once, for a while, with kills: every acknowledged segment is there at the end, once.
struct SoakScenario: Scenario {
  private static let writers = 8
  private static let listeners = 100

  func run(_ target: LoadTarget, _ load: inout Load) async throws {
    guard let server = target.process, let folder = target.folder else { return }
    let end = ContinuousClock.now.advanced(by: .seconds(load.minutes * 60))
    let book = AcknowledgedSegments()
    let seed = load.seed
    let peak = Mutex(0)
    let kills = Mutex(0)
    // Kills block, so they have their own thread.
    let killing = Task.detached {
      var chance = seed
      while ContinuousClock.now < end {
        chance = chance &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        let pause = 5 + Int(chance >> 33) % 20
        for _ in 0..<pause where ContinuousClock.now < end {
          try? await Task.sleep(for: .seconds(1))
          let held = target.usage?.peak ?? 0
          peak.withLock { $0 = max($0, held) }
        }
        kills.withLock { $0 += 1 }
        try server.restart()
      }
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<Self.writers {
        group.addTask { try await write(target, number, until: end, book) }
      }
      for number in 0..<Self.listeners {
        group.addTask { await listen(target, number, until: end, book) }
      }
      try await group.waitForAll()
    }
    try await killing.value
    let (missing, twice) = try await compare(target, book)
    load.report.add("soak", "minutes", Double(load.minutes), "")
    load.report.add("soak", "kills", Double(kills.withLock { $0 }), "")
    load.report.add("soak", "segments acknowledged", Double(book.count), "")
    load.report.add("soak", "answers", book.times, p99: nil)
    load.report.add("soak", "requests without an answer", Double(book.unanswered), "")
    load.report.add("soak", "memory of the server, peak", Double(peak.withLock { $0 }) / 1e6, "MB")
    load.report.fault("soak", "acknowledged but missing", missing)
    load.report.fault("soak", "stored twice", twice)
    load.report.fault("soak", "refused", book.refused)
    server.stop()
    let words = [server.program, "server", "check", "--data", "\(folder)/data", "-q"]
    if try !ServerProcess.run(words) { load.report.fault("soak", "the check found damage") }
  }

  /// Stores segments, each repeatedly until there is an answer, and reads in between.
  private func write(
    _ target: LoadTarget, _ number: Int, until end: ContinuousClock.Instant,
    _ book: AcknowledgedSegments
  ) async throws {
    var segments = LoadSegments(series: UInt64(number), of: 7)
    let token = target.tokens[number % 4]
    while ContinuousClock.now < end {
      let batch = try (0..<3).map { _ in try segments.segment() }
      let body = LoadSegments.body(batch)
      var isStored = false
      while !isStored {
        let start = ContinuousClock.now
        do {
          _ = try await target.ask(
            "POST", LoadTarget.segmentsPath, token, body, WireProtocol.segments)
          book.acknowledge(batch, token: token, took: ContinuousClock.now - start)
          isStored = true
        } catch let error as StatusError where error.status < 500 {
          return book.refuse("\(error)")
        } catch {
          book.miss()
          try await Task.sleep(for: .milliseconds(50))
        }
      }
      if number % 2 == 0 { _ = try? await target.ask("GET", "/account", token) }
    }
  }

  /// Listens, and reconnects when the stream ends.
  private func listen(
    _ target: LoadTarget, _ number: Int, until end: ContinuousClock.Instant,
    _ book: AcknowledgedSegments
  ) async {
    let request = target.request("GET", "/events", target.tokens[number % target.tokens.count])
    while ContinuousClock.now < end {
      let channel = try? await target.connect { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(NewsListener(request, HeardNews()))
        }
      }
      guard let channel else {
        try? await Task.sleep(for: .milliseconds(200))
        continue
      }
      while channel.isActive, ContinuousClock.now < end {
        try? await Task.sleep(for: .milliseconds(500))
      }
      try? await channel.close()
    }
  }

  /// The acknowledged segments that are missing, and those that exist more than once.
  private func compare(
    _ target: LoadTarget, _ book: AcknowledgedSegments
  ) async throws -> (missing: Int, twice: Int) {
    var missing = 0
    var twice = 0
    for (token, heads) in book.heads {
      var seen: [ContentHash: Int] = [:]
      for entry in try await target.feed(token).flatMap(\.segments) {
        seen[entry.head, default: 0] += 1
      }
      missing += heads.count { seen[$0] == nil }
      twice += seen.values.count { $0 > 1 }
    }
    return (missing, twice)
  }
}

/// The acknowledged segments of a server, and its answers.
private final class AcknowledgedSegments: Sendable {
  private struct State {
    var heads: [String: [ContentHash]] = [:]
    var times = Latencies()
    var count = 0
    var unanswered = 0
    var refusals: [String] = []
  }

  private let state = Mutex(State())

  var heads: [String: [ContentHash]] { state.withLock(\.heads) }
  var times: Latencies { state.withLock(\.times) }
  var count: Int { state.withLock(\.count) }
  var unanswered: Int { state.withLock(\.unanswered) }
  var refused: Int { state.withLock(\.refusals.count) }

  func acknowledge(_ segments: [Segment], token: String, took: Duration) {
    state.withLock { state in
      state.heads[token, default: []] += segments.map(\.info.head)
      state.count += segments.count
      state.times.add(Int64(took / .nanoseconds(1)))
    }
  }

  func miss() { state.withLock { $0.unanswered += 1 } }
  func refuse(_ why: String) { state.withLock { $0.refusals.append(why) } }
}
