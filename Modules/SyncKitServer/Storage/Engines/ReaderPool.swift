import NIOPosix
import SyncKit
import Synchronization

/// Reads on a few threads, each with a connection of its own, so that no write is waited for.
///
/// A connection is lent to one thread at a time.
final class ReaderPool: Sendable {
  /// An unused connection, or one thread.
  private struct PooledConnection: @unchecked Sendable {
    let tables: ServerTables
  }

  private final class Connections: Sendable {
    let free: Mutex<[PooledConnection]>
    init(_ tables: [PooledConnection]) { free = Mutex(tables) }
  }

  private let threads: NIOThreadPool
  private let connections: Connections

  /// Reads with these connections, on as many threads.
  init(_ tables: [ServerTables]) {
    connections = Connections(tables.map { PooledConnection(tables: $0) })
    threads = NIOThreadPool(numberOfThreads: tables.count)
    threads.start()
  }

  /// Runs `body` on one state of the database, whatever is written meanwhile; twice when its connection is lost.
  func run<T: Sendable>(
    _ body: @escaping @Sendable (ServerTables) throws -> T
  ) async throws -> T {
    let trace = RequestNote.current?.trace
    return try await threads.runIfActive { [connections] in
      guard let pooled = connections.free.withLock({ $0.popLast() }) else {
        throw SyncError(.bug, "There are more threads than connections.")
      }
      defer { connections.free.withLock { $0.append(pooled) } }
      do {
        return try Self.read(pooled.tables, trace, body)
      } catch  where pooled.tables.connection.mayRepeat(after: error) {
        return try Self.read(pooled.tables, trace, body)
      }
    }
  }

  private static func read<T>(
    _ tables: ServerTables, _ trace: String?, _ body: (ServerTables) throws -> T
  ) throws -> T {
    try tables.connection.begin(.reading, for: trace)
    // Nothing was written, so there is nothing that a failing end could lose.
    defer { tables.connection.rollback() }
    return try body(tables)
  }

  /// Waits for what is being read, and closes the connections.
  func close() async throws {
    try await threads.shutdownGracefully()
    let pooled = connections.free.withLock { free in
      defer { free = [] }
      return free
    }
    for pooled in pooled { pooled.tables.close() }
  }
}
