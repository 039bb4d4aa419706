#if os(Linux)
import SyncKitTesting
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A fault of a history with several servers.
struct FleetFault: Sendable {
  enum Kind: Int, CaseIterable, Sendable {
    case serverKilled, serverPaused, serverRestarted, serverHungUp, databaseRestarted
    case standbyPromoted
  }

  var kind: Kind
  /// When it began and when what was broken was whole again, in nanoseconds of the run.
  var start: UInt64
  var end: UInt64
  /// Where the epoch of a promoted standby begins.
  var epochStart: UInt64?
}

extension FleetFault.Kind: CustomStringConvertible {
  var description: String {
    switch self {
    case .serverKilled: "a server killed (SIGKILL)"
    case .serverPaused: "a server stopped (SIGSTOP, SIGCONT)"
    case .serverRestarted: "a server restarted (SIGTERM)"
    case .serverHungUp: "SIGHUP to a server"
    case .databaseRestarted: "database stopped at once, started"
    case .standbyPromoted: "primary killed, standby promoted"
    }
  }
}

/// Plays faults one after another, every kind once and then again in another order, until it is told to end.
final class FleetFaults: Sendable {
  private struct State {
    var isEnding = false
    var isOver = false
    var error: (any Error)?
    var played: [FleetFault] = []
    var waiting: CheckedContinuation<Void, Never>?
  }

  private let state = Mutex(State())
  private let recorder: Recorder

  /// Starts at once.
  init(seed: UInt64, fleet: Fleet, recorder: Recorder) {
    self.recorder = recorder
    OwnThread.run { [self] in
      var random = SeededRandom(seed: seed ^ 0x5EED)
      var deck: [FleetFault.Kind] = []
      while pause(UInt32.random(in: 300...900, using: &random)) {
        if deck.isEmpty { deck = FleetFault.Kind.allCases.shuffled(using: &random) }
        do {
          try play(deck.removeLast(), fleet, &random)
        } catch {
          state.withLock { $0.error = error }
          break
        }
      }
      state.withLock { state in
        state.isOver = true
        state.waiting?.resume()
        state.waiting = nil
      }
    }
  }

  /// Whether each kind was played, or none will be any more.
  var hasPlayedAll: Bool {
    state.withLock { $0.isOver || $0.played.count >= FleetFault.Kind.allCases.count }
  }

  /// Ends it and waits for its end.
  ///
  /// - Returns: What was played.
  /// - Throws: The error of what could not be started again.
  func end() async throws -> [FleetFault] {
    await withCheckedContinuation { continuation in
      state.withLock { state in
        state.isEnding = true
        if state.isOver { continuation.resume() } else { state.waiting = continuation }
      }
    }
    let (error, played) = state.withLock { ($0.error, $0.played) }
    if let error { throw error }
    return played
  }

  /// Waits; false when it has to end.
  private func pause(_ milliseconds: UInt32) -> Bool {
    for _ in 0..<milliseconds / 20 {
      if state.withLock(\.isEnding) { return false }
      usleep(20_000)
    }
    return true
  }

  private func play(
    _ kind: FleetFault.Kind, _ fleet: Fleet, _ random: inout SeededRandom
  ) throws {
    let server = Int.random(in: 0..<fleet.count, using: &random)
    let wait = UInt32.random(in: 100...1_000, using: &random)
    var fault = FleetFault(kind: kind, start: recorder.now, end: 0)
    switch kind {
    case .serverKilled: try fleet.restart(server, by: SIGKILL, after: wait)
    case .serverRestarted: try fleet.restart(server, by: SIGTERM, after: 0)
    case .serverHungUp: try fleet.hangUp(server)
    case .serverPaused:
      // Longer than a client waits, and longer than the database lets it hold a lock.
      let isLong = Int.random(in: 0..<4, using: &random) == 0
      fleet.pause(server, for: isLong ? 6_500 : 2 * wait)
    case .databaseRestarted: try fleet.restartDatabase(after: wait)
    case .standbyPromoted:
      fault.epochStart = try fleet.promote(cutOffFor: wait) { fault.start = recorder.now }.start
    }
    fault.end = recorder.now
    state.withLock { $0.played.append(fault) }
    // What follows is work of the host, which clients need not notice.
    if kind == .standbyPromoted { try fleet.follow() }
  }
}
#endif
