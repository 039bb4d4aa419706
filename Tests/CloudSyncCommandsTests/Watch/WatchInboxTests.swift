import CommandFoundation
import SyncKit
import Testing

@testable import CloudSyncCommands

/// A wait ends: with news, with time, and with the task.
struct WatchInboxTests {
  @Test func `a wait ends however short it is`() async {
    let inbox = WatchInbox()
    // A timer that ends before the wait must not block it.
    for limit in [Duration.zero, .nanoseconds(1), .microseconds(1), .microseconds(50)] {
      for _ in 0..<500 { await inbox.wait(upTo: limit) }
    }
  }

  @Test func `a wait ends at once with news, and with the end of the task`() async {
    let inbox = WatchInbox()
    inbox.put(.ended(SyncPlan.Step(domain: "airports", remotes: []), []))
    await inbox.wait(upTo: .seconds(3_600))
    #expect(inbox.take().count == 1)
    let late = Task { await inbox.wait(upTo: .seconds(3_600)) }
    inbox.put(.ended(SyncPlan.Step(domain: "bike", remotes: []), []))
    await late.value
    #expect(inbox.take().count == 1)
    let ended = Task { await inbox.wait(upTo: .seconds(3_600)) }
    ended.cancel()
    await ended.value
  }
}
