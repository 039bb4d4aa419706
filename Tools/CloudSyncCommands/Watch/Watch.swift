import Formats
import SyncKit
import Synchronization

/// Keeps domains and remotes in step: notices edits, listens, runs what the plan says.
///
/// Runs follow one another, under the same locks as those of `sync`.
final class Watch {
  private let session: Session
  private let steps: [SyncPlan.Step]
  private let output: WatchOutput
  private let start = ContinuousClock.now
  private let inbox = WatchInbox()
  private var plan: SyncSchedule
  private var stores: [String: StoreWatch] = [:]
  private var lost: Set<String> = []
  private var problems: [String: String] = [:]

  /// How often it looks whether a store was written to.
  private static let beat = Duration.milliseconds(50)
  /// A beat that took so much longer by the wall than by the clock was a sleep of the machine.
  private static let nap: Int64 = 5_000

  init(_ session: Session, _ steps: [SyncPlan.Step], _ output: WatchOutput) {
    self.session = session
    self.steps = steps
    self.output = output
    plan = SyncSchedule(steps, [:], live: [])
  }

  /// Runs until the process is told to end or the task is cancelled.
  ///
  /// - Throws: ``SyncError`` when a store cannot be opened or the configuration does not fit.
  func run() async throws {
    let listeners = try prepare()
    defer { for listener in listeners { listener.cancel() } }
    output.tell(
      "started",
      [
        "domains": .array(steps.map { .string($0.domain) }),
        "remotes": .array(names.map { .string($0) }),
      ],
      text: "watching \(steps.map(\.domain).joined(separator: ", "))"
        + " with \(names.joined(separator: ", "))")
    var wall = session.environment.now()
    while !Task.isCancelled {
      for (remote, event) in inbox.take() { handle(event, of: remote) }
      let now = session.environment.now()
      if now - wall > Self.nap || now < wall - Self.nap { plan.awoke() }
      wall = now
      try lookAtStores()
      for step in plan.due(at: elapsed) {
        await meet(step)
        wall = session.environment.now()
      }
      try await Task.sleep(for: Self.beat)
    }
  }

  private var elapsed: Duration { start.duration(to: .now) }

  private var names: [String] { Set(steps.flatMap(\.remotes)).sorted() }

  // MARK: Beginning

  private func prepare() throws -> [Task<Void, Never>] {
    var paces: [String: SyncPace] = [:]
    for step in steps {
      let settings =
        session.configuration[domain: step.domain]?.settings ?? session.configuration.defaults
      paces[step.domain] = settings.pace
      _ = try session.store(step.domain)
      stores[step.domain] = StoreWatch(path: session.storePath(step.domain))
    }
    var live: Set<String> = []
    var listeners: [Task<Void, Never>] = []
    for name in names {
      guard let configured = session.configuration[remote: name],
        let transport = try session.transport(for: configured, creating: false)
          as? any LiveTransport
      else { continue }
      live.insert(name)
      let listener = RemoteListener(transport: transport, environment: session.environment)
      let inbox = inbox
      listeners.append(Task.detached { await listener.run { inbox.put(name, $0) } })
    }
    plan = SyncSchedule(steps, paces, live: live)
    return listeners
  }

  // MARK: What happens

  private func handle(_ event: RemoteListener.Event, of remote: String) {
    switch event {
    case .connected:
      plan.set(remote, isConnected: true)
      plan.heard(remote, nil)
      lost.remove(remote)
      output.tell("connected", ["remote": .string(remote)], text: "listening to \(remote)")
    case .news(let domain): plan.heard(remote, domain)
    case .lost(let error):
      plan.set(remote, isConnected: false)
      // A connection that comes and goes for days is told of once each time it goes.
      guard lost.insert(remote).inserted else { return }
      var keys: JSONObject = ["remote": .string(remote)]
      if let error { keys["error"] = .string(error.code.name) }
      output.tell(
        "disconnected", keys,
        text: "lost \(remote), trying again\(error.map { ": \($0.message)" } ?? "")")
    }
  }

  private func lookAtStores() throws {
    for step in steps where stores[step.domain]?.hasChanged() == true {
      if stores[step.domain]?.isEdited(pending: try pending(step)) == true {
        plan.edited(step.domain, at: elapsed)
      }
    }
  }

  /// How much a store has to bring to its remotes.
  private func pending(_ step: SyncPlan.Step) throws -> Int {
    let store = try session.store(step.domain)
    let owed = try store.pendingErasures(remotes: step.remotes).count { !$0.remotes.isEmpty }
    return try store.status(remotes: step.remotes).pending + owed
  }

  // MARK: Running

  private func meet(_ step: SyncPlan.Step) async {
    plan.began(step, at: elapsed)
    var options = SyncRunOptions.usual
    options.lockWait = .zero
    let jobs = await SyncRun(session, options).run(step)
    for job in jobs {
      plan.ended(
        job.domain, job.remote, job.error, at: elapsed, random: session.environment.random())
      tell(job)
    }
    guard jobs.allSatisfy({ $0.error == nil }),
      let whole = steps.first(where: { $0.domain == step.domain })
    else { return }
    if let pending = try? pending(whole), stores[step.domain]?.settle(pending: pending) == true {
      plan.edited(step.domain, at: elapsed)
    }
  }

  /// Tells what moved and what went wrong; the same failure again and again is told once.
  private func tell(_ job: SyncRun.Job) {
    let key = "\(job.domain) \(job.remote)"
    let problem = job.error.map { "\($0)" }
    let isNew = problem != problems[key]
    problems[key] = problem
    let moved = job.report.pushed + job.report.pulled + job.report.conflicts > 0
    if moved || isNew { output.tell(job) }
  }
}

/// What listeners have told and nobody has taken yet.
private final class WatchInbox: Sendable {
  private let events = Mutex<[(String, RemoteListener.Event)]>([])

  func put(_ remote: String, _ event: RemoteListener.Event) {
    events.withLock { events in
      // News of one domain are the same news.
      if case .news(let domain) = event,
        events.contains(where: { other, told in
          if other == remote, case .news(domain) = told { true } else { false }
        })
      {
        return
      }
      events.append((remote, event))
    }
  }

  func take() -> [(String, RemoteListener.Event)] {
    events.withLock { events in
      defer { events = [] }
      return events
    }
  }
}
