import SyncKitModel
import SyncKitStore

/// Decides which domain syncs with which remote when; a value that receives all events, without a clock.
///
/// - Local edits settle for the pace's `debounce`, but not longer than ten times that if they do not end.
/// - News of a remote that is listened to start a run at once.
/// - Every remote is checked every `poll` of the pace; a remote that should be listened to and cannot be, at
///   least every ten seconds.
/// - Between two runs lies at least the pace's shortest interval, after a failure a growing pause. After a
///   remote has denied access or has changed its account, the first retry comes after five seconds, since a
///   changed account is often back at once.
///
/// All times are spans since one moment, by a clock that never jumps.
package struct SyncSchedule {
  /// One domain with its remotes, in the order of the configuration.
  package struct Step: Equatable, Sendable {
    package var domain: String
    package var remotes: [String]

    package init(domain: String, remotes: [String]) {
      self.domain = domain
      self.remotes = remotes
    }
  }

  private struct Meeting {
    var domain: String
    var remote: String
    /// When edits that are not sent there yet were first and last noticed.
    var firstEdit: Duration?
    var lastEdit: Duration?
    /// Whether something has come there.
    var hasNews = true
    var lastStart: Duration?
    var lastEnd: Duration = .zero
    var failures = 0
    /// There is no other try before then.
    var notBefore: Duration = .zero
  }

  private var meetings: [Meeting]
  private var paces: [String: SyncPace]
  private let live: Set<String>
  private var connected: Set<String> = []

  /// The longest pause after a failure that goes away by itself, and after one that does not.
  package static let longestPause = Duration.seconds(60)
  package static let longestRefusal = Duration.seconds(600)
  /// The first pause after a remote has turned us away.
  package static let accountPause = Duration.seconds(5)
  /// How often a remote is looked at that should be listened to and cannot be.
  package static let blindPoll = Duration.seconds(10)

  /// Plans for the domains and remotes of some steps; `live` are the remotes that are listened to.
  ///
  /// All sync once at the start.
  package init(_ steps: [Step], _ paces: [String: SyncPace], live: Set<String>) {
    meetings = steps.flatMap { step in
      step.remotes.map { Meeting(domain: step.domain, remote: $0) }
    }
    self.paces = paces
    self.live = live
  }

  // MARK: What happens

  /// A domain syncs at another pace from now on.
  package mutating func set(_ domain: String, _ pace: SyncPace) { paces[domain] = pace }

  /// Something was edited here.
  package mutating func edited(_ domain: String, at now: Duration) {
    for index in meetings.indices where meetings[index].domain == domain {
      meetings[index].firstEdit = meetings[index].firstEdit ?? now
      meetings[index].lastEdit = now
    }
  }

  /// Something has come to a remote; without a domain anything may have.
  package mutating func heard(_ remote: String, _ domain: String?) {
    for index in meetings.indices where meetings[index].remote == remote {
      if let domain, meetings[index].domain != domain { continue }
      meetings[index].hasNews = true
    }
  }

  /// A remote is listened to now, or no longer.
  package mutating func set(_ remote: String, isConnected: Bool) {
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

  /// The machine has slept, its clock was set, or a person wants the newest state: nothing that was known of
  /// the remotes counts.
  package mutating func awoke() {
    for index in meetings.indices {
      meetings[index].hasNews = true
      meetings[index].notBefore = .zero
    }
  }

  /// A run begins.
  package mutating func began(_ step: Step, at now: Duration) {
    for index in indices(of: step) {
      meetings[index].lastStart = now
      meetings[index].firstEdit = nil
      meetings[index].lastEdit = nil
      meetings[index].hasNews = false
    }
  }

  /// A run has ended with one remote; `random` are sixty-four random bits.
  package mutating func ended(
    _ domain: String, _ remote: String, _ error: SyncError?, at now: Duration, random: UInt64
  ) {
    for index in indices(of: Step(domain: domain, remotes: [remote])) {
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
        error.code.isOfAccount && meetings[index].failures == 1
        ? now + Self.accountPause
        : now + Self.pause(meetings[index].failures, upTo: longest, random: random)
    }
  }

  /// A pause that grows with the failures, from one second, between half and all of its length.
  package static func pause(_ failures: Int, upTo longest: Duration, random: UInt64) -> Duration {
    let seconds = 1 << min(max(failures, 1) - 1, 20)
    let share = Double(random >> 11) / Double(1 << 53)
    return min(.seconds(seconds), longest) * (0.5 + share / 2)
  }

  // MARK: What to do

  /// The domains that should sync now, each with the remotes to sync with.
  package func due(at now: Duration) -> [Step] {
    var steps: [Step] = []
    for meeting in meetings where time(of: meeting) <= now {
      if let index = steps.firstIndex(where: { $0.domain == meeting.domain }) {
        steps[index].remotes.append(meeting.remote)
      } else {
        steps.append(Step(domain: meeting.domain, remotes: [meeting.remote]))
      }
    }
    return steps
  }

  /// When the next meeting is due, if nothing else happens; nil when there is none.
  package func next() -> Duration? { meetings.map { time(of: $0) }.min() }

  private func time(of meeting: Meeting) -> Duration {
    guard let pace = paces[meeting.domain] else { return .seconds(1 << 40) }
    let isBlind = live.contains(meeting.remote) && !connected.contains(meeting.remote)
    let poll = isBlind ? min(pace.poll, Self.blindPoll) : pace.poll
    var time = meeting.hasNews ? .zero : meeting.lastEnd + poll
    if let first = meeting.firstEdit, let last = meeting.lastEdit {
      time = min(time, last + pace.debounce, first + pace.debounce * 10)
    }
    if let start = meeting.lastStart { time = max(time, start + pace.minimumInterval) }
    return max(time, meeting.notBefore)
  }

  private func indices(of step: Step) -> [Int] {
    meetings.indices.filter {
      meetings[$0].domain == step.domain && step.remotes.contains(meetings[$0].remote)
    }
  }
}
