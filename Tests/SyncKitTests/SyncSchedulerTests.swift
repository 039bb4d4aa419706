import SyncKit
import SyncKitTesting
import Synchronization
import Testing

/// A scheduler on a clock that the test moves.
struct SyncSchedulerTests {
  /// A place that can turn its guests away and tell them news.
  private final class Place: LiveTransport, ErasingTransport {
    private struct State {
      var error: SyncError?
      var attaches = 0
      var listeners: [AsyncThrowingStream<RemoteNews, any Error>.Continuation] = []
    }

    let base = InMemoryTransport()
    private let state = Mutex(State())

    var attaches: Int { state.withLock { $0.attaches } }
    var isListenedTo: Bool { state.withLock { !$0.listeners.isEmpty } }
    func refuse(_ error: SyncError?) { state.withLock { $0.error = error } }

    func tell(_ domain: String) {
      for listener in state.withLock({ $0.listeners }) {
        listener.yield(RemoteNews(domain: domain))
      }
    }

    func news() -> AsyncThrowingStream<RemoteNews, any Error> {
      AsyncThrowingStream { continuation in
        continuation.yield(RemoteNews(domain: nil))
        state.withLock { $0.listeners.append(continuation) }
      }
    }

    func attach(_ identity: RemoteIdentity, domain: String) async throws -> Set<String> {
      let error = state.withLock { state in
        state.attaches += 1
        return state.error
      }
      if let error { throw error }
      return try await base.attach(identity, domain: domain)
    }

    func inventory(of domain: String) async throws -> Inventory {
      try await base.inventory(of: domain)
    }

    func fetch(_ reference: SegmentReference, of domain: String) async throws -> Segment? {
      try await base.fetch(reference, of: domain)
    }

    func store(_ segment: OutboundSegment) async throws { try await base.store(segment) }

    func erase(
      _ zone: ZoneID, of domain: String, confirmedBy confirmations: Confirmations
    ) async throws {
      try await base.erase(zone, of: domain, confirmedBy: confirmations)
    }
  }

  private let clock = SchedulerClock()
  private let place = Place()

  private func scheduler(_ device: TestDevice) -> SyncScheduler {
    SyncScheduler(
      SyncEngine(
        store: device.store, remotes: [Remote("place", location: "place:", transport: place)]),
      clock: clock)
  }

  /// Waits until something holds that needs no more of the clock.
  private func eventually(
    _ what: Comment, _ holds: () async throws -> Bool,
    at location: SourceLocation = #_sourceLocation
  ) async throws {
    for _ in 0..<20_000 {
      if try await holds() { return }
      try await Task.sleep(for: .milliseconds(1))
    }
    Issue.record(what, sourceLocation: location)
  }

  /// Moves the clock in small steps until something holds, a minute at most.
  private func soon(
    _ what: Comment, _ holds: () async throws -> Bool,
    at location: SourceLocation = #_sourceLocation
  ) async throws {
    for _ in 0..<600 {
      if try await holds() { return }
      try await eventually("nobody sleeps", { clock.hasSleepers }, at: location)
      clock.advance(by: .milliseconds(100))
      try await Task.sleep(for: .milliseconds(2))
    }
    Issue.record(what, sourceLocation: location)
  }

  private func state(_ scheduler: SyncScheduler) async throws -> SyncState {
    try await scheduler.state()
  }

  @Test func `a push message brings a run at once, and a pace holds from then on`() async throws {
    let device = try TestDevice("a")
    let plain = InMemoryTransport()
    let scheduler = SyncScheduler(
      SyncEngine(
        store: device.store, remotes: [Remote("plain", location: "plain:", transport: plain)]),
      pace: .sparing, clock: clock)
    await scheduler.activate()
    let other = try TestDevice("b", plain)
    try await eventually("the first run") { try device.store.remote("plain").isAttached }
    try other.save("1", ["title": "Dune"])
    try await other.engine.syncNow()
    clock.advance(by: .seconds(120))
    try await Task.sleep(for: .milliseconds(20))
    #expect(try device.ids.isEmpty)
    await scheduler.heardOfNews()
    try await eventually("the news") { try device.ids == ["1"] }
    try other.save("2", ["title": "Emma"])
    try await other.engine.syncNow()
    await scheduler.setPace(SyncPace())
    try await eventually("the poll of the usual pace") {
      // The pace is taken up when the scheduler comes to it, and counts from then.
      clock.advance(by: .seconds(60))
      return try device.ids == ["1", "2"]
    }
    await scheduler.deactivate()
  }

  @Test func `an edit goes out once it has settled, and news come in at once`() async throws {
    let (a, b) = (try TestDevice("a"), try TestDevice("b"))
    let (first, second) = (scheduler(a), scheduler(b))
    #expect(try await state(first) == .neverSynced)
    await first.activate()
    await second.activate()
    try await eventually("both meet") { place.attaches >= 2 && place.isListenedTo }
    try a.save("1", ["title": "Dune"])
    #expect(try b.ids.isEmpty)
    try await soon("the edit is sent") { try await state(first) == .upToDate }
    place.tell("books")
    try await soon("the edit is there") { try b.ids == ["1"] }
    await first.deactivate()
    await second.deactivate()
  }

  @Test func `without news a remote is polled now and then`() async throws {
    let (a, b) = (try TestDevice("a"), try TestDevice("b"))
    let second = scheduler(b)
    await second.activate()
    try await eventually("it meets") { place.attaches == 1 }
    try a.save("1", ["title": "Dune"])
    await scheduler(a).flush()
    #expect(try b.ids.isEmpty)
    try await soon("the poll brings it") { try b.ids == ["1"] }
    await second.deactivate()
  }

  @Test func `an app that quits sends its edits first`() async throws {
    let a = try TestDevice("a")
    let scheduler = scheduler(a)
    try a.save("1", ["title": "Dune"])
    let outcomes = await scheduler.flush()
    #expect(outcomes.map(\.report.pushed) == [1] && outcomes[0].error == nil)
    #expect(try await state(scheduler) == .upToDate)
  }

  @Test func `a remote that refuses does not stop local edits`() async throws {
    let a = try TestDevice("a")
    let scheduler = scheduler(a)
    place.refuse(SyncError(.remoteDenied, "The account has changed."))
    await scheduler.activate()
    try await soon("it is told") { try await state(scheduler) == .error }
    try a.save("1", ["title": "Dune"])
    #expect(try a.ids == ["1"])
    let tries = place.attaches
    try await soon("it is tried again by itself") { place.attaches > tries }
    place.refuse(nil)
    await scheduler.retry()
    try await soon("all is well again") { try await state(scheduler) == .upToDate }
    await scheduler.deactivate()
  }

  @Test func `what is paused stays here until it goes on`() async throws {
    let a = try TestDevice("a")
    let scheduler = scheduler(a)
    await scheduler.activate()
    try await soon("it meets") { try await state(scheduler) == .upToDate }
    await scheduler.pause()
    let count = place.attaches
    try a.save("1", ["title": "Dune"])
    #expect(await scheduler.flush().isEmpty)
    for _ in 0..<50 { clock.advance(by: .seconds(1)) }
    #expect(try await state(scheduler) == .paused)
    #expect(place.attaches == count)
    await scheduler.resume()
    try await soon("it goes on") { try await state(scheduler) == .upToDate }
    await scheduler.deactivate()
  }

  @Test func `after the end nothing runs by itself`() async throws {
    let a = try TestDevice("a")
    let scheduler = scheduler(a)
    await scheduler.activate()
    try await soon("it meets") { try await state(scheduler) == .upToDate }
    await scheduler.deactivate()
    let count = place.attaches
    try a.save("1", ["title": "Dune"])
    for _ in 0..<100 { clock.advance(by: .seconds(1)) }
    #expect(try await state(scheduler) == .pending)
    #expect(place.attaches == count)
  }
}
