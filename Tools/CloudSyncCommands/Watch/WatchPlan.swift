import SyncKit

/// Decides which domain meets which remote when; a value, told of all that happens.
///
/// - Local edits settle for `debounce`, but not longer than ten times that when they do not end.
/// - News of a remote that is listened to are followed at once.
/// - Every remote is looked at every `poll`; one that should be listened to and cannot be at least every
///   ten seconds.
/// - Between two runs lies `min-interval` at least, after a failure a growing pause.
///
/// All times are spans since one moment, by a clock that never jumps.
struct WatchPlan {
  private struct Meeting {
    var domain: String
    var remote: String
    /// When edits that are not brought there yet were first and last noticed.
    var firstEdit: Duration?
    var lastEdit: Duration?
    /// Whether something has come there.
    var hasNews = true
    var lastStart: Duration?
    var lastEnd: Duration = .zero
    var failures = 0
    /// Before then there is no other try.
    var notBefore: Duration = .zero
  }

  private var meetings: [Meeting]
  private let settings: [String: SyncSettings]
  private let live: Set<String>
  private var connected: Set<String> = []

  /// The longest pause after a failure that goes away by itself, and after one that does not.
  static let longestPause = Duration.seconds(60)
  static let longestRefusal = Duration.seconds(600)
  /// How often a remote is looked at that should be listened to and cannot be.
  static let blindPoll = Duration.seconds(10)

  /// Plans for the domains and remotes of some steps; `live` are the remotes that are listened to.
  ///
  /// All meet once at the start.
  init(_ steps: [SyncPlan.Step], _ settings: [String: SyncSettings], live: Set<String>) {
    meetings = steps.flatMap { step in
      step.remotes.map { Meeting(domain: step.domain, remote: $0) }
    }
    self.settings = settings
    self.live = live
  }

  // MARK: What happens

  /// Something was edited here.
  mutating func edited(_ domain: String, at now: Duration) {
    for index in meetings.indices where meetings[index].domain == domain {
      meetings[index].firstEdit = meetings[index].firstEdit ?? now
      meetings[index].lastEdit = now
    }
  }

  /// Something has come to a remote; without a domain anything may have.
  mutating func heard(_ remote: String, _ domain: String?) {
    for index in meetings.indices where meetings[index].remote == remote {
      if let domain, meetings[index].domain != domain { continue }
      meetings[index].hasNews = true
    }
  }

  /// A remote is listened to now, or no longer.
  mutating func set(_ remote: String, isConnected: Bool) {
    guard isConnected else {
      connected.remove(remote)
      return
    }
    connected.insert(remote)
    // Whatever had failed there may work now.
    for index in meetings.indices where meetings[index].remote == remote {
      meetings[index].notBefore = .zero
      meetings[index].failures = 0
    }
  }

  /// The machine has slept, or its clock was set: nothing that was known of the remotes counts.
  mutating func awoke() {
    for index in meetings.indices {
      meetings[index].hasNews = true
      meetings[index].notBefore = .zero
    }
  }

  /// A run begins.
  mutating func began(_ step: SyncPlan.Step, at now: Duration) {
    for index in indices(of: step) {
      meetings[index].lastStart = now
      meetings[index].firstEdit = nil
      meetings[index].lastEdit = nil
      meetings[index].hasNews = false
    }
  }

  /// A run has ended with one remote; `random` are sixty-four random bits.
  mutating func ended(
    _ domain: String, _ remote: String, _ error: SyncError?, at now: Duration, random: UInt64
  ) {
    for index in indices(of: SyncPlan.Step(domain: domain, remotes: [remote])) {
      meetings[index].lastEnd = now
      guard let error else {
        meetings[index].failures = 0
        continue
      }
      meetings[index].failures += 1
      // What was to be done is still to be done.
      meetings[index].hasNews = true
      let longest = error.code.isRetryable ? Self.longestPause : Self.longestRefusal
      meetings[index].notBefore =
        now + Self.pause(meetings[index].failures, upTo: longest, random: random)
    }
  }

  /// A pause that grows with the failures, from one second, between half and all of its length.
  static func pause(_ failures: Int, upTo longest: Duration, random: UInt64) -> Duration {
    let seconds = 1 << min(max(failures, 1) - 1, 20)
    let share = Double(random >> 11) / Double(1 << 53)
    return min(.seconds(seconds), longest) * (0.5 + share / 2)
  }

  // MARK: What to do

  /// The domains that are to meet remotes now, each with those remotes.
  func due(at now: Duration) -> [SyncPlan.Step] {
    var steps: [SyncPlan.Step] = []
    for meeting in meetings where time(of: meeting) <= now {
      if let index = steps.firstIndex(where: { $0.domain == meeting.domain }) {
        steps[index].remotes.append(meeting.remote)
      } else {
        steps.append(SyncPlan.Step(domain: meeting.domain, remotes: [meeting.remote]))
      }
    }
    return steps
  }

  private func time(of meeting: Meeting) -> Duration {
    guard let settings = settings[meeting.domain] else { return .seconds(1 << 40) }
    let isBlind = live.contains(meeting.remote) && !connected.contains(meeting.remote)
    let poll = isBlind ? min(settings.poll, Self.blindPoll) : settings.poll
    var time = meeting.hasNews ? .zero : meeting.lastEnd + poll
    if let first = meeting.firstEdit, let last = meeting.lastEdit {
      time = min(time, last + settings.debounce, first + settings.debounce * 10)
    }
    if let start = meeting.lastStart { time = max(time, start + settings.minimumInterval) }
    return max(time, meeting.notBefore)
  }

  private func indices(of step: SyncPlan.Step) -> [Int] {
    meetings.indices.filter {
      meetings[$0].domain == step.domain && step.remotes.contains(meetings[$0].remote)
    }
  }
}
