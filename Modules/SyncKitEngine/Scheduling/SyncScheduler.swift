import SyncKitModel
import SyncKitStore

/// Syncs a store while an app runs: after edits, on news, now and then, and on demand.
///
/// ```swift
/// let scheduler = SyncScheduler(SyncEngine(store: store, remotes: remotes), clock: .continuous)
/// await scheduler.activate()      // the app has come to the front
/// await scheduler.flush()         // it is about to quit: send what is here, and wait for it
/// await scheduler.deactivate()
/// ```
///
/// - Edits of this process are sent to the remotes when they have settled; those of other processes
///   with the next run, at the latest after ``SyncPace/poll``.
/// - Remotes that are ``LiveTransport`` are listened to.
/// - A run that fails is tried again after a growing pause with a random share. Local reads and writes go
///   on meanwhile, and nothing that was written is lost.
/// - A remote that denies access, belongs to another account or is full stops nothing here: the edits stay,
///   ``state()`` says so, and ``retry()`` tries at once when the person has fixed it.
public actor SyncScheduler {
  private let engine: SyncEngine
  private let options: SyncOptions
  private let clock: Ticker
  private var schedule: SyncSchedule
  private var isActive = false
  private var isPaused = false
  private var isRunning = false
  private var loop: Task<Void, Never>?
  private var listeners: [Task<Void, Never>] = []
  private var sleeper: Task<Void, Never>?
  private var runs: [CheckedContinuation<Void, Never>] = []

  /// Makes a scheduler that does nothing before ``activate()``.
  ///
  /// - Parameters:
  ///   - engine: What runs.
  ///   - pace: How eagerly.
  ///   - options: What each run may do.
  ///   - clock: What the pauses are measured with; a program passes the system's continuous one.
  public init(
    _ engine: SyncEngine, pace: SyncPace = SyncPace(), options: SyncOptions = SyncOptions(),
    clock: some Clock<Duration>
  ) {
    self.engine = engine
    self.options = options
    self.clock = Ticker(clock)
    let domain = engine.store.domain.name
    schedule = SyncSchedule(
      [SyncSchedule.Step(domain: domain, remotes: engine.remotes.map(\.name))], [domain: pace],
      live: Set(engine.remotes.filter { $0.transport is any LiveTransport }.map(\.name)))
  }

  deinit {
    loop?.cancel()
    for listener in listeners { listener.cancel() }
    sleeper?.cancel()
  }

  /// How the store stands; a run of another process is not seen from here.
  ///
  /// - Throws: ``SyncError`` `store.io`, `store.damaged`.
  public func state() throws -> SyncState {
    SyncState(
      try engine.store.status(remotes: engine.remotes.map(\.name)), isRunning: isRunning,
      isPaused: isPaused)
  }

  /// Begins, with a run at once; a call when it is active makes a run at once too.
  public func activate() {
    schedule.awoke()
    guard !isActive else { return wake() }
    isActive = true
    listen()
    loop = Task { [weak self] in
      while !Task.isCancelled, let step = await self?.step() { await step.value }
    }
  }

  /// Ends: there are no more runs and no listening until ``activate()``.
  ///
  /// A run in progress continues to its end.
  public func deactivate() {
    isActive = false
    loop?.cancel()
    for listener in listeners { listener.cancel() }
    (loop, listeners) = (nil, [])
    wake()
  }

  /// Sends everything pending to every remote now, active or not, and waits for it.
  ///
  /// For an app that is about to end. Nothing runs while it is paused.
  /// - Returns: How it ended with each remote; nothing while it is paused.
  @discardableResult
  public func flush() async -> [SyncOutcome] {
    guard !isPaused else { return [] }
    return await run()
  }

  /// Tries again at once what has failed: the account is back, there is room again, the network is there.
  public func retry() {
    schedule.awoke()
    wake()
  }

  /// Syncs soon, because something may have come to the remotes: a push message says so.
  public func heardOfNews() {
    for remote in engine.remotes { schedule.heard(remote.name, engine.store.domain.name) }
    wake()
  }

  /// Changes how eagerly it syncs.
  public func setPace(_ pace: SyncPace) {
    schedule.set(engine.store.domain.name, pace)
    wake()
  }

  /// Stops all runs until ``resume()``; edits stay here.
  public func pause() {
    isPaused = true
    engine.store.hub.repeatPhase()
  }

  /// Resumes, with a run at once if active.
  public func resume() {
    isPaused = false
    engine.store.hub.repeatPhase()
    retry()
  }

  // MARK: The loop

  /// One turn: a run when one is due, else a pause until one is or something happens.
  private func step() -> Task<Void, Never>? {
    guard isActive else { return nil }
    let now = clock.elapsed()
    if !isPaused, !schedule.due(at: now).isEmpty { return Task { _ = await run() } }
    let pause = isPaused ? Self.long : (schedule.next() ?? Self.long) - now
    let clock = clock
    let sleeper = Task { await clock.sleep(pause) }
    self.sleeper = sleeper
    return sleeper
  }

  private static let long = Duration.seconds(86_400)

  private func wake() { sleeper?.cancel() }

  private func run() async -> [SyncOutcome] {
    while isRunning { await withCheckedContinuation { runs.append($0) } }
    isRunning = true
    let domain = engine.store.domain.name
    schedule.began(
      SyncSchedule.Step(domain: domain, remotes: engine.remotes.map(\.name)), at: clock.elapsed())
    let outcomes = await engine.sync(options)
    for outcome in outcomes {
      schedule.ended(
        domain, outcome.remote, outcome.error, at: clock.elapsed(),
        random: engine.store.environment.random())
    }
    isRunning = false
    let waiting = runs
    runs = []
    // What the engine told last, listeners may have read while this run still counted.
    engine.store.hub.repeatPhase()
    for one in waiting { one.resume() }
    return outcomes
  }

  // MARK: What happens

  private func listen() {
    let events = engine.events
    listeners.append(
      Task { [weak self] in
        for await event in events {
          switch event {
          case .changed(_, .local): await self?.edited()
          case .reload(let reasons) where reasons.contains(.local): await self?.edited()
          default: break
          }
        }
      })
    for remote in engine.remotes {
      guard let transport = remote.transport as? any LiveTransport else { continue }
      let listener = RemoteListener(
        transport: transport, environment: engine.store.environment, sleep: clock.sleep)
      let (stream, continuation) = AsyncStream.makeStream(of: RemoteListener.Event.self)
      listeners.append(Task { await listener.run { continuation.yield($0) } })
      listeners.append(
        Task { [weak self] in
          for await event in stream { await self?.heard(event, from: remote.name) }
        })
    }
  }

  private func edited() {
    schedule.edited(engine.store.domain.name, at: clock.elapsed())
    wake()
  }

  private func heard(_ event: RemoteListener.Event, from remote: String) {
    switch event {
    case .connected:
      schedule.set(remote, isConnected: true)
      schedule.heard(remote, nil)
    case .news(let domain): schedule.heard(remote, domain)
    case .lost: schedule.set(remote, isConnected: false)
    }
    wake()
  }
}

/// A clock of any kind, read in spans since its creation.
private struct Ticker: Sendable {
  let elapsed: @Sendable () -> Duration
  private let wait: @Sendable (Duration) async -> Void

  init<C: Clock>(_ clock: C) where C.Duration == Duration {
    let start = clock.now
    elapsed = { start.duration(to: clock.now) }
    wait = { try? await clock.sleep(until: clock.now.advanced(by: $0), tolerance: nil) }
  }

  /// Sleeps, or ends early when the task is cancelled.
  func sleep(_ duration: Duration) async { await wait(duration) }
}
