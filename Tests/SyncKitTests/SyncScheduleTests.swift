import SyncKit
import Testing

/// When which domain meets which remote.
struct SyncScheduleTests {
  private func plan(live: Set<String> = ["home"]) -> SyncSchedule {
    SyncSchedule(
      [
        SyncSchedule.Step(domain: "airports", remotes: ["home", "folder"]),
        SyncSchedule.Step(domain: "media", remotes: ["home"]),
      ], ["airports": SyncPace(), "media": SyncPace()], live: live)
  }

  /// A plan after its first runs, which ended well at `at`.
  private func settled(at: Duration = .zero, connected: Bool = true) -> SyncSchedule {
    var plan = plan()
    if connected { plan.set("home", isConnected: true) }
    run(&plan, at: at)
    return plan
  }

  /// Runs all that is due; gives what that was.
  @discardableResult
  private func run(
    _ plan: inout SyncSchedule, at now: Duration, _ error: SyncError? = nil
  ) -> [String] {
    var met: [String] = []
    for step in plan.due(at: now) {
      plan.began(step, at: now)
      for remote in step.remotes {
        plan.ended(step.domain, remote, error, at: now, random: .max)
        met.append("\(step.domain)-\(remote)")
      }
    }
    return met
  }

  @Test func `at the start every remote is synced`() {
    var plan = plan()
    #expect(run(&plan, at: .zero) == ["airports-home", "airports-folder", "media-home"])
    #expect(run(&plan, at: .milliseconds(50)).isEmpty)
  }

  @Test func `edits are sent once they have settled`() {
    var plan = settled()
    plan.edited("airports", at: .seconds(5))
    plan.edited("airports", at: .milliseconds(5_300))
    #expect(run(&plan, at: .milliseconds(5_700)).isEmpty)
    #expect(run(&plan, at: .milliseconds(5_800)) == ["airports-home", "airports-folder"])
    #expect(run(&plan, at: .milliseconds(6_500)).isEmpty)
  }

  @Test func `edits that do not end are sent all the same`() {
    var plan = settled()
    var times: [Int] = []
    for tick in 0..<100 {
      let now = Duration.seconds(5) + .milliseconds(tick * 100)
      plan.edited("media", at: now)
      if !run(&plan, at: now).isEmpty { times.append(tick) }
    }
    #expect(times == [50])
  }

  @Test func `news are followed at once, but not more often than every second`() {
    var plan = settled()
    plan.heard("home", "media")
    #expect(run(&plan, at: .seconds(5)) == ["media-home"])
    plan.heard("home", "media")
    #expect(run(&plan, at: .milliseconds(5_900)).isEmpty)
    #expect(run(&plan, at: .seconds(6)) == ["media-home"])
  }

  @Test func `news that come while a run is under way lead to another`() {
    var plan = settled()
    plan.heard("home", "media")
    let step = SyncSchedule.Step(domain: "media", remotes: ["home"])
    plan.began(step, at: .seconds(5))
    plan.heard("home", "media")
    plan.ended("media", "home", nil, at: .seconds(6), random: 0)
    #expect(plan.due(at: .seconds(6)) == [step])
  }

  @Test func `every remote is polled now and then`() {
    var plan = settled()
    #expect(run(&plan, at: .seconds(29)).isEmpty)
    #expect(run(&plan, at: .seconds(30)).count == 3)
  }

  @Test func `a server that cannot be listened to is polled every ten seconds`() {
    var plan = settled()
    plan.set("home", isConnected: false)
    #expect(run(&plan, at: .seconds(9)).isEmpty)
    #expect(run(&plan, at: .seconds(10)) == ["airports-home", "media-home"])
  }

  @Test func `after failures the pauses grow, and a connection ends them`() {
    var plan = settled()
    let error = SyncError(.remoteUnavailable, "gone")
    plan.heard("home", "media")
    var times: [Int] = []
    for second in 5..<100 where run(&plan, at: .seconds(second), error).contains("media-home") {
      times.append(second)
    }
    let gaps = zip(times.dropFirst(), times).map { $0 - $1 }
    #expect(times.count < 30 && gaps.max() ?? 0 >= 30, "It tried at \(times).")
    plan.set("home", isConnected: true)
    #expect(run(&plan, at: .seconds(101)).contains("media-home"))
  }

  @Test func `one remote that fails does not hold up another`() {
    var plan = settled()
    plan.ended(
      "airports", "home", SyncError(.remoteDenied, "no"), at: .seconds(5), random: .max)
    plan.edited("airports", at: .seconds(5))
    #expect(run(&plan, at: .milliseconds(5_500)) == ["airports-folder"])
  }

  @Test func `a refusal is tried again seldom, and never without end of the pause`() {
    for failures in 1..<200 {
      let pause = SyncSchedule.pause(failures, upTo: SyncSchedule.longestRefusal, random: .max)
      #expect(pause <= SyncSchedule.longestRefusal && pause >= .milliseconds(500))
    }
    #expect(SyncSchedule.pause(1, upTo: .seconds(60), random: 0) == .milliseconds(500))
  }

  @Test func `after a sleep every remote is synced at once`() {
    var plan = settled()
    plan.ended("media", "home", SyncError(.remoteUnavailable, ""), at: .seconds(2), random: .max)
    plan.awoke()
    #expect(run(&plan, at: .seconds(3)).count == 3)
  }
}
