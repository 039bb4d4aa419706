import SyncKit
import SyncKitTesting
import Testing

/// What a run says to have sent, when the remote takes it only at the end.
struct ConfirmedPushTests {
  /// Keeps what it is given until the end, and then may refuse all of it.
  private actor Counter: Transport {
    let inner = InMemoryTransport()
    private var waiting: [OutboundSegment] = []
    private var isRefusing = false

    func refuse(_ isRefusing: Bool) { self.isRefusing = isRefusing }

    func attach(_ identity: RemoteIdentity, domain: String) async throws -> Set<String> {
      try await inner.attach(identity, domain: domain)
    }

    func inventory(of domain: String) async throws -> Inventory {
      waiting = []
      return try await inner.inventory(of: domain)
    }

    func fetch(_ reference: SegmentReference, of domain: String) async throws -> Segment? {
      try await inner.fetch(reference, of: domain)
    }

    func store(_ segment: OutboundSegment) async throws { waiting.append(segment) }

    func flush(_ domain: String) async throws {
      if isRefusing {
        throw SyncError(SyncError.Code("remote.busy", exit: 75, retryable: true), "Busy.")
      }
      for segment in waiting { try await inner.store(segment) }
      waiting = []
    }

    func erase(
      _ zone: ZoneID, of domain: String, confirmedBy confirmations: Confirmations
    ) async throws {
      try await inner.erase(zone, of: domain, confirmedBy: confirmations)
    }
  }

  @Test func `what was refused at the end was not sent, and goes the next time`() async throws {
    let (busy, free) = (Counter(), InMemoryTransport())
    let device = try TestDevice("a", storage: InMemoryStorage(), clock: VirtualClock())
    let engine = SyncEngine(
      store: device.store,
      remotes: [
        Remote("busy", location: "busy", transport: busy),
        Remote("free", location: "free", transport: free),
      ])
    await busy.refuse(true)
    try device.save("1", ["title": "Dune"])
    try device.save("2", ["title": "Emma"])
    let failed = await engine.sync()
    #expect(failed[0].error?.code.name == "remote.busy" && failed[0].report.pushed == 0)
    #expect(failed[1].error == nil && failed[1].report.pushed == 2)
    #expect(try device.store.status(remotes: ["busy"]).pending == 2)
    await busy.refuse(false)
    let good = await engine.sync()
    #expect(good[0].error == nil && good[0].report.pushed == 2 && good[1].report.pushed == 0)
    #expect(try device.store.status(remotes: ["busy", "free"]).pending == 0)
  }
}
