import Synchronization

/// Something that happened in a store or to it.
public enum SyncEvent: Sendable {
  /// Why records changed.
  public enum Reason: String, Sendable {
    /// This device wrote.
    case local
    /// A remote brought changes.
    case remote
    /// A remote brought the first changes this store has seen.
    case initialSync
  }

  /// The engine's state; also the first event a late listener gets.
  case phase(SyncPhase)
  /// Records were written.
  case changed([RecordKey], reason: Reason)
  /// How far a pull or push has come.
  case progress(SyncProgress)
  /// A pull or push has ended.
  case finished(remote: String, SyncReport)
  /// A pull or push has failed.
  case failed(remote: String, SyncError)
}

/// What the engine is doing.
public enum SyncPhase: String, Sendable {
  case idle, pulling, pushing
}

/// How far a run has come.
public struct SyncProgress: Sendable {
  /// What is under way.
  public var phase: SyncPhase
  /// Segments done.
  public var done: Int
  /// Segments there are.
  public var total: Int
}

/// Hands every event to every listener.
final class EventHub: Sendable {
  private struct State {
    var listeners: [Int: AsyncStream<SyncEvent>.Continuation] = [:]
    var next = 0
    var phase = SyncPhase.idle
  }

  private let state = Mutex(State())

  func subscribe() -> AsyncStream<SyncEvent> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: SyncEvent.self, bufferingPolicy: .bufferingNewest(1_024))
    let number = state.withLock { state in
      state.next += 1
      state.listeners[state.next] = continuation
      continuation.yield(.phase(state.phase))
      return state.next
    }
    continuation.onTermination = { [weak self] _ in
      self?.state.withLock { $0.listeners[number] = nil }
    }
    return stream
  }

  /// Tells of the domain's own records among those that were written, if anybody listens.
  func send(_ touched: [RecordKey], reason: SyncEvent.Reason) {
    guard state.withLock({ !$0.listeners.isEmpty }) else { return }
    let keys = Set(touched.filter { !Rules.isSystem($0.collection) })
    if !keys.isEmpty { send(.changed(keys.sorted(), reason: reason)) }
  }

  func send(_ event: SyncEvent) {
    let listeners = state.withLock { state in
      if case .phase(let phase) = event { state.phase = phase }
      return Array(state.listeners.values)
    }
    for listener in listeners { listener.yield(event) }
  }
}
