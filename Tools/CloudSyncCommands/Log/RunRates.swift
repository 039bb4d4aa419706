import CommandFoundation
import SyncKitFormats
import SyncKit

/// The number of successful recent runs of this device, by domain and remote.
///
/// A watcher logs only runs that moved something or failed, so its quiet runs do not count.
struct RunRates {
  /// The runs of one domain, with one remote or with all.
  struct Rate {
    var succeeded = 0
    var failed = 0
    /// RFC 3339 time of the oldest one.
    var since: String?
    /// Milliseconds of the newest successful one; 0 for none.
    fileprivate(set) var lastGood: Int64 = 0

    var runs: Int { succeeded + failed }

    /// For `cloudsync.status/1` and the statistics.
    var document: JSON {
      [
        "succeeded": .int(Int64(succeeded)), "failed": .int(Int64(failed)),
        "since": since.map { .string($0) } ?? .null,
      ]
    }

    fileprivate mutating func add(_ entry: JSON) {
      // The newest come first.
      since = entry["at"]?.string
      guard entry["result"] == "ok" else {
        failed += 1
        return
      }
      succeeded += 1
      if lastGood == 0 { lastGood = since.flatMap { Timestamp.parse($0) } ?? 0 }
    }
  }

  private struct Meeting: Hashable {
    var domain: String
    var remote: String
  }

  private var rates: [Meeting: Rate] = [:]
  /// This many runs with one remote count.
  static let most = 100

  /// Counts in the newest part of the log.
  init(_ directories: Directories) {
    for entry in RunLog(directories).recent().reversed() {
      let meeting = Meeting(
        domain: entry["domain"]?.string ?? "", remote: entry["remote"]?.string ?? "")
      guard rates[meeting, default: Rate()].runs < Self.most else { continue }
      rates[meeting, default: Rate()].add(entry)
    }
  }

  /// The results of the runs of a domain with a remote.
  func rate(_ domain: String, with remote: String) -> Rate {
    rates[Meeting(domain: domain, remote: remote)] ?? Rate()
  }

  /// The results of the runs of a domain with any remote.
  func rate(_ domain: String) -> Rate {
    rates.filter { $0.key.domain == domain }.values.reduce(into: Rate()) { sum, rate in
      sum.succeeded += rate.succeeded
      sum.failed += rate.failed
      sum.since = [sum.since, rate.since].compactMap { $0 }.min()
    }
  }
}
