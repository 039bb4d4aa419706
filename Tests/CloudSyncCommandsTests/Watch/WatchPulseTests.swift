import CommandFoundation
import SyncKit
import Testing

@testable import CloudSyncCommands

/// The reports of a watcher to its hooks.
struct WatchPulseTests {
  private func job(
    _ error: SyncError? = nil, remote: String = "nas", conflicts: Int = 0
  )
    -> SyncRun.Job
  {
    var job = SyncRun.Job(domain: "bike", remote: remote, error: error)
    job.report.conflicts = conflicts
    return job
  }

  /// The report: `well`, the code of a failure, or nothing.
  private func told(_ verdict: WatchPulse.Verdict?) -> String? {
    switch verdict {
    case .well: "well"
    case .failing(let error): error.code.name
    case nil: nil
    }
  }

  private static let away = SyncError(.remoteUnavailable, "away")
  private static let denied = SyncError(.remoteDenied, "denied")

  @Test func `signs of life are an hour apart`() {
    var pulse = WatchPulse()
    let all = [0, 30, 3_599, 3_600, 3_630].map { told(pulse.ended([job()], at: .seconds($0))) }
    #expect(all == ["well", nil, nil, "well", nil])
  }

  @Test func `a temporary failure is reported once it has lasted`() {
    var pulse = WatchPulse()
    let all = [0, 300, 599, 600].map { told(pulse.ended([job(Self.away)], at: .seconds($0))) }
    #expect(all == [nil, nil, nil, "remote.unavailable"])
    let after = [601, 602].map { told(pulse.ended([job()], at: .seconds($0))) }
    #expect(after == ["well", nil])
  }

  @Test func `a permanent failure is reported at once`() {
    var pulse = WatchPulse()
    #expect(told(pulse.ended([job(Self.denied)], at: .zero)) == "remote.denied")
  }

  @Test func `one working remote does not hide the failure of another`() {
    var pulse = WatchPulse()
    let first = pulse.ended([job(Self.denied), job(remote: "stick")], at: .zero)
    let second = pulse.ended([job(remote: "stick")], at: .seconds(1))
    let third = pulse.ended([job()], at: .seconds(2))
    #expect([first, second, third].map(told) == ["remote.denied", nil, "well"])
  }

  @Test func `a short failure is not reported`() {
    var pulse = WatchPulse()
    let all = [job(), job(Self.away), job()].enumerated().map {
      told(pulse.ended([$0.element], at: .seconds($0.offset)))
    }
    #expect(all == ["well", nil, nil])
  }

  @Test func `a conflict is reported at once`() {
    var pulse = WatchPulse()
    let all = [job(), job(conflicts: 1)].map { told(pulse.ended([$0], at: .zero)) }
    #expect(all == ["well", "well"])
  }
}
