import LocalMachine
import CommandFoundation
import SyncKitFormats
import SyncKit

/// The hooks around one run: which hook gets which event, and when not again.
struct Hooks {
  private let session: Session
  private let names: [String]
  private let run: String
  private let memory: HookMemory

  /// Prepares for a run of some jobs of the configuration, or of everything.
  init(_ session: Session, names: [String]) {
    self.session = session
    self.names = names
    run = UUIDText.random(from: session.environment)
    memory = HookMemory(session.directories)
  }

  /// Reports the start of a run.
  ///
  /// - Returns: Whether to continue; a command may refuse.
  /// - Throws: ``SyncError`` `hook.failed` for a required hook.
  func begin() async throws -> Bool {
    guard !session.configuration.hooks.isEmpty else { return true }
    let isSkipped = try await tell(event(.before)) == .skip
    if !isSkipped { _ = try await tell(event(.start)) }
    return !isSkipped
  }

  /// Reports the end of a run, or the state of a watcher, which keeps running and reports a failure once.
  ///
  /// - Throws: ``SyncError`` `hook.failed` for a required hook.
  func end(
    _ jobs: [SyncRun.Job], _ error: SyncError?, seconds: Double, goesOn: Bool = false
  ) async throws {
    guard !session.configuration.hooks.isEmpty else { return }
    var told = memory.read()
    // A run without a remote is not a success: a monitor would think that the device is in sync.
    let hasMet = !jobs.isEmpty || error != nil
    var moments: [Configuration.Hook.Moment] = hasMet ? [error == nil ? .success : .failure] : []
    if goesOn, error != nil, told.isFailing { moments = [] }
    if hasMet, error == nil, told.isFailing { moments.append(.recovery) }
    if hasMet, error?.code.exit != 75 { told.isFailing = error != nil }
    if jobs.contains(where: { $0.report.conflicts > 0 }), needsDecision(jobs) {
      moments.append(.conflict)
    }
    let stale = try staleDomains()
    let now = session.environment.now()
    // Once a day is enough for a state that lasts for days.
    if !stale.isEmpty, now - told.staleAt >= 86_400_000 {
      moments.append(.stale)
      told.staleAt = now
    }
    if stale.isEmpty { told.staleAt = 0 }
    if hasMet, !goesOn { moments.append(.after) }
    memory.write(told)
    var failure: SyncError?
    for moment in moments {
      var event = try event(moment)
      (event.jobs, event.error, event.seconds) = (jobs, error, seconds)
      event.stale = stale
      do { _ = try await tell(event) } catch let error as SyncError { failure = failure ?? error }
    }
    if let failure { throw failure }
  }

  /// The domains that have been out of step with a remote for too long.
  private func staleDomains() throws -> [String] {
    let staleness = Staleness(session)
    let pauses = try session.pauses()
    return session.enabledDomains.filter { name in
      // An unreadable store has already failed its run, and must not stop the report of that.
      guard !pauses.covers(name),
        let status = try? session.status(of: name)
      else { return false }
      return staleness.isStale(name, status)
    }
  }

  private func needsDecision(_ jobs: [SyncRun.Job]) -> Bool {
    Set(jobs.map(\.domain)).contains { name in
      (try? session.store(name).conflicts().contains(where: \.needsDecision)) ?? false
    }
  }

  private func event(_ moment: Configuration.Hook.Moment) throws -> HookEvent {
    HookEvent(
      moment: moment, run: run, at: session.environment.now(), device: try session.device(),
      names: names)
  }

  private func tell(_ event: HookEvent) async throws -> HookCall.Answer {
    var answer = HookCall.Answer.done
    for hook in session.configuration.hooks where hook.when.contains(event.moment) {
      do {
        let call = HookCall(hook: hook, event: event, context: session.context)
        if try await call.perform() == .skip { answer = .skip }
      } catch {
        let error = ErrorReport.described(error)
        if hook.isRequired { throw error }
        session.context.warn(error.message)
      }
    }
    return answer
  }
}

/// The earlier reports of hooks, so that none is repeated every quarter of an hour.
struct HookMemory {
  struct Told: Equatable {
    var isFailing = false
    /// The time of the last report of stale domains; 0 if there was none since they were in step.
    var staleAt: Int64 = 0
  }

  private let path: String

  init(_ directories: Directories) { path = LocalFolder.path(directories.state, "hooks.json") }

  func read() -> Told {
    guard let bytes = try? LocalFile.read(path, limit: 4_096), let json = try? JSON(parsing: bytes)
    else { return Told() }
    return Told(
      isFailing: json["failing"]?.bool ?? false,
      staleAt: json["staleAt"]?.string.flatMap { Timestamp.parse($0) } ?? 0)
  }

  /// Saves it; a report that could not be saved is repeated.
  func write(_ told: Told) {
    guard told != read() else { return }
    let json: JSON = [
      "failing": .bool(told.isFailing),
      "staleAt": told.staleAt == 0
        ? .null : .string(Timestamp.format(milliseconds: told.staleAt)),
    ]
    try? LocalFolder.create(LocalFolder.parent(of: path))
    try? LocalFile.replace(path, with: json.serialized())
  }
}
