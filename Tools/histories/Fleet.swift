#if os(Linux)
import RealPlaces
import RealServer
import SyncKit
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Several servers on one PostgreSQL that has a standby, behind a balancer.
///
/// All of them are processes of this machine and end when this one does, however it does.
final class Fleet: Sendable {
  /// How closely the standby follows.
  enum Standby: String, Sendable, CaseIterable {
    /// A commit waits for it.
    case synchronous
    /// It may be behind.
    case asynchronous
  }

  /// An epoch that servers have begun because the database was started or promoted.
  struct Epoch: Sendable {
    /// The last number before it: what was stored behind that is lost.
    var start: UInt64
  }

  private struct State {
    var primary: PostgreSQLServer
    var standby: PostgreSQLServer
    var servers: [PlaceProcess?]
  }

  let kind: Standby
  /// The port that clients use.
  var port: UInt16 { balancer.port }
  /// How many servers there are.
  let count: Int
  private let program: String
  private let folder: String
  private let database: String
  private let ports: [UInt16]
  private let balancer: HAProxy
  private let state: Mutex<State>

  /// Starts everything, and waits until it is ready.
  init(program: String, folder: String, count: Int, standby kind: Standby) throws {
    (self.program, self.folder, self.count, self.kind) = (program, folder, count, kind)
    let primary = try PostgreSQLServer()
    let standby = try PostgreSQLServer(following: primary)
    if kind == .synchronous { try primary.waitForStandbys() }
    database = try primary.database(alsoAt: [standby])
    ports = try (0..<count).map { _ in try PlaceProcess.freePort() }
    var servers: [PlaceProcess?] = []
    for (index, port) in ports.enumerated() {
      mkdir("\(folder)/\(index)", 0o755)
      servers.append(try Self.serve(program, database, port, in: "\(folder)/\(index)"))
    }
    balancer = try HAProxy(before: ports, in: folder)
    state = Mutex(State(primary: primary, standby: standby, servers: servers))
  }

  private static func serve(
    _ program: String, _ store: String, _ port: UInt16, in folder: String
  ) throws -> PlaceProcess {
    try PlaceProcess(
      [program, "serve", "--listen", "127.0.0.1:\(port)", "--store", store], listeningOn: port,
      in: folder)
  }

  /// Creates a token for an account.
  func token(for account: String) throws -> String {
    try ServerProcess(program: program, folder: "\(folder)/tokens", store: database)
      .token(for: account)
  }

  /// Whether the servers find nothing wrong with what is stored.
  func check() throws -> Bool {
    try ServerProcess.run([program, "server", "check", "-q", "--store", database])
  }

  /// Ends everything and removes the clusters.
  func stop() {
    balancer.stop()
    let state = state.withLock { $0 }
    for server in state.servers { server?.stop() }
    state.standby.stop()
    state.primary.stop()
  }

  // MARK: Servers

  /// Ends a server by a signal and starts it again after a while.
  func restart(_ index: Int, by signal: Int32, after milliseconds: UInt32) throws {
    let server = state.withLock { state in
      defer { state.servers[index] = nil }
      return state.servers[index]
    }
    if signal == SIGTERM { server?.sendToProgram(signal) } else { server?.send(signal) }
    for _ in 0..<600 where server?.isRunning == true { usleep(20_000) }
    server?.stop()
    usleep(milliseconds * 1_000)
    let started = try Self.serve(program, database, ports[index], in: "\(folder)/\(index)")
    state.withLock { $0.servers[index] = started }
  }

  /// Stops a server for a while, without its noticing.
  func pause(_ index: Int, for milliseconds: UInt32) {
    let server = state.withLock { $0.servers[index] }
    server?.send(SIGSTOP)
    usleep(milliseconds * 1_000)
    server?.send(SIGCONT)
  }

  /// Sends SIGHUP to a server, which must go on.
  func hangUp(_ index: Int) throws {
    let server = state.withLock { $0.servers[index] }
    server?.sendToProgram(SIGHUP)
    usleep(200_000)
    guard server?.isRunning == true else {
      throw SyncError(.failure, "SIGHUP ended a server.")
    }
  }

  // MARK: The database

  /// Stops the primary without finishing anything, and starts it again after a while.
  func restartDatabase(after milliseconds: UInt32) throws {
    let known = try epochs().count
    let primary = state.withLock { $0.primary }
    primary.stopAtOnce()
    usleep(milliseconds * 1_000)
    try primary.start()
    _ = try epoch(behind: known)
  }

  /// Kills the primary and promotes its standby.
  ///
  /// - Parameters:
  ///   - milliseconds: For how long before that nothing has reached an asynchronous standby.
  ///   - willKill: Called just before.
  /// - Returns: The epoch that servers began then.
  /// - Throws: ``SyncError`` `failure` when they begin none; ``PlaceFailure``.
  func promote(cutOffFor milliseconds: UInt32, willKill: () -> Void) throws -> Epoch {
    let (primary, standby) = state.withLock { ($0.primary, $0.standby) }
    switch kind {
    case .synchronous: try primary.awaitSynchronousStandby()
    case .asynchronous:
      try primary.cutOff()
      usleep(milliseconds * 1_000)
    }
    let known = try epochs().count
    willKill()
    primary.kill()
    try standby.promote()
    state.withLock { ($0.primary, $0.standby) = (standby, primary) }
    return try epoch(behind: known)
  }

  /// Makes the former primary a standby of the present one.
  func follow() throws {
    let (primary, standby) = state.withLock { ($0.primary, $0.standby) }
    try standby.follow(primary)
    if kind == .synchronous { try primary.waitForStandbys() }
  }

  /// Waits until the servers have begun an epoch.
  private func epoch(behind known: Int) throws -> Epoch {
    for _ in 0..<300 {
      // What is being promoted or started may not answer yet.
      if let epochs = try? epochs(), epochs.count > known { return epochs[known] }
      usleep(50_000)
    }
    throw SyncError(.failure, "No server has begun an epoch after a failure of the database.")
  }

  private func epochs() throws -> [Epoch] {
    let primary = state.withLock { $0.primary }
    return try primary.run(
      "SELECT start FROM epochs ORDER BY id", in: "\(database) target_session_attrs=read-write"
    ).split(separator: "\n").compactMap { UInt64($0) }.map { Epoch(start: $0) }
  }
}
#endif
