import SyncKit
import Synchronization

/// What listeners and runs have told a watcher and it has not taken yet.
final class WatchInbox: Sendable {
  enum Event: Sendable {
    /// A listener to a remote.
    case told(String, RemoteListener.Event)
    /// A run that has ended.
    case ended(SyncPlan.Step, [SyncRun.Job])
    /// A hook that is required has failed.
    case hookFailed(SyncError)
  }

  private struct State {
    var events: [Event] = []
    var generation = 0
  }

  private let state = Mutex(State())

  /// Which listeners are heard; those of an older generation are not.
  var generation: Int { state.withLock { $0.generation } }

  /// Takes in what a listener of a generation has told; news of one domain are the same news.
  func put(_ event: Event, _ generation: Int) {
    state.withLock { state in
      guard state.generation == generation else { return }
      if case .told(let remote, .news(let domain)) = event,
        state.events.contains(where: { other in
          if case .told(remote, .news(domain)) = other { true } else { false }
        })
      {
        return
      }
      state.events.append(event)
    }
  }

  /// Takes in how a run or a hook has ended.
  func put(_ event: Event) { state.withLock { $0.events.append(event) } }

  /// All that was told, in order.
  func take() -> [Event] {
    state.withLock { state in
      defer { state.events = [] }
      return state.events
    }
  }

  /// Hears the listeners that there are no more.
  func forget() {
    state.withLock { state in
      state.generation += 1
      state.events.removeAll { if case .told = $0 { true } else { false } }
    }
  }
}
