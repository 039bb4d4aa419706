import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Debian's PgBouncer before a PostgreSQL: it lends connections of its own, far fewer than it has clients.
public final class PgBouncer: Sendable {
  /// For how long it lends a connection.
  public enum Mode: String, Sendable {
    /// For as long as the client is connected.
    case session
    /// For one transaction.
    case transaction
  }

  /// Where it listens on 127.0.0.1.
  public let port: UInt16
  private let process: PlaceProcess

  // MARK: One for many tests

  private static let common = Mutex<PgBouncer?>(nil)

  /// The one of this process before ``PostgreSQLServer/shared()``, in transaction mode; it ends with the process.
  public static func shared() throws -> PgBouncer {
    try common.withLock { pooler in
      if let pooler { return pooler }
      let made = try PgBouncer(before: .shared())
      pooler = made
      atexit { PgBouncer.common.withLock { $0 }?.stop() }
      return made
    }
  }

  // MARK: Life

  /// Starts it.
  ///
  /// - Parameters:
  ///   - server: The PostgreSQL, which may be stopped and started again.
  ///   - mode: For how long it lends a connection.
  ///   - connections: How many it has to each database.
  /// - Throws: ``PlaceFailure`` when it is not installed or does not start.
  public init(
    before server: PostgreSQLServer, mode: Mode = .transaction, connections: Int = 3
  ) throws {
    port = try PlaceProcess.freePort()
    let folder = try placeFolder()
    PlaceGuard.add(folder: folder)
    try PlaceTools.write("\"postgres\" \"\"\n", to: "\(folder)/users.txt", mode: 0o644)
    try PlaceTools.write(
      """
      [databases]
      * = host=\(server.place) port=\(PostgreSQLServer.port)
      [pgbouncer]
      listen_addr = 127.0.0.1
      listen_port = \(port)
      unix_socket_dir =
      auth_type = trust
      auth_file = \(folder)/users.txt
      pool_mode = \(mode.rawValue)
      default_pool_size = \(connections)
      max_client_conn = 1000
      server_idle_timeout = 2
      server_login_retry = 1

      """, to: "\(folder)/pgbouncer.ini", mode: 0o644)
    process = try PlaceProcess(
      PostgreSQLServer.asUser([try peer("pgbouncer"), "\(folder)/pgbouncer.ini"]),
      listeningOn: port, in: folder)
  }

  /// The address of a database through it.
  ///
  /// - Parameter database: What ``PostgreSQLServer/database(alsoAt:)`` has given.
  /// - Returns: The address for libpq.
  public func address(of database: String) -> String {
    let name = database.split(separator: " ").first { $0.hasPrefix("dbname=") } ?? ""
    return "host=127.0.0.1 port=\(port) user=postgres \(name)"
  }

  /// What it has written.
  public var output: String { process.output }

  /// Ends it.
  public func stop() { process.stop() }
}
