import RealServer
import SyncKit
import SyncWire

/// Devices that ask, store and fetch at once, as those of many accounts do.
///
/// Each store ends what a server had kept of answers, so that here a poll is answered by the storage.
struct MixedScenario: Scenario {
  /// The purpose of a request: of ten, one stores, one fetches, and eight ask.
  private enum Kind: Int, CaseIterable {
    case poll, push, fetch

    init(of number: Int) {
      switch number % 10 {
      case 4: self = .push
      case 9: self = .fetch
      default: self = .poll
      }
    }
  }

  func run(_ target: LoadTarget, _ load: inout Load) async throws {
    let connections = load.connections
    // One half of the accounts stores; nothing new arrives at the other, which asks and fetches.
    let asking = (try await target.polls(run: load.seed &* 1_000 &+ 3)).enumerated()
      .filter { $0.offset % 2 == 0 }.map(\.element)
    let fetching = try await fetches(target)
    for repetition in 0..<load.repetitions {
      let pushes = try (0..<connections).map { connection in
        let token = target.tokens[(2 * connection + 1) % target.tokens.count]
        var segments = LoadSegments(
          series: UInt64(connection), of: load.seed &* 1_000 &+ UInt64(repetition) + 20)
        return try (0..<load.seconds * 4_000 / connections).map { _ in
          var request = target.storing([try segments.segment(changes: 1)], token)
          request.kind = Kind.push.rawValue
          return request
        }
      }
      let (tally, seconds) = try await target.closedLoops(connections, seconds: load.seconds) {
        connection, number in
        let turn = number * connections + connection
        return switch Kind(of: number + connection) {
        case .push: pushes[connection][min(number / 10, pushes[connection].count - 1)]
        case .fetch: fetching[turn % fetching.count]
        case .poll: asking[turn % asking.count]
        }
      }
      let count = tally.times.values.reduce(0) { $0 + $1.count }
      load.report.add("mixed", "answers per second", Double(count) / seconds, "/s")
      for kind in Kind.allCases {
        load.report.add("mixed", "\(kind)", tally.times[kind.rawValue] ?? Latencies())
      }
      for (status, count) in tally.faults { load.report.fault("mixed", "status \(status)", count) }
    }
  }

  /// For each account the request that fetches its oldest segment.
  private func fetches(_ target: LoadTarget) async throws -> [ClosedLoop.Request] {
    var requests: [ClosedLoop.Request] = []
    for token in target.tokens {
      guard let first = try await target.feed(token).first?.segments.first else { continue }
      let body = Array("{\"cursors\":[\(first.cursor)]}".utf8)
      requests.append(
        ClosedLoop.Request(
          bytes: target.request("POST", "\(LoadTarget.segmentsPath)/fetch", token, body),
          kind: Kind.fetch.rawValue))
    }
    return requests
  }
}
