import AsyncHTTPClient
import HistoryChecks
import RealServer
import SyncKit

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// One history: a real server, eight clients behind a bad network, and a check of their observations.
struct HistoryRun {
  let program: String
  let folder: String
  let seed: UInt64
  let operations: Int

  /// The outcome of a run.
  struct Outcome {
    var violations: [Violation]
    var calls: Int
    var unknown: Int
    var starts: Int
  }

  /// Runs it.
  ///
  /// - Throws: ``SyncError`` if the run fails to execute; a wrong history is not an error.
  func run() async throws -> Outcome {
    let server = ServerProcess(program: program, folder: folder)
    let tokens = try (server.token(for: "owner"), server.token(for: "guest"))
    try server.start()
    defer { server.stop() }
    let proxy = try FaultyProxy(seed: seed) { server.port }
    defer { proxy.close() }
    let http = HTTPClient(eventLoopGroupProvider: .singleton)
    let recorder = Recorder()
    let book = SegmentBook()
    do {
      let direct = { (token: String) in
        WireCaller(client: http, base: "http://127.0.0.1:\(server.port)", token: token)
      }
      let share = try await HistoryStage.prepare(
        direct(tokens.0), seed: seed, recorder, book)
      let clients = (0..<8).map { number in
        let base = "http://127.0.0.1:\(proxy.port)"
        return HistoryClient(
          number: number, seed: seed,
          owner: WireCaller(client: http, base: base, token: tokens.0),
          guest: WireCaller(client: http, base: base, token: tokens.1), share: share,
          recorder: recorder, book: book)
      }
      try await work(clients, server, recorder)
      try server.restart()
      let reader = HistoryClient(
        number: 8, seed: seed, owner: direct(tokens.0), guest: direct(tokens.1), share: share,
        recorder: recorder, book: book)
      guard await reader.readAll() else {
        throw SyncError(.failure, "Could not read from the server after its last start.")
      }
    } catch {
      try? await http.shutdown()
      throw error
    }
    try await http.shutdown()
    let seen = recorder.seen
    return Outcome(
      violations: seen.violations, calls: seen.calls, unknown: seen.unknown, starts: server.starts)
  }

  /// Runs the clients while the server is killed and paused.
  private func work(
    _ clients: [HistoryClient], _ server: ServerProcess, _ recorder: Recorder
  ) async throws {
    let rounds = operations / clients.count
    let faults = FaultThread(seed: seed, server: server)
    await withTaskGroup(of: Void.self) { group in
      for client in clients {
        group.addTask {
          var client = client
          for _ in 0..<rounds { await client.step() }
        }
      }
    }
    try await faults.end()
  }
}
