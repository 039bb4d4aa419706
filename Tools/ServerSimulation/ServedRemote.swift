import SyncKitHTTP
import SegmentFormat
public import SyncKit
public import SyncKitTesting
import Synchronization

/// A server in a simulated world: the real routes over the real storage, and the real transport of each
/// device, with nothing between them but the faults of a seed.
///
/// - **Its own faults.** A request is refused or lost on its way (`errorBefore`), has its effect and no
///   answer (`errorAfter`), arrives twice (`duplicate`). The server restarts (`restart`), loses
///   everything (`wipe`), is restored from a backup (`rewind`), is full (`quota`), or forgets a
///   device (`revoke`).
/// - **Deterministic.** Time and randomness are the world's, and one request runs at a time.
public final class ServedRemote: SimulatedServer {
  struct State {
    var random = SeededRandom(seed: 0)
    var faults: Set<SimulatedFault> = []
    var counts: [SimulatedFault: Int] = [:]
    var stores = 0
    /// The token of each admitted device.
    var tokens: [Int: String] = [:]
    var isFull = false

    mutating func strikes(_ fault: SimulatedFault, _ percent: Int) -> Bool {
      guard faults.contains(fault), random.chance(percent) else { return false }
      counts[fault, default: 0] += 1
      return true
    }
  }

  /// Reads without faults, to see the stored segments.
  private static let observer = -1

  let host: ServerHost
  let state = Mutex(State())
  private let environment: SyncEnvironment

  /// Starts a server in a new folder.
  public init(_ random: SeededRandom, _ clock: VirtualClock) async throws {
    environment = .seeded(random.fork("transport"), clock: clock)
    host = try await ServerHost(.seeded(random.fork("server"), clock: clock))
  }

  /// A world's server, in the form for ``SimulationParts``.
  public static func part(
    _ random: SeededRandom, _ clock: VirtualClock
  ) async throws -> any SimulatedServer { try await ServedRemote(random, clock) }

  public func transport(
    for device: Int, coding: any SegmentCoding
  ) async throws -> any Transport {
    if state.withLock({ $0.tokens[device] == nil }) {
      let token = try await host.letIn("device-\(device)")
      state.withLock { $0.tokens[device] = token }
    }
    guard let address = ServerAddress("http://127.0.0.1:1") else {
      throw SyncError(.bug, "The simulated server has no address.")
    }
    let token = state.withLock { $0.tokens[device] }
    // No task waits in a simulated world: its steps move the clock.
    let carrier = FaultyCarrier(server: self, isFaulty: device != Self.observer)
    let access = ServerAccess(
      address: address, environment: environment, wait: { _ in }, carrier: { _ in carrier },
      token: { token })
    return try HTTPTransport(access, coding: coding)
  }

  public func begin(_ random: SeededRandom, _ faults: Set<SimulatedFault>) {
    state.withLock {
      $0.random = random
      $0.faults = faults
    }
  }

  public func suffer() async throws -> (what: String, lost: [Segment])? {
    if state.withLock({ $0.faults.contains(.rewind) && $0.random.chance(8) }) {
      try await host.backUp()
    }
    if state.withLock({ $0.strikes(.wipe, 2) }) {
      return try await losing("is wiped") { try await host.wipe() }
    }
    if host.hasBackups, state.withLock({ $0.strikes(.rewind, 2) }) {
      let number = state.withLock { $0.random.next() }
      return try await losing("is restored from a backup") { try await host.restore(number) }
    }
    if state.withLock({ $0.strikes(.restart, 6) }) {
      try await host.restart()
      return ("restarts", [])
    }
    if state.withLock({ $0.strikes(.quota, 8) }) {
      let isFull = state.withLock { state in
        state.isFull.toggle()
        return state.isFull
      }
      try await host.setRoom(isFull ? 0 : nil)
      return (isFull ? "is full" : "has space again", [])
    }
    if state.withLock({ $0.strikes(.revoke, 5) }) {
      let device: Int? = state.withLock { state in
        state.tokens.keys.sorted().filter { $0 != Self.observer }
          .randomElement(using: &state.random)
      }
      guard let device, let token = state.withLock({ $0.tokens[device] }) else { return nil }
      if try await host.revoke(token) { return ("revokes device \(device)", []) }
      state.withLock { $0.tokens[device] = nil }
      return ("lets device \(device) in again", [])
    }
    return nil
  }

  private func losing(
    _ what: String, _ body: () async throws -> Void
  ) async throws -> (what: String, lost: [Segment]) {
    let lost = try await segments()
    try await body()
    state.withLock { state in
      state.tokens = [:]
      state.isFull = false
    }
    return (what, lost)
  }

  public func heal() async throws {
    try await host.setRoom(nil)
    state.withLock { state in
      state.faults = []
      state.isFull = false
      state.tokens = [:]
    }
  }

  public func segments() async throws -> [Segment] {
    let coding = DeflateSegmentCoding()
    let transport = try await transport(for: Self.observer, coding: coding)
    let domain = "simulated"
    let references = try await transport.inventory(of: domain).segments
    await transport.expect(references, of: domain)
    var segments: [Segment] = []
    for reference in references {
      guard let segment = try await transport.fetch(reference, of: domain) else {
        throw SyncError(.bug, "The server lists a segment that it does not have.")
      }
      segments.append(segment)
    }
    return segments
  }

  public var stores: Int { state.withLock { $0.stores } }
  public var counts: [SimulatedFault: Int] { state.withLock { $0.counts } }

  public func close() async { await host.close() }
}
