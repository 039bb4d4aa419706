import SyncKit
import Synchronization

/// What must not go out, and whether it did (I15, I16, I17).
final class WatchBook: Sendable {
  private struct State {
    var kept: Set<LocalWrite> = []
    var problems: [String] = []
  }

  private let state = Mutex(State())

  /// Breaches that were noticed.
  var problems: [String] { state.withLock { $0.problems } }

  /// Takes note of what was written in zones that may not leave their devices.
  func keep(_ writes: Set<LocalWrite>) { state.withLock { $0.kept.formUnion(writes) } }

  func look(at segment: Segment, _ coding: any SegmentCoding) throws {
    let leak = try SimulatedLog.leak(in: segment, coding: coding)
    let log = try SimulatedLog.changes(of: segment, coding: coding)
    state.withLock { state in
      if let leak { state.problems.append("a segment holds \(leak)") }
      for entry in log
      where state.kept.contains(LocalWrite(batch: entry.change.batch, zone: entry.zone)) {
        state.problems.append("batch \(entry.change.batch) was written in a local zone and left it")
      }
    }
  }
}
