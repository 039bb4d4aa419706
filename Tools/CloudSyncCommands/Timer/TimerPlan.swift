import CommandFoundation
import SyncKitFormats
import SyncKit

/// The timers to install: one for each job with `every`, or one for everything.
///
/// Timers of several profiles share a folder. No name of a profile or a job has a dot, so with a dot
/// before each part no two of them share a name: `cloudsync`, `cloudsync-JOB`, `cloudsync.PROFILE`,
/// `cloudsync.PROFILE.JOB`.
struct TimerPlan: Equatable {
  /// One timer.
  struct Entry: Equatable {
    /// The name of its units, without the extension.
    var name: String
    /// The job; nil for every enabled domain with every remote.
    var job: String?
    var every: Duration
  }

  var entries: [Entry]

  static let usual = Duration.seconds(900)

  /// Plans for a configuration; `every` overrides it, and plans one timer for everything.
  init(_ configuration: Configuration, profile: String?, every: Duration?) {
    let base = Program.current.name + (profile.map { ".\($0)" } ?? "")
    let stem = profile == nil ? "\(base)-" : "\(base)."
    let jobs = configuration.jobs.compactMap { job in
      job.every.map { Entry(name: stem + job.name, job: job.name, every: $0) }
    }
    entries =
      jobs.isEmpty || every != nil
      ? [Entry(name: base, job: nil, every: every ?? Self.usual)] : jobs
  }
}

extension TimerPlan.Entry {
  /// The words of the command, the program first.
  ///
  /// It asks nothing, and prints nothing on success.
  func words(_ program: String, config: String?, profile: String?) -> [String] {
    var words = [program, "sync"] + (job.map { [$0] } ?? ["--all"]) + ["--quiet", "--no-input"]
    if let config { words += ["--config", config] }
    if let profile { words += ["--profile", profile] }
    return words
  }

  /// The interval, as people write it.
  var everyText: String { DurationText.format(milliseconds: Int64(every / .milliseconds(1))) }
}
