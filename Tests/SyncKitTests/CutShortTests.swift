import SyncKitTesting
import Synchronization
import Testing

@testable import SyncKitEngine
@testable import SyncKitModel
@testable import SyncKitStore

/// Runs whose task has only so much time.
@Suite struct CutShort {
  /// A place at which the task that visits it is cancelled.
  private final class Place: Transport {
    private struct State {
      var left = Int.max
      var calls = 0
    }
    private let base = InMemoryTransport()
    private let state = Mutex(State())

    /// Fetched and stored so far.
    var calls: Int { state.withLock { $0.calls } }

    /// Cancels the visiting task after that many segments.
    func cancel(after count: Int) { state.withLock { $0 = State(left: count) } }

    private func count() {
      let isOver = state.withLock { state in
        state.calls += 1
        state.left -= 1
        return state.left == 0
      }
      if isOver { withUnsafeCurrentTask { $0?.cancel() } }
    }

    func attach(_ identity: RemoteIdentity, domain: String) async throws -> Set<String> {
      try await base.attach(identity, domain: domain)
    }
    func inventory(of domain: String) async throws -> Inventory {
      try await base.inventory(of: domain)
    }
    func fetch(_ reference: SegmentReference, of domain: String) async throws -> Segment? {
      // As a connection does.
      try Task.checkCancellation()
      defer { count() }
      return try await base.fetch(reference, of: domain)
    }
    func store(_ segment: OutboundSegment) async throws {
      try Task.checkCancellation()
      defer { count() }
      try await base.store(segment)
    }
  }

  private let place = Place()

  private func engine(_ device: TestDevice) -> SyncEngine {
    SyncEngine(
      store: device.store, remotes: [Remote("place", location: "place:", transport: place)])
  }

  /// One run in a task of its own, which may be cancelled on its way.
  private func run(_ engine: SyncEngine) async throws -> SyncOutcome {
    let outcomes = await Task { await engine.sync() }.value
    return try #require(outcomes.first)
  }

  @Test func `a pull keeps what has come, and the next one fetches only the rest`() async throws {
    let (desk, phone) = try (TestDevice("desk"), TestDevice("phone"))
    for number in 0..<6 {
      try desk.save(RecordID("\(number)"), ["title": "Dune"])
      _ = try await run(engine(desk))
    }
    try phone.save("own", ["title": "Emma"])
    place.cancel(after: 2)
    let first = try await run(engine(phone))
    #expect(first.error?.code == .cutShort && first.report.pulled == 2)
    #expect(try phone.ids == ["0", "1", "own"])
    #expect(try phone.store.remote("place").errorCode == nil)
    place.cancel(after: .max)
    let second = try await run(engine(phone))
    #expect(second.error == nil && second.report.pulled == 4 && second.report.pushed == 1)
    #expect(place.calls == 5)
    #expect(try phone.ids.count == 7)
  }

  @Test func `a push counts what has gone, and the next one sends only the rest`() async throws {
    let desk = try TestDevice("desk")
    for number in 0..<5 {
      try desk.save(RecordID("\(number)"), ["title": "Dune"])
      // Each becomes a segment of its own.
      try desk.store.seal()
    }
    place.cancel(after: 2)
    let first = try await run(engine(desk))
    #expect(first.error?.code == .cutShort && first.report.pushed == 2)
    #expect(try desk.store.status(remotes: ["place"]).pending == 3)
    place.cancel(after: .max)
    let second = try await run(engine(desk))
    #expect(second.error == nil && second.report.pushed == 3 && place.calls == 3)
    let phone = try TestDevice("phone")
    _ = try await run(engine(phone))
    #expect(try phone.ids.count == 5)
  }

  @Test func `a refusal that is known stays known`() async throws {
    let (desk, phone) = try (TestDevice("desk"), TestDevice("phone"))
    try desk.save("dune", ["title": "Dune"])
    _ = try await run(engine(desk))
    _ = try await run(engine(phone))
    try phone.store.updateRemote("place") { $0.errorCode = "remote.quota" }
    for id: RecordID in ["emma", "ulysses"] {
      try desk.save(id, ["title": "Emma"])
      _ = try await run(engine(desk))
    }
    place.cancel(after: 1)
    #expect(try await run(engine(phone)).error?.code == .cutShort)
    #expect(try phone.store.remote("place").errorCode == "remote.quota")
  }
}
