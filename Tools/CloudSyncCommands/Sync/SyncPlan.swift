import CommandFoundation
import SyncKit

/// Which domains sync with which remotes in a run.
struct SyncPlan {
  typealias Step = SyncSchedule.Step

  private(set) var steps: [Step] = []

  /// Makes the plan of a command line.
  ///
  /// `enabled` are the enabled domains of this build; without jobs, all of them sync.
  ///
  /// - Throws: ``SyncError`` `usage` for an unknown name.
  init(
    _ configuration: Configuration, enabled: [String], jobs: [String], domains: [String],
    remotes: [String]
  ) throws {
    for name in domains { _ = try DomainRegistry.domain(name) }
    for name in remotes where configuration[remote: name] == nil {
      throw SyncError.unknownName("remote", name, among: configuration.remotes.map(\.name))
    }
    var wanted: [Step] = []
    for name in jobs {
      guard let job = configuration[job: name] else {
        throw SyncError.unknownName("job", name, among: configuration.jobs.map(\.name))
      }
      for domain in job.domains {
        let own = configuration[domain: domain]?.remotes ?? []
        wanted.append(
          Step(domain: domain, remotes: own.filter { job.remotes?.contains($0) ?? true }))
      }
    }
    if jobs.isEmpty {
      wanted = enabled.map { Step(domain: $0, remotes: configuration[domain: $0]?.remotes ?? []) }
    }
    for step in wanted where enabled.contains(step.domain) {
      guard domains.isEmpty || domains.contains(step.domain) else { continue }
      let chosen = step.remotes.filter { remotes.isEmpty || remotes.contains($0) }
      add(Step(domain: step.domain, remotes: chosen))
    }
  }

  private mutating func add(_ step: Step) {
    guard let index = steps.firstIndex(where: { $0.domain == step.domain }) else {
      steps.append(step)
      return
    }
    steps[index].remotes += step.remotes.filter { !steps[index].remotes.contains($0) }
  }
}
