import CommandFoundation
import SyncKit

extension SyncRun {
  /// Becomes a device of its own where a run has met a machine with the same identity, and introduces itself
  /// in a second one.
  ///
  /// - Returns: What both runs have done together.
  func separateFromCopy(_ step: SyncPlan.Step, _ first: [SyncOutcome]) async -> [SyncOutcome] {
    guard first.contains(where: \.report.isCopyDetected), !options.change.dryRun else {
      return first
    }
    var outcomes = first
    do {
      try await session.takeNewIdentity(besides: step.domain)
      let store = try session.store(step.domain)
      let remotes = try first.filter { $0.error == nil }.map {
        try session.remote($0.remote, for: step.domain)
      }
      let engine = SyncEngine(store: store, remotes: remotes)
      for second in await engine.sync(syncOptions(step.domain)) {
        guard let index = outcomes.firstIndex(where: { $0.remote == second.remote }) else {
          continue
        }
        outcomes[index].report.pushed += second.report.pushed
        outcomes[index].report.pulled += second.report.pulled
        outcomes[index].report.conflicts += second.report.conflicts
        outcomes[index].error = second.error
      }
    } catch {
      if let index = outcomes.firstIndex(where: { $0.error == nil }) {
        outcomes[index].error = ErrorReport.described(error)
      }
    }
    return outcomes
  }
}
