import ArgumentParser
import CommandFoundation
import SyncKitFormats
import SyncKit

/// A run of `sync`: every step of the plan, one document at the end.
struct SyncRun {
  /// The outcome of one domain with one remote.
  struct Job {
    var domain: String
    var remote: String
    var report = SyncReport()
    var error: SyncError?
    var seconds: Double = 0
    /// Fields that were edited here and elsewhere at once.
    var merges: [MergeNote] = []
    /// Why it was skipped; nil when it was not.
    var skipped: Skip?

    enum Skip: String {
      /// Its domain is paused.
      case paused
      /// A hook stopped it.
      case hook
    }
  }

  let session: Session
  let options: SyncRunOptions
  /// Whether the run compacts this device's files on the remotes.
  var isCompaction = false
  /// How precisely stores remember the last sync; less is enough where the log has every run.
  var lastSyncPrecision: Duration = .seconds(3_600)

  init(_ session: Session, _ options: SyncRunOptions) {
    self.session = session
    self.options = options
  }

  /// Runs the plan, calls the hooks, and prints what was done.
  ///
  /// - Parameters:
  ///   - plan: Which domains sync with which remotes.
  ///   - names: The requested jobs of the configuration.
  /// - Throws: ``SyncError`` of the failure, or `ExitCode` 2, 3 or 4.
  func perform(_ plan: SyncPlan, names: [String] = []) async throws {
    let start = ContinuousClock.now
    let hooks = options.change.dryRun ? nil : Hooks(session, names: names)
    let meetsRemotes = plan.steps.contains { !$0.remotes.isEmpty }
    var goesOn = true
    // Print the jobs before any other failure.
    var other: SyncError?
    do { if meetsRemotes { goesOn = try await hooks?.begin() ?? true } } catch {
      (goesOn, other) = (false, ErrorReport.described(error))
    }
    let jobs = goesOn ? await run(plan) : plan.steps.flatMap { skipped($0, .hook) }
    log(jobs)
    session.context.print(report(jobs))
    for job in jobs where job.report.overridden > 0 {
      session.context.note(job.isOverridden(isDryRun: options.change.dryRun))
    }
    for job in jobs {
      for note in job.report.notes { session.context.warn("\(job.remote): \(note)") }
    }
    if jobs.isEmpty { session.context.warn("nothing was synced: \(idleness.message)") }
    if goesOn {
      do {
        try await hooks?.end(
          jobs, Self.failure(of: jobs), seconds: start.duration(to: .now) / .seconds(1))
      } catch {
        other = ErrorReport.described(error)
      }
    }
    var hasDecision = false
    do { hasDecision = try options.failOnConflict && decisionsAreNeeded(plan) } catch {
      other = other ?? ErrorReport.described(error)
    }
    try end(jobs, or: other, hasDecision: hasDecision)
    // Changes that wait for a remote yet to be added wait as well.
    if options.check, !meetsRemotes, try hasWork(plan) { throw ExitCode(2) }
  }

  private func hasWork(_ plan: SyncPlan) throws -> Bool {
    try session.meetsNothing
      && plan.steps.contains { try session.status(of: $0.domain).pending > 0 }
  }

  /// Why a run contacted no remote.
  var idleness: Idleness {
    session.configuration.remotes.isEmpty
      ? .noRemote : session.meetsNothing ? .noDomain : .noMatch
  }

  enum Idleness: String {
    /// This device has no remote.
    case noRemote
    /// It has one, but no domain uses it.
    case noDomain
    /// None of the chosen domains uses a chosen remote.
    case noMatch

    var message: String {
      switch self {
      case .noRemote:
        "this device has no remote; add one with 'cloudsync remote add NAME PATH'"
      case .noDomain:
        "no domain uses a remote; choose some with 'cloudsync remote add NAME LOCATION --domains NAMES'"
      case .noMatch:
        "none of the chosen domains uses one of the chosen remotes; 'cloudsync remote list' shows which "
          + "domains use which"
      }
    }
  }

  /// Syncs every domain of a plan with its remotes; a paused one is skipped.
  func run(_ plan: SyncPlan) async -> [Job] {
    var jobs: [Job] = []
    for step in plan.steps where !step.remotes.isEmpty {
      // Asked before each domain: it may be paused while another one is in its run.
      do {
        jobs += try session.pauses().covers(step.domain) ? skipped(step, .paused) : await run(step)
      } catch {
        let error = ErrorReport.described(error)
        jobs += step.remotes.map { Job(domain: step.domain, remote: $0, error: error) }
      }
    }
    return jobs
  }

  /// Syncs one domain with its remotes, under the lock of its store.
  func run(_ step: SyncPlan.Step) async -> [Job] {
    var jobs = step.remotes.map { Job(domain: step.domain, remote: $0) }
    let start = ContinuousClock.now
    do {
      let lock = try await session.lock(step.domain, wait: options.lockWait)
      defer { lock.release() }
      let store = try session.store(step.domain)
      let remarks = prepare(step.domain)
      var remotes: [Remote] = []
      for index in jobs.indices {
        do {
          if let configured = session.configuration[remote: jobs[index].remote] {
            try await session.exchangeStatements(
              on: configured, for: step.domain, isDryRun: options.change.dryRun)
            if !options.change.dryRun {
              try await session.updateShares(on: configured, for: step.domain)
            }
          }
          remotes.append(try session.remote(jobs[index].remote, for: step.domain))
        } catch {
          jobs[index].error = ErrorReport.described(error)
        }
      }
      let known = try Set(store.conflicts().map { MergeNote($0) })
      let progress = ProgressTask(
        session.context, store, domain: step.domain, isCompaction: isCompaction)
      var outcomes = await SyncEngine(store: store, remotes: remotes).sync(syncOptions(step.domain))
      outcomes = await separateFromCopy(step, outcomes)
      await progress.end()
      for outcome in outcomes {
        guard let index = jobs.firstIndex(where: { $0.remote == outcome.remote }) else { continue }
        jobs[index].report = outcome.report
        jobs[index].error = outcome.error
      }
      jobs[0].report.notes += remarks
      if let last = jobs.lastIndex(where: { $0.report.conflicts > 0 }) {
        jobs[last].merges = try store.conflicts().map { MergeNote($0) }.filter {
          !known.contains($0)
        }
      }
    } catch {
      for index in jobs.indices where jobs[index].error == nil {
        jobs[index].error = ErrorReport.described(error)
      }
    }
    let seconds = start.duration(to: .now) / .seconds(1)
    for index in jobs.indices { jobs[index].seconds = seconds }
    return jobs
  }

  /// Brings a domain's store up to date with its local stores.
  ///
  /// - Returns: What went wrong, which keeps nothing else from its sync.
  private func prepare(_ domain: String) -> [String] {
    guard !options.change.dryRun else { return [] }
    do {
      try DomainRegistry.registration(domain).prepareSync?(session)
      return []
    } catch {
      let cause = ErrorReport.described(error)
      return [
        "What follows from this device's own data was not brought up to date: \(cause.message)"
      ]
    }
  }

  /// Logs the jobs, except skipped ones.
  func log(_ jobs: [Job]) {
    guard !options.change.dryRun else { return }
    let now = session.environment.now()
    RunLog(session.directories).append(
      jobs.filter { $0.skipped == nil }.map { $0.entry(at: now) })
  }

  private func skipped(_ step: SyncPlan.Step, _ reason: Job.Skip) -> [Job] {
    step.remotes.map { Job(domain: step.domain, remote: $0, skipped: reason) }
  }

  func syncOptions(_ domain: String) -> SyncOptions {
    var sync = SyncOptions()
    sync.direction = options.pushOnly ? .pushOnly : options.pullOnly ? .pullOnly : .both
    sync.isDryRun = options.change.dryRun
    sync.isCompaction = isCompaction
    let settings = session.configuration[domain: domain]?.settings ?? session.configuration.defaults
    sync.keepHistory = settings.keepHistory
    sync.lastSyncPrecision = min(lastSyncPrecision, settings.staleAfter / 10)
    let share = options.maxDelete ?? settings.maximumDelete
    sync.massDeleteGuard =
      options.allowMassDelete ? nil : MassDeleteGuard(share: share.fraction)
    return sync
  }

  private func decisionsAreNeeded(_ plan: SyncPlan) throws -> Bool {
    try plan.steps.contains { step in
      try session.store(step.domain).conflicts().contains(where: \.needsDecision)
    }
  }

  /// The failures of the jobs as one: several of different kinds are 3.
  static func failure(of jobs: [Job]) -> SyncError? {
    let failures = jobs.compactMap(\.error)
    guard Set(failures.map(\.code.exit)).count > 1 else { return failures.first }
    let lines = jobs.compactMap { job in
      job.error.map { "\(job.domain) with \(job.remote): \($0.message)" }
    }
    return SyncError(
      .severalFailures, "\(failures.count) jobs failed in different ways",
      hint: lines.joined(separator: "\n"), isSafe: false)
  }

  /// Ends a run with the exit status that its jobs deserve; what failed goes before all else.
  ///
  /// - Throws: ``SyncError`` of the failure, or `ExitCode` 2, 3 or 4.
  func end(_ jobs: [Job], or other: SyncError? = nil, hasDecision: Bool = false) throws {
    if let error = Self.failure(of: jobs) ?? other { throw error }
    if hasDecision {
      throw SyncError(
        .conflictNeedsDecision, "a conflict needs a decision",
        hint: "see 'cloudsync conflicts list'", isSafe: false)
    }
    let work = jobs.contains { $0.report.pushed + $0.report.pulled > 0 }
    if options.check, work { throw ExitCode(2) }
  }
}

extension SyncError.Code {
  /// Several jobs failed in different ways; the rest is committed.
  static let severalFailures = Self("sync.several-failures", exit: 3, retryable: true)
  /// A conflict needs a person's decision.
  static let conflictNeedsDecision = Self("conflict.decision-needed", exit: 4)
}
