import CommandFoundation
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
    /// Who waits for something to come.
    var waiter: CheckedContinuation<Void, Never>?

    /// Takes an event in; who waits is to be woken then.
    mutating func append(_ event: Event) -> CheckedContinuation<Void, Never>? {
      events.append(event)
      defer { waiter = nil }
      return waiter
    }
  }

  private let state = Mutex(State())

  /// Which listeners are heard; those of an older generation are not.
  var generation: Int { state.withLock { $0.generation } }

  /// Takes in what a listener of a generation has told; news of one domain are the same news.
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

  /// Takes in how a run or a hook has ended.
  func put(_ event: Event) { state.withLock { $0.append(event) }?.resume() }

  /// Waits until something has come, or for so long at most; one waits at a time.
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
        // Only now: one that is over before anybody waits would wake nobody.
        timer = Task {
          // One that is no longer needed wakes nobody who waits after it.
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
