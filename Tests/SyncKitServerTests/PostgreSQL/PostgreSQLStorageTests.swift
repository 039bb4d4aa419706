import RealPlaces
import SyncKit
import SyncKitTesting
import SyncWire
import Testing

@testable import SyncKitServer

@Suite struct PostgreSQLStorageTests {
  static func environment(_ clock: VirtualClock) -> SyncEnvironment {
    SyncEnvironment(now: { clock.now }, random: { UInt64.random(in: .min ... .max) })
  }

  /// A server and the host's commands over a new database, for as long as `body` takes.
  static func run(
    clock: VirtualClock = VirtualClock(), on address: PostgreSQLAddress? = nil,
    _ body: (ServerDatabase, ServerAdministration) async throws -> Void
  ) async throws {
    let address = try address ?? TestDatabase.address()
    let storage = try ServerDatabase(address, environment: environment(clock))
    let administration = try ServerAdministration(address, environment: environment(clock))
    let result: Result<Void, any Error>
    do { result = .success(try await body(storage, administration)) } catch {
      result = .failure(error)
    }
    try await administration.close()
    try await storage.close()
    try result.get()
  }

  @Test(arguments: ServerStorageContract.checks + ServerStorageContract.removalChecks)
  func `it keeps what every storage promises`(
    check: ContractCheck<ServerStorageContract>
  ) async throws {
    let clock = VirtualClock()
    try await Self.run(clock: clock) { storage, administration in
      try await check(
        ServerStorageContract { SQLiteServerStorageTests.place(storage, administration, clock) })
      let findings = try await administration.check()
      #expect(findings.problems == [], "\(findings.problems)")
    }
  }
}
