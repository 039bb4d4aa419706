import SyncKitModel
import Synchronization

/// The events that one listener has not read yet.
///
/// - **Nothing is lost.** A changed record is named by an event that is still to come, or that event says to
///   read everything again.
/// - **Bounded.** Above ``mostEvents`` waiting events are joined: records by reason, for each remote the last
///   outcome, the last phase and progress. Above ``mostKeys`` records they become one
///   ``SyncEvent/reload(_:)``.
final class EventQueue: Sendable {
  static let mostEvents = 1_024
  static let mostKeys = 65_536

  fileprivate struct Box {
    var events: [SyncEvent] = []
    /// How many of the events were taken already.
    var taken = 0
    /// How many keys the events name.
    var keys = 0
    /// Records of events that were joined, by reason; while there are any, more are added to them.
    var joined: [SyncEvent.Reason: Set<RecordKey>] = [:]
    /// Why a listener has to read everything again.
    var reload: Set<SyncEvent.Reason> = []
    var waiters: [CheckedContinuation<SyncEvent?, Never>] = []
    /// Whether nothing follows what is here.
    var isFinished = false
  }

  private let box = Mutex(Box())

  /// How many events wait.
  package var count: Int {
    box.withLock { $0.events.count - $0.taken + $0.joined.count + ($0.reload.isEmpty ? 0 : 1) }
  }

  /// Takes in an event.
  package func put(_ event: SyncEvent) {
    give { $0.put(event) }
  }

  /// Lets the listener take what is here, and nothing more.
  package func finish() { give { $0.isFinished = true } }

  /// Ends at once: the listener is gone.
  package func end() {
    give { box in
      box = Box(waiters: box.waiters, isFinished: true)
    }
  }

  /// The next event; nil at the end.
  package func next() async -> SyncEvent? {
    await withCheckedContinuation { continuation in
      let ready = box.withLock { box -> SyncEvent?? in
        if let event = box.take() { return event }
        if box.isFinished { return .some(nil) }
        box.waiters.append(continuation)
        return nil
      }
      if let ready { continuation.resume(returning: ready) }
    }
  }

  private func give(_ change: (inout Box) -> Void) {
    let served = box.withLock { box in
      change(&box)
      var served: [(CheckedContinuation<SyncEvent?, Never>, SyncEvent?)] = []
      while !box.waiters.isEmpty {
        let event = box.take()
        guard event != nil || box.isFinished else { break }
        served.append((box.waiters.removeFirst(), event))
      }
      return served
    }
    for (waiter, event) in served { waiter.resume(returning: event) }
  }
}

extension EventQueue.Box {
  fileprivate mutating func put(_ event: SyncEvent) {
    guard !isFinished else { return }
    if case .reload(let reasons) = event {
      reload.formUnion(reasons)
      reload.formUnion(joined.keys)
      joined = [:]
      return
    }
    if case .changed(let named, let reason) = event {
      // A listener that reads everything again will see it.
      if !reload.isEmpty {
        reload.insert(reason)
        return
      }
      if !joined.isEmpty { return join(named, reason) }
      keys += named.count
    }
    events.append(event)
    if events.count - taken > EventQueue.mostEvents || keys > EventQueue.mostKeys { prune() }
  }

  fileprivate mutating func take() -> SyncEvent? {
    if !reload.isEmpty {
      defer { reload = [] }
      return .reload(reload)
    }
    // Changes come first, so that a listener knows what a run has brought when the run ends.
    for reason in [SyncEvent.Reason.initialSync, .remote, .local] {
      if let named = joined.removeValue(forKey: reason) {
        return .changed(named.sorted(), reason: reason)
      }
    }
    guard taken < events.count else { return nil }
    let event = events[taken]
    if case .changed(let named, _) = event { keys -= named.count }
    taken += 1
    if taken == events.count || taken >= EventQueue.mostEvents {
      events.removeFirst(taken)
      taken = 0
    }
    return event
  }

  private mutating func join(_ named: [RecordKey], _ reason: SyncEvent.Reason) {
    joined[reason, default: []].formUnion(named)
    guard joined.values.reduce(0, { $0 + $1.count }) > EventQueue.mostKeys else { return }
    reload = Set(joined.keys)
    joined = [:]
  }

  /// Joins what waits.
  private mutating func prune() {
    var ends: [(remote: String, event: SyncEvent)] = []
    var progress: SyncEvent?
    var phase: SyncEvent?
    let waiting = events[taken...]
    (events, taken, keys) = ([], 0, 0)
    for event in waiting {
      switch event {
      case .changed(let named, let reason):
        if reload.isEmpty { join(named, reason) } else { reload.insert(reason) }
      case .finished(let remote, _), .failed(let remote, _):
        ends.removeAll { $0.remote == remote }
        ends.append((remote, event))
      case .progress: progress = event
      case .phase: phase = event
      case .reload: break
      }
    }
    events = ends.map(\.event) + [progress, phase].compactMap(\.self)
  }
}
