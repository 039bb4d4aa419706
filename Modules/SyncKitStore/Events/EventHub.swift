import SyncKitModel
import Synchronization

/// Hands every event to every listener.
package final class EventHub: Sendable {
  private struct State {
    var listeners: [Listener] = []
    var phase = SyncPhase.idle
  }

  /// A listener's queue, which lives as long as the listener does.
  private struct Listener {
    weak var queue: EventQueue?
  }

  private let state = Mutex(State())

  deinit {
    for listener in state.withLock({ $0.listeners }) { listener.queue?.finish() }
  }

  func subscribe() -> AsyncStream<SyncEvent> {
    let queue = EventQueue()
    state.withLock { state in
      state.listeners.removeAll { $0.queue == nil }
      state.listeners.append(Listener(queue: queue))
      queue.put(.phase(state.phase))
    }
    return AsyncStream(unfolding: { await queue.next() }, onCancel: { queue.end() })
  }

  /// Announces the domain's own records among the written ones, if there are listeners.
  package func send(_ touched: [RecordKey], reason: SyncEvent.Reason) {
    guard state.withLock({ $0.listeners.contains { $0.queue != nil } }) else { return }
    let keys = Set(touched.filter { !Rules.isSystem($0.collection) })
    if !keys.isEmpty { send(.changed(keys.sorted(), reason: reason)) }
  }

  /// Announces the engine's state once more: how the store stands has changed without it, because a run has ended
  /// for its scheduler, too, or a person has paused syncing.
  package func repeatPhase() { send(.phase(state.withLock(\.phase))) }

  package func send(_ event: SyncEvent) {
    let listeners = state.withLock { state in
      if case .phase(let phase) = event { state.phase = phase }
      state.listeners.removeAll { $0.queue == nil }
      return state.listeners.compactMap(\.queue)
    }
    for queue in listeners { queue.put(event) }
  }
}
