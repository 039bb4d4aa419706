#if os(Linux)
import AsyncHTTPClient
import HistoryChecks
import RealPlaces
import SyncKit
import Synchronization

/// One history over several servers on one database: eight clients behind a balancer, half of them behind a bad network
/// as well.
struct FleetRun {
  let program: String
  let folder: String
  let seed: UInt64
  let operations: Int
  let servers: Int
  let standby: Fleet.Standby

  /// The outcome of a run.
  struct Outcome {
    var violations: [Violation]
    var seen: Recorder.Histories
    var faults: [FleetFault]
    var recovery: RecoveryTimes
    /// How many acknowledged segments a promoted standby did not have.
    var lost: Int
  }

  /// A server hears of another one's commits, or does not trust what it remembers, within 900 ms; the rest is for a
  /// busy machine.
  private static let staleness: UInt64 = 1_000_000_000

  /// Runs it.
  ///
  /// - Throws: ``SyncError`` if the run fails to execute; a wrong history is not an error.
  func run() async throws -> Outcome {
    let fleet = try Fleet(program: program, folder: folder, count: servers, standby: standby)
    defer { fleet.stop() }
    let tokens = try (fleet.token(for: "owner"), fleet.token(for: "guest"))
    let proxy = try FaultyProxy(seed: seed) { fleet.port }
    defer { proxy.close() }
    let http = HTTPClient(eventLoopGroupProvider: .singleton)
    do {
      let outcome = try await run(fleet, tokens, proxy, http)
      try await http.shutdown()
      return outcome
    } catch {
      try? await http.shutdown()
      throw error
    }
  }

  private func run(
    _ fleet: Fleet, _ tokens: (owner: String, guest: String), _ proxy: FaultyProxy,
    _ http: HTTPClient
  ) async throws -> Outcome {
    let recorder = Recorder(staleness: Self.staleness)
    let book = SegmentBook()
    func caller(_ token: String, _ port: UInt16) -> WireCaller {
      WireCaller(client: http, base: "http://127.0.0.1:\(port)", token: token)
    }
    let share = try await HistoryStage.prepare(
      caller(tokens.owner, fleet.port), seed: seed, recorder, book)
    func client(_ number: Int, isNearby: Bool) -> HistoryClient {
      var owner = caller(tokens.owner, isNearby ? fleet.port : proxy.port)
      var guest = caller(tokens.guest, isNearby ? fleet.port : proxy.port)
      if isNearby {
        owner.notes = (recorder, number)
        guest.notes = (recorder, number)
      }
      return HistoryClient(
        number: number, seed: seed, owner: owner, guest: guest, share: share, recorder: recorder,
        book: book)
    }
    let clients = (0..<8).map { number in
      var client = client(number, isNearby: number % 2 == 1)
      client.heals = standby == .asynchronous
      return client
    }
    let (worked, faults) = try await work(clients, fleet, recorder)

    // Devices heal what was lost, and all of them read that, before anything is judged.
    var readers = worked.filter { $0.number < 6 }
    for index in readers.indices { readers[index].owner = caller(tokens.owner, fleet.port) }
    for _ in 0..<(standby == .synchronous ? 1 : 2) { try await catchUp(&readers) }
    let last = client(8, isNearby: true)
    var isRead = false
    for _ in 0..<20 where !isRead { isRead = await last.readAll() }
    guard isRead else {
      throw SyncError(.failure, "Could not read from the servers after the last fault.")
    }
    for reader in readers { reader.handIn() }
    let seen = recorder.seen
    var violations =
      standby == .synchronous ? seen.violations : seen.violationsAfterLoss
    let lost = Self.lost(faults, seen)
    if standby == .synchronous, lost > 0 {
      violations.append(
        Violation("\(lost) acknowledged segments were not on a standby that was synchronous"))
    }
    if try !fleet.check() { violations.append(Violation("'server check' finds damage")) }
    return Outcome(
      violations: violations, seen: seen, faults: faults,
      recovery: RecoveryTimes(
        faults.map { RecoveryTimes.Fault(start: $0.start, end: $0.end) }, seen.requests), lost: lost
    )
  }

  /// Runs the clients while faults are played, until there were enough calls and each kind of fault.
  private func work(
    _ clients: [HistoryClient], _ fleet: Fleet, _ recorder: Recorder
  ) async throws -> ([HistoryClient], [FleetFault]) {
    let operations = operations
    let steps = SharedCount()
    let faults = FleetFaults(seed: seed, fleet: fleet, recorder: recorder)
    let worked = await withTaskGroup(of: HistoryClient.self) { group in
      for client in clients {
        group.addTask {
          var client = client
          while case let step = steps.next(), step <= operations || !faults.hasPlayedAll {
            await client.step()
            // A history takes longer than its faults.
            try? await Task.sleep(for: .milliseconds(20 + step * 37 % 60))
          }
          return client
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    return (worked.sorted { $0.number < $1.number }, try await faults.end())
  }

  /// Lets readers read to the end when answers are as young as they can be.
  private func catchUp(_ readers: inout [HistoryClient]) async throws {
    try await Task.sleep(for: .nanoseconds(Self.staleness + 200_000_000))
    for index in readers.indices {
      var isThere = false
      for _ in 0..<40 where !isThere { isThere = await readers[index].catchUp() }
      guard isThere else {
        throw SyncError(.failure, "A client could not read to the end after the last fault.")
      }
    }
  }

  /// How many segments were acknowledged before a standby was promoted that its epoch does not have.
  private static func lost(_ faults: [FleetFault], _ seen: Recorder.Histories) -> Int {
    var before: UInt64 = 0
    var lost = 0
    for fault in faults {
      guard let start = fault.epochStart else { continue }
      let names = seen.feed.stores.filter { store in
        guard store.outcome == .done, let cursor = store.value.cursor else { return false }
        return store.start > before && store.end < fault.start && cursor > start
      }.map(\.value.name)
      lost += Set(names).count
      // What began later can only be answered by the promoted one.
      before = fault.start
    }
    return lost
  }
}

/// Counts the steps of all clients together, so that they end at the same time.
private final class SharedCount: Sendable {
  private let count = Atomic<Int>(0)

  func next() -> Int { count.add(1, ordering: .relaxed).newValue }
}
#endif
