import SyncKit
import Synchronization

/// Lets another device sync in the middle of a run: the runs of devices overlap.
final class Interruption: Sendable {
  /// Where in a run it strikes.
  enum Point: Sendable {
    /// The run looks for something, or reads back what a snapshot holds.
    case fetch
    /// It is about to bring something.
    case store
    /// It is about to remove something.
    case remove
  }

  private struct State {
    var point = Point.fetch
    var countdown = 0
    var action: (@Sendable () async -> [SyncOutcome])?
    var outcomes: [SyncOutcome]?
    var hasStored = false
    var isAfterStoring = false
  }

  private let state = Mutex(State())

  /// Prepares an interruption at the point that is reached after that many others of its kind.
  func arm(
    _ point: Point, after countdown: Int, _ action: @escaping @Sendable () async -> [SyncOutcome]
  ) {
    state.withLock { $0 = State(point: point, countdown: countdown, action: action) }
  }

  /// Ends what was prepared.
  ///
  /// - Returns: How the other run ended, and whether the interrupted one had brought something by then;
  ///   nil when it was not interrupted.
  func disarm() -> (outcomes: [SyncOutcome], isAfterStoring: Bool)? {
    state.withLock { state in
      defer { state = State() }
      return state.outcomes.map { ($0, state.isAfterStoring) }
    }
  }

  /// Says that a run has got to a point.
  func reach(_ point: Point) async {
    let action: (@Sendable () async -> [SyncOutcome])? = state.withLock { state in
      defer { if point == .store { state.hasStored = true } }
      guard state.action != nil, state.point == point else { return nil }
      state.countdown -= 1
      guard state.countdown < 0 else { return nil }
      defer { state.action = nil }
      state.isAfterStoring = state.hasStored || point != .fetch
      return state.action
    }
    guard let action else { return }
    let outcomes = await action()
    state.withLock { $0.outcomes = outcomes }
  }
}
