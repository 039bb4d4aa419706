public import SyncKit

/// Syncs a store while an app runs.
///
/// ```swift
/// let session = store.sync(with: .folder(url))
/// await session.start()           // when the app comes to the front
/// for await state in session.states { badge = state }
/// await session.stop()            // when it goes to the background: sends what is here
/// ```
public final class SyncSession: Sendable {
  /// What is synced.
  public let store: SyncStore
  /// What runs.
  public let engine: SyncEngine
  /// When it runs.
  public let scheduler: SyncScheduler
  /// The names of the remotes.
  private let remotes: [String]

  init(_ store: SyncStore, _ remotes: [Remote], pace: SyncPace, options: SyncOptions) {
    self.store = store
    self.remotes = remotes.map(\.name)
    engine = SyncEngine(store: store, remotes: remotes)
    scheduler = SyncScheduler(engine, pace: pace, options: options, clock: .continuous)
  }

  /// Syncs once with every remote.
  ///
  /// - Returns: What was sent and received.
  /// - Throws: ``SyncKit/SyncError`` of the first remote that failed; with the others the run went on.
  @discardableResult
  public func syncNow() async throws -> SyncReport { try await engine.syncNow() }

  /// Syncs from now on: at once, after edits, on news of the remotes, and from time to time.
  public func start() async { await scheduler.activate() }

  /// Sends what is here and ends the syncing.
  ///
  /// - Returns: How the last run ended with each remote.
  @discardableResult
  public func stop() async -> [SyncOutcome] {
    let outcomes = await scheduler.flush()
    await scheduler.deactivate()
    return outcomes
  }

  /// How the records stand with the remotes of this session, for badges; see ``states`` for when to ask again.
  ///
  /// - Throws: ``SyncKit/SyncError`` `store.damaged` and the like.
  public func statuses() throws -> RecordStatuses {
    try store.statuses(remotes: remotes)
  }

  /// How the store stands, now and after each change; equal states in a row are one.
  ///
  /// The stream ends with the store, or when the listening task is cancelled.
  public var states: AsyncStream<SyncState> {
    let (events, scheduler) = (store.events, scheduler)
    return AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let listening = Task {
        var last: SyncState?
        func tell() async {
          guard let state = try? await scheduler.state(), state != last else { return }
          last = state
          continuation.yield(state)
        }
        await tell()
        for await event in events {
          // How far a run has come changes no state, and comes often.
          if case .progress = event { continue }
          await tell()
        }
        continuation.finish()
      }
      continuation.onTermination = { _ in listening.cancel() }
    }
  }
}

extension SyncStore {
  /// Prepares to sync with remotes, of which each gets everything; nothing runs before the session is told to.
  ///
  /// Make one session for a store, and keep it as long as it is to sync.
  ///
  /// - Parameters:
  ///   - remotes: Where other devices sync, too.
  ///   - pace: How eagerly.
  ///   - options: What each run may do.
  /// - Returns: The session.
  public func sync(
    with remotes: Remote..., pace: SyncPace = SyncPace(), options: SyncOptions = SyncOptions()
  ) -> SyncSession {
    SyncSession(self, remotes, pace: pace, options: options)
  }
}
