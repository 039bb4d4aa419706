import SegmentFormat
import SyncKit
import SyncKitTesting
import Testing

/// A remote with little room.
struct QuotaTransportTests {
  private let place = InMemoryTransport()
  private let clock = VirtualClock()
  private let storage = InMemoryStorage()

  private func engine(_ quota: RemoteQuota) throws -> (device: TestDevice, engine: SyncEngine) {
    let device = try TestDevice("a", storage: storage, clock: clock)
    let remote = Remote(
      "r", location: "memory", transport: QuotaTransport(place, quota: quota, domains: ["books"]))
    return (device, SyncEngine(store: device.store, remotes: [remote]))
  }

  private func used() async throws -> Int {
    try await place.inventory(of: "books").segments.reduce(0) { $0 + ($1.size ?? 0) }
  }

  @Test func `what would go over is refused, kept, and goes once there is room`() async throws {
    let (device, engine) = try engine(RemoteQuota(keys: 2))
    for id in ["1", "2"] as [RecordID] {
      try device.save(id, ["title": "Dune"])
      try await engine.syncNow()
    }
    try device.save("3", ["title": "Emma"])
    for _ in 0..<2 {
      let error = await #expect(throws: SyncError.self) { try await engine.syncNow() }
      #expect(error?.code == .remoteQuota && error?.code.exit == 73)
    }
    #expect(place.count == 2)
    #expect(try device.ids == ["1", "2", "3"])
    #expect(try device.store.status(remotes: ["r"]).pending == 1)

    let (reopened, roomy) = try self.engine(RemoteQuota(keys: 3))
    try await roomy.syncNow()
    #expect(place.count == 3)
    #expect(try reopened.store.status(remotes: ["r"]).pending == 0)
    let other = try TestDevice("b", place)
    try await other.engine.syncNow()
    #expect(try other.ids == ["1", "2", "3"])
  }

  @Test func `bytes are counted as they lie there, and never exceeded`() async throws {
    let (device, first) = try engine(RemoteQuota(bytes: 1 << 20))
    try device.save("1", ["title": "Dune"])
    try await first.syncNow()
    let limit = try await used() * 3
    let (_, engine) = try engine(RemoteQuota(bytes: limit))
    var refusals = 0
    for number in 2..<9 {
      try device.save(RecordID("\(number)"), ["title": .string("Dune \(number)")])
      if await engine.sync()[0].error?.code == .remoteQuota { refusals += 1 }
      #expect(try await used() <= limit)
    }
    #expect(refusals > 0)
    #expect(try device.ids.count == 8)
  }

  @Test func `what others have put there counts, and pulling goes on`() async throws {
    let other = try TestDevice("b", place)
    for id in ["x", "y"] as [RecordID] {
      try other.save(id, ["title": "Emma"])
      try await other.engine.syncNow()
    }
    let (device, engine) = try engine(RemoteQuota(keys: 2))
    try device.save("1", ["title": "Dune"])
    let outcome = await engine.sync()[0]
    #expect(outcome.error?.code == .remoteQuota)
    #expect(outcome.report.pulled == 2)
    #expect(try device.ids == ["1", "x", "y"])
    #expect(place.count == 2)
  }

  @Test(arguments: TransportContract.checks)
  func `within its limits it keeps every promise of a transport`(
    check: ContractCheck<TransportContract>
  ) async throws {
    let contract = TransportContract {
      let blobs = InMemoryBlobStore()
      let quota = RemoteQuota(bytes: 1 << 30, keys: 1 << 20)
      return TestRemote {
        QuotaTransport(BlobTransport(blobs), quota: quota, domains: ["contract"])
      }
    }
    try await check(contract)
  }
}
