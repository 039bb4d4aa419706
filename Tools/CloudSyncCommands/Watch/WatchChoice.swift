import CommandFoundation
import SyncKit

/// What a watcher was asked to watch, to be looked up anew in each configuration.
struct WatchChoice {
  var domains: [String] = []
  var remotes: [String] = []

  /// The domains that are on and not paused, each with its remotes; those without any are left out.
  ///
  /// - Throws: ``SyncError`` `usage` for a name that nothing bears, `config.invalid` when nothing is left
  ///   and something must be.
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
