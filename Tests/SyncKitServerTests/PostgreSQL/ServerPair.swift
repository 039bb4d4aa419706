import Logging
import RealPlaces
import SyncKit
import SyncKitTesting
import SyncWire

@testable import SyncKitServer

/// Two servers on one database, as two processes are, and the host's commands beside them.
struct ServerPair: Sendable {
  let address: PostgreSQLAddress
  let clock: VirtualClock
  let first: ServerState
  let second: ServerState
  let administration: ServerAdministration

  /// Runs two servers for as long as `body` takes, on a PostgreSQL or on the one that all tests share.
  static func run(
    on place: PostgreSQLServer? = nil, at address: PostgreSQLAddress? = nil,
    _ body: (ServerPair) async throws -> Void
  ) async throws {
    let address =
      try address ?? place.map { try PostgreSQLAddress(try $0.database()) }
      ?? TestDatabase.address()
    let clock = VirtualClock()
    let environment = PostgreSQLStorageTests.environment(clock)
    func state() throws -> ServerState {
      var logger = Logger(label: "test")
      logger.logLevel = .critical
      return ServerState(
        storage: try ServerDatabase(address, environment: environment), environment: environment,
        rates: .none, logger: logger)
    }
    let pair = ServerPair(
      address: address, clock: clock, first: try state(), second: try state(),
      administration: try ServerAdministration(address, environment: environment))
    let result: Result<Void, any Error>
    do { result = .success(try await body(pair)) } catch { result = .failure(error) }
    try await pair.administration.close()
    try await pair.first.close()
    try await pair.second.close()
    try result.get()
  }

  /// One of the servers as a check of the contract sees it.
  func place(_ state: ServerState) -> ServerStoragePlace {
    let administration = administration
    return ServerStoragePlace(storage: state.storage, clock: clock) { name, maximumBytes in
      let account = try await administration.makeAccount(name, maximumBytes: maximumBytes)
      return try await administration.invite(to: account.id).code
    }
  }

  func person(_ name: String) async throws -> ServerStorageContract.Person {
    try await ServerStorageContract.person(place(first), name)
  }

  /// Waits until something holds, for 20 seconds at most.
  static func wait(_ isTrue: () async throws -> Bool) async throws -> Bool {
    for _ in 0..<400 {
      if try await isTrue() { return true }
      try await Task.sleep(for: .milliseconds(50))
    }
    return try await isTrue()
  }
}
