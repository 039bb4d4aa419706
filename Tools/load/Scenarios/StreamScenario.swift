import SyncKitFormats
import NIOCore
import NIOPosix
import RealServer
import SyncKit
import SyncWire

/// Very many streams wait for news; then all of them get some.
struct StreamScenario: Scenario {
  /// An account may have 500 tokens.
  private static let tokensPerAccount = 450
  /// Two beats of silence, and a little more.
  private static let silence = 33

  func run(_ target: LoadTarget, _ load: inout Load) async throws {
    let tokens = try await devices(target, load.streams)
    let ears = HeardNews()
    let start = NIODeadline.now()
    var channels: [any Channel] = []
    for batch in stride(from: 0, to: tokens.count, by: 100) {
      // The streams of one batch connect at once.
      channels += try await withThrowingTaskGroup(of: (any Channel).self) { group in
        for token in tokens[batch..<min(batch + 100, tokens.count)] {
          let request = target.request("GET", "/events", token)
          group.addTask {
            try await target.connect { channel in
              channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHandler(NewsListener(request, ears))
              }
            }
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
    }
    try await wait(30) { ears.count.ready + ears.count.lost >= tokens.count }
    load.report.add(
      "streams", "opened", Double(ears.count.ready), "",
      .atLeast(Double(load.streams)))
    load.report.add("streams", "time to open all", Double((.now() - start).nanoseconds) / 1e9, "s")
    let before = target.usage
    try await Task.sleep(for: .seconds(Self.silence))
    let after = target.usage
    load.report.add(
      "streams", "beats of each in \(Self.silence) s",
      Double(ears.count.beats) / Double(tokens.count), "", .atLeast(2))
    if let before, let after {
      load.report.add(
        "streams", "memory of the server", Double(after.peak) / 1e6, "MB", .atMost(400))
      load.report.add(
        "streams", "processor while idle", (after.cpu - before.cpu) / Double(Self.silence) * 100,
        "%")
    }
    ears.await()
    for (number, token) in target.tokens.enumerated() {
      var segments = LoadSegments(series: UInt64(number), of: load.seed &* 1_000 &+ 2)
      try await target.store([try segments.segment()], token)
    }
    try await wait(20) { ears.count.news.count >= tokens.count - ears.count.lost }
    load.report.add("streams", "notification of all", ears.count.news)
    load.report.fault("streams", "silent", tokens.count - ears.count.lost - ears.count.news.count)
    load.report.fault("streams", "lost", ears.count.lost)
    ears.end()
    for channel in channels { channel.close(promise: nil) }
  }

  /// A token for each stream, as each is a device of its own.
  private func devices(_ target: LoadTarget, _ count: Int) async throws -> [String] {
    let perAccount = (count + target.tokens.count - 1) / target.tokens.count
    guard perAccount > 0 else { return [] }
    let made = min(perAccount, Self.tokensPerAccount)
    var tokens: [String] = []
    for account in target.tokens {
      tokens += try await withThrowingTaskGroup(of: String.self) { group in
        for number in 0..<made {
          group.addTask {
            let body: JSON = ["name": .string("stream \(number)"), "scope": "read"]
            let answer = try await target.ask("POST", "/tokens", account, body.serialized())
            guard let token = try JSON(parsing: answer)["token"]?.string else {
              throw SyncError(.failure, "The server did not create a token.")
            }
            return token
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
    }
    return (0..<count).map { tokens[$0 % tokens.count] }
  }

  private func wait(_ seconds: Int, until isDone: () -> Bool) async throws {
    for _ in 0..<seconds * 20 where !isDone() { try await Task.sleep(for: .milliseconds(50)) }
  }
}
