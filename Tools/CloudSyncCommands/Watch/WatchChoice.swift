import CommandFoundation
import SyncKit

/// The choice of domains and remotes to watch, resolved again for each configuration.
struct WatchChoice {
  var domains: [String] = []
  var remotes: [String] = []

  /// The enabled domains that are not paused, each with its remotes; those without any are skipped.
  ///
  /// - Throws: ``SyncError`` `usage` for an unknown name, `config.invalid` if nothing is left
  ///   and that is not allowed.
  func steps(_ session: Session, mayBeEmpty: Bool = false) throws -> [SyncPlan.Step] {
    let plan = try SyncPlan(
      session.configuration, enabled: session.enabledDomains, jobs: [], domains: domains,
      remotes: remotes)
    let whole = plan.steps.filter { !$0.remotes.isEmpty }
    guard !whole.isEmpty || mayBeEmpty else {
      throw SyncError(
        .configInvalid, "there is nothing to watch: no enabled domain syncs with a remote",
        hint: "add a remote with 'cloudsync remote add NAME URL'")
    }
    let pauses = try session.pauses()
    return whole.filter { !pauses.covers($0.domain) }
  }
}
