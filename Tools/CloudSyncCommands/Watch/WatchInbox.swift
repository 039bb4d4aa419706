import CommandFoundation
import SyncKit
import Synchronization

/// Events from listeners and runs that a watcher has not handled yet.
final class WatchInbox: Sendable {
  enum Event: Sendable {
    /// A listener to a remote.
    case told(String, RemoteListener.Event)
    /// A run that has ended.
    case ended(SyncPlan.Step, [SyncRun.Job])
    /// A required hook has failed.
    case hookFailed(SyncError)
  }

  private struct State {
    var events: [Event] = []
    var generation = 0
    /// The task that waits for an event.
    var waiter: CheckedContinuation<Void, Never>?

    /// Adds an event; returns the waiting task to wake.
    mutating func append(_ event: Event) -> CheckedContinuation<Void, Never>? {
      events.append(event)
      defer { waiter = nil }
      return waiter
    }
  }

  private let state = Mutex(State())

  /// The current generation of listeners; older ones are ignored.
  var generation: Int { state.withLock { $0.generation } }

  /// Adds an event of a listener of a generation; repeated news of one domain count once.
  func put(_ event: Event, _ generation: Int) {
    let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
      guard state.generation == generation else { return nil }
      if case .told(let remote, .news(let domain)) = event,
        state.events.contains(where: { other in
          if case .told(remote, .news(domain)) = other { true } else { false }
        })
      {
        return nil
      }
      return state.append(event)
    }
    waiter?.resume()
  }

  /// Adds the end of a run or a hook.
  func put(_ event: Event) { state.withLock { $0.append(event) }?.resume() }

  /// Waits for an event, at most for the given time; one task waits at a time.
  func wait(upTo limit: Duration) async {
    var timer: Task<Void, Never>?
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isReady = state.withLock { state in
          guard state.events.isEmpty, !Task.isCancelled else { return true }
          state.waiter = continuation
          return false
        }
        guard !isReady else { return continuation.resume() }
        // Only now: a timer that ends before the wait would wake no task.
        timer = Task {
          // An obsolete timer must not wake a later wait.
          do { try await Task.sleep(for: limit) } catch { return }
          wake()
        }
      }
    } onCancel: {
      wake()
    }
    timer?.cancel()
  }

  private func wake() {
    state.withLock { state in
      defer { state.waiter = nil }
      return state.waiter
    }?.resume()
  }

  /// All events, in order.
  func take() -> [Event] {
    state.withLock { state in
      defer { state.events = [] }
      return state.events
    }
  }

  /// Ignores the listeners so far.
  func forget() {
    state.withLock { state in
      state.generation += 1
      state.events.removeAll { if case .told = $0 { true } else { false } }
    }
  }
}
