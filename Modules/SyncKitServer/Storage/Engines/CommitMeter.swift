import Synchronization

/// What a storage has committed since it was opened.
final class CommitMeter: Sendable {
  /// The numbers at one moment.
  struct Reading {
    /// How long each commit took, with the writes in it.
    var durations = ServerMetrics.Durations()
    /// Commits that are durable.
    var commits = 0
    /// Commits that failed.
    var failures = 0
    /// Writes that were asked for, in all commits.
    var writes = 0
    /// Writes that wait just now.
    var waiting = 0
  }

  private let state = Mutex(Reading())

  /// What they are now.
  var reading: Reading { state.withLock { $0 } }

  /// A write has come, or some were taken up.
  func wait(_ change: Int) { state.withLock { $0.waiting += change } }

  /// Writes have become durable together.
  func committed(_ writes: Int, took: Duration) {
    state.withLock { state in
      state.commits += 1
      state.writes += writes
      state.durations.add(took / .seconds(1))
    }
  }

  /// A transaction was taken back.
  func failed() { state.withLock { $0.failures += 1 } }
}
