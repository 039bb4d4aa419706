import ArgumentParser
import Formats
import SyncKit

/// A run of `sync`: every step of the plan, one document at the end.
struct SyncRun {
  /// What became of one domain with one remote.
  struct Job {
    var domain: String
    var remote: String
    var report = SyncReport()
    var error: SyncError?
    var seconds: Double = 0
  }

  let session: Session
  let options: SyncRunOptions

  init(_ session: Session, _ options: SyncRunOptions) {
    self.session = session
    self.options = options
  }

  /// Runs the plan and prints what was done.
  ///
  /// - Throws: ``SyncError`` of the failure, or `ExitCode` 2, 3 or 4.
  func perform(_ plan: SyncPlan) async throws {
    var jobs: [Job] = []
    for step in plan.steps where !step.remotes.isEmpty { jobs += await run(step) }
    let hasDecision = try options.failOnConflict && decisionsAreNeeded(plan)
    session.context.print(report(jobs))
    for job in jobs {
      for note in job.report.notes { session.context.warn("\(job.remote): \(note)") }
    }
    if jobs.isEmpty, session.context.terminal.isErrorTerminal {
      session.context.note(
        "no remote is configured; add one with 'cloudsync remote add NAME file:PATH'")
    }
    try end(jobs, hasDecision: hasDecision)
  }

  /// Lets one domain meet its remotes, under the lock of its store.
  func run(_ step: SyncPlan.Step) async -> [Job] {
    var jobs = step.remotes.map { Job(domain: step.domain, remote: $0) }
    let start = ContinuousClock.now
    do {
      let lock = try await session.lock(step.domain, wait: options.lockWait)
      defer { lock.release() }
      let store = try session.store(step.domain)
      var remotes: [Remote] = []
      for index in jobs.indices {
        do {
          remotes.append(try session.remote(jobs[index].remote, for: step.domain))
        } catch {
          jobs[index].error = ErrorReport.described(error)
        }
      }
      let progress = ProgressTask(session.context, store, domain: step.domain)
      let outcomes = await SyncEngine(store: store, remotes: remotes).sync(syncOptions(step.domain))
      await progress.end()
      for outcome in outcomes {
        guard let index = jobs.firstIndex(where: { $0.remote == outcome.remote }) else { continue }
        jobs[index].report = outcome.report
        jobs[index].error = outcome.error
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

  private func syncOptions(_ domain: String) -> SyncOptions {
    var sync = SyncOptions()
    sync.direction = options.pushOnly ? .pushOnly : options.pullOnly ? .pullOnly : .both
    sync.isDryRun = options.change.dryRun
    let settings = session.configuration[domain: domain]?.settings ?? session.configuration.defaults
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

  /// Turns the failures of the jobs into one end: several of different kinds are 3.
  private func end(_ jobs: [Job], hasDecision: Bool) throws {
    let failures = jobs.compactMap(\.error)
    if let first = failures.first {
      guard Set(failures.map(\.code.exit)).count == 1 else {
        let lines = jobs.compactMap { job in
          job.error.map { "\(job.domain) with \(job.remote): \($0.message)" }
        }
        throw SyncError(
          .severalFailures, "\(failures.count) jobs failed in different ways",
          hint: lines.joined(separator: "\n"), isSafe: false)
      }
      throw first
    }
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
  /// A conflict waits for a person.
  static let conflictNeedsDecision = Self("conflict.decision-needed", exit: 4)
}
