import ArgumentParser
import CommandFoundation
import SyncKitFormats
import SyncKit

/// Keeps domains and remotes in sync: notices edits, listens, and runs the plan.
///
/// The domains run in parallel, each under the same lock as in `sync`. When the configuration changes, or on
/// SIGHUP, active runs end first and the new configuration takes effect; an invalid one is reported and
/// changes nothing.
final class Watch {
  private var session: Session
  private let choice: WatchChoice
  private let output: WatchOutput
  private let start = ContinuousClock.now
  private let inbox = WatchInbox()
  private var configuration: ConfigurationWatch
  private var steps: [SyncPlan.Step] = []
  private var plan = SyncSchedule([], [:], live: [])
  private var stores: [String: WatchedStore] = [:]
  private var listeners: [Task<Void, Never>] = []
  /// The domains with an active run.
  private var running: Set<String> = []
  private var connected: Set<String> = []
  /// The domains by what they are called on each remote.
  private var domains: [String: [String: String]] = [:]
  private var lost: Set<String> = []
  private var problems: [String: String] = [:]
  private var pulse = WatchPulse()
  /// The last called hooks; the next ones wait for them.
  private var calls: Task<Void, Never>?

  /// A store, and the watch of its files.
  private struct WatchedStore {
    let store: SyncStore
    var watch: StoreWatch
  }

  /// The interval of checks for writes to a store.
  private static let beat = Duration.milliseconds(50)
  /// A beat that took this much longer by wall time than by the clock was a sleep of the machine.
  private static let nap: Int64 = 5_000
  /// The longest time for sending the latest edits before the end.
  private static let patience = Duration.seconds(5)

  init(_ session: Session, _ choice: WatchChoice, _ output: WatchOutput) {
    self.session = session
    self.choice = choice
    self.output = output
    configuration = ConfigurationWatch(session.directories)
  }

  /// Runs until a signal or the cancellation of the task, and then sends the latest edits.
  ///
  /// - Throws: ``SyncError`` when at the beginning there is nothing to watch, or a store cannot be opened;
  ///   `ExitCode` of the signal that asked to end.
  func run() async throws {
    try begin(try choice.steps(session))
    defer { for listener in listeners { listener.cancel() } }
    var wall = session.environment.now()
    var beats = 0
    while !Task.isCancelled {
      if let status = Signals.endStatus {
        try await bringRest()
        throw ExitCode(status)
      }
      for event in inbox.take() { handle(event) }
      let now = session.environment.now()
      if now - wall > Self.nap || now < wall - Self.nap { plan.awoke() }
      wall = now
      beats += 1
      if Signals.takesHangup() { configuration.isDue = true }
      // A second is soon enough after saving a file.
      if beats % 20 == 0 { configuration.look() }
      if configuration.isDue {
        if running.isEmpty { reload() }
      } else {
        lookAtStores()
        for step in plan.due(at: elapsed) where !running.contains(step.domain) { meet(step) }
      }
      // Work that is due before the next beat is not delayed by it.
      let next = plan.next().map { $0 - elapsed } ?? Self.beat
      await inbox.wait(upTo: next > .zero ? min(next, Self.beat) : Self.beat)
    }
  }

  /// Sends the edits from before the end was requested, within a few seconds.
  ///
  /// Active runs finish first, and edits made meanwhile are sent too. A failing remote delays nothing: it gets
  /// the rest at the next run.
  private func bringRest() async throws {
    let end = elapsed + Self.patience
    for listener in listeners { listener.cancel() }
    inbox.forget()
    output.tell("stopping", [:], text: nil)
    var tries: [String: Int] = [:]
    while elapsed < end {
      for event in inbox.take() { handle(event) }
      for step in steps where !running.contains(step.domain) && tries[step.domain, default: 0] < 3 {
        guard let contents = try? contents(of: step),
          stores[step.domain]?.watch.isEdited(contents) == true
        else {
          tries[step.domain] = 3
          continue
        }
        tries[step.domain, default: 0] += 1
        meet(step, lockWait: .seconds(2))
      }
      if running.isEmpty { return }
      await inbox.wait(upTo: Self.beat)
    }
  }

  private var elapsed: Duration { start.duration(to: .now) }

  private var names: [String] { Set(steps.flatMap(\.remotes)).sorted() }

  // MARK: Beginning

  private func begin(_ steps: [SyncPlan.Step]) throws {
    self.steps = steps
    var paces: [String: SyncPace] = [:]
    stores = [:]
    for step in steps {
      let settings =
        session.configuration[domain: step.domain]?.settings ?? session.configuration.defaults
      paces[step.domain] = settings.pace
      try watchStore(of: step.domain)
    }
    var live: Set<String> = []
    for listener in listeners { listener.cancel() }
    listeners = []
    connected = []
    inbox.forget()
    pulse = WatchPulse()
    let generation = inbox.generation
    for name in names {
      guard let configured = session.configuration[remote: name],
        let transport = try session.transport(for: configured, creating: false)
          as? any LiveTransport
      else { continue }
      live.insert(name)
      let names = try session.placeNames(of: DomainRegistry.names, on: configured)
      domains[name] = Dictionary(zip(names, DomainRegistry.names)) { first, _ in first }
      let listener = RemoteListener(
        transport: transport, environment: session.environment,
        sleep: { try? await Task.sleep(for: $0) })
      let inbox = inbox
      listeners.append(
        Task.detached { await listener.run { inbox.put(.told(name, $0), generation) } })
    }
    plan = SyncSchedule(steps, paces, live: live)
    output.tell(
      "started",
      [
        "domains": .array(steps.map { .string($0.domain) }),
        "remotes": .array(names.map { .string($0) }),
      ],
      text: steps.isEmpty
        ? "nothing to watch now: every domain is off, paused or without a remote"
        : "watching \(steps.map(\.domain).joined(separator: ", "))"
          + " with \(names.joined(separator: ", "))")
  }

  /// Takes the new configuration if it is valid.
  private func reload() {
    configuration.isDue = false
    do {
      let session = try Session(session.context)
      let steps = try choice.steps(session, mayBeEmpty: true)
      self.session = session
      try begin(steps)
    } catch {
      let error = ErrorReport.described(error)
      output.tell(
        "configuration", ["error": .string(error.code.name), "message": .string(error.message)],
        text: "the new configuration is not used: \(error.message)")
    }
  }

  // MARK: What happens

  private func handle(_ event: WatchInbox.Event) {
    switch event {
    case .told(let remote, .connected):
      plan.heard(remote, nil)
      guard connected.insert(remote).inserted else { return }
      plan.set(remote, isConnected: true)
      lost.remove(remote)
      output.tell("connected", ["remote": .string(remote)], text: "listening to \(remote)")
    case .told(let remote, .news(let name)):
      // A name that is not a domain is a file that contains some domain.
      plan.heard(remote, domains[remote]?[name])
    case .told(let remote, .lost(let error)):
      plan.set(remote, isConnected: false)
      connected.remove(remote)
      // A connection that comes and goes for days is reported once each time it is lost.
      guard lost.insert(remote).inserted else { return }
      var keys: JSONObject = ["remote": .string(remote)]
      if let error { keys["error"] = .string(error.code.name) }
      output.tell(
        "disconnected", keys,
        text: "lost \(remote), trying again\(error.map { ": \($0.message)" } ?? "")")
    case .ended(let step, let jobs): ended(step, jobs)
    case .hookFailed(let error):
      output.tell(
        "hook", ["error": .string(error.code.name), "message": .string(error.message)],
        text: error.message)
    }
  }

  private func lookAtStores() {
    for step in steps where !running.contains(step.domain) {
      guard stores[step.domain]?.watch.hasChanged() == true else { continue }
      // A store that cannot be read now is reported by its run, and is read again.
      guard let contents = try? contents(of: step) else {
        stores[step.domain]?.watch.failed()
        continue
      }
      if let watch = stores[step.domain]?.watch, watch.isEdited(contents) {
        // Edits settle from the time they were made, not from when they were noticed.
        plan.edited(step.domain, at: elapsed - watch.age)
      }
    }
  }

  /// The store of a domain; a newly opened one has no known state yet.
  @discardableResult
  private func watchStore(of domain: String) throws -> SyncStore {
    let store = try session.store(domain)
    if stores[domain]?.store !== store {
      stores[domain] = WatchedStore(
        store: store,
        watch: StoreWatch(path: session.storePath(domain), now: session.environment.now))
    }
    return store
  }

  /// The pending changes of a store.
  private func contents(of step: SyncPlan.Step) throws -> StoreWatch.Contents {
    let store = try watchStore(of: step.domain)
    let owed = try store.pendingErasures(remotes: step.remotes).count { !$0.remotes.isEmpty }
    let status = try store.status(remotes: step.remotes)
    return StoreWatch.Contents(pending: status.pending + owed, edits: status.edits)
  }

  // MARK: Running

  private func meet(_ step: SyncPlan.Step, lockWait: Duration = .zero) {
    plan.began(step, at: elapsed)
    running.insert(step.domain)
    var options = SyncRunOptions.usual
    options.lockWait = lockWait
    var run = SyncRun(session, options)
    // Quiet runs of a watcher are not logged.
    run.lastSyncPrecision = .seconds(300)
    let inbox = inbox
    // A separate task, so that a domain that is slow or waits for the network does not block another.
    Task.detached { inbox.put(.ended(step, await run.run(step))) }
  }

  private func ended(_ step: SyncPlan.Step, _ jobs: [SyncRun.Job]) {
    running.remove(step.domain)
    for job in jobs {
      plan.ended(
        job.domain, job.remote, job.error, at: elapsed, random: session.environment.random())
      tell(job)
    }
    // After a disk failure an open store gives nothing more.
    if jobs.contains(where: { $0.error?.code == .storeIO }) { session.forgetStore(step.domain) }
    callHooks(jobs)
    guard jobs.allSatisfy({ $0.error == nil }),
      let whole = steps.first(where: { $0.domain == step.domain })
    else { return }
    stores[step.domain]?.watch.look()
    guard let contents = try? contents(of: whole) else {
      stores[step.domain]?.watch.failed()
      return
    }
    if stores[step.domain]?.watch.settle(contents) == true { plan.edited(step.domain, at: elapsed) }
  }

  /// Calls the hooks, one after another; nothing else waits for them.
  private func callHooks(_ jobs: [SyncRun.Job]) {
    guard !session.configuration.hooks.isEmpty, let verdict = pulse.ended(jobs, at: elapsed) else {
      return
    }
    var failure: SyncError?
    if case .failing(let error) = verdict { failure = error }
    calls = Task.detached { [inbox, session, failure, before = calls] in
      await before?.value
      do {
        try await Hooks(session, names: []).end(
          jobs, failure, seconds: jobs.map(\.seconds).max() ?? 0, goesOn: true)
      } catch {
        inbox.put(.hookFailed(ErrorReport.described(error)))
      }
    }
  }

  /// Reports moved changes and failures; a repeated failure is reported once.
  private func tell(_ job: SyncRun.Job) {
    let key = "\(job.domain) \(job.remote)"
    // The other output of a failed run is new as well, the first time.
    let sentences = (job.error.map { ["\($0)"] } ?? []) + job.report.notes
    let problem = sentences.isEmpty ? nil : sentences.joined(separator: "\n")
    let isNew = problem != problems[key]
    problems[key] = problem
    let moved =
      job.report.pushed + job.report.pulled + job.report.conflicts > 0
      || !job.report.changes.isEmpty
    guard moved || isNew else { return }
    output.tell(job)
    SyncRun(session, .usual).log([job])
  }
}
