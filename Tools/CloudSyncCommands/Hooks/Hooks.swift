import CommandFoundation
import SyncKitFormats
import SyncKit

/// The hooks around one run: who is told what, and when not again.
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

  /// Tells that a run begins.
  ///
  /// - Returns: Whether it shall go on; a command may say no.
  /// - Throws: ``SyncError`` `hook.failed` for a hook that is required.
  func begin() async throws -> Bool {
    guard !session.configuration.hooks.isEmpty else { return true }
    let isSkipped = try await tell(event(.before)) == .skip
    if !isSkipped { _ = try await tell(event(.start)) }
    return !isSkipped
  }

  /// Tells how a run has ended, or how a watcher stands, which goes on: that one tells a failure once.
  ///
  /// - Throws: ``SyncError`` `hook.failed` for a hook that is required.
  func end(
    _ jobs: [SyncRun.Job], _ error: SyncError?, seconds: Double, goesOn: Bool = false
  ) async throws {
    guard !session.configuration.hooks.isEmpty else { return }
    var told = memory.read()
    // A run that has met no remote is no success: a monitor would take the device for one in step.
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
    // Once a day is often enough for something that goes on for days.
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

  /// The domains that have not been in step with a remote for too long.
  private func staleDomains() throws -> [String] {
    let staleness = Staleness(session)
    let pauses = try session.pauses()
    return session.enabledDomains.filter { name in
      // A store that cannot be read has failed its run, and keeps nobody from hearing of that.
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

/// What hooks were told before, so that nobody is told the same every quarter of an hour.
struct HookMemory {
  struct Told: Equatable {
    var isFailing = false
    /// When somebody was told that domains are stale; 0 for not since they were last in step.
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

  /// Keeps it; what cannot be kept is told again.
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
