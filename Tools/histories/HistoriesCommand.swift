import ArgumentParser
import HistoryChecks
import SyncKit

#if os(Linux)
import RealPlaces
#endif

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// `cloudsync-histories`: runs the real server under faults and checks what its clients see.
@main
struct HistoriesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cloudsync-histories",
    abstract: "Run the server under kills, pauses and a bad network, and check what clients see.",
    discussion: """
      With --servers, several servers share one PostgreSQL that has a standby, behind HAProxy; Tools/peers installs \
      both. Servers are killed, stopped and restarted, the database is stopped and started, and the standby is promoted.
      """)

  @Option(help: "The path of the cloudsync program to test.") var server: String
  @Option(help: "The first seed.") var seed: UInt64 = 1
  @Option(help: "The number of histories.") var histories: UInt64 = 20
  @Option(help: "The approximate number of calls in each.") var operations = 2_000
  @Option(help: "How many servers share one PostgreSQL; without it, one server has a folder.")
  var servers: Int?
  @Option(
    help: """
      How the standby of that PostgreSQL follows: 'synchronous' must lose nothing; of 'asynchronous', what is lost is \
      counted, and clients must be told and heal it.
      """)
  var standby = "synchronous"
  @Flag(help: "Print each fault of the histories with several servers.") var verbose = false

  func validate() throws {
    guard ["synchronous", "asynchronous"].contains(standby) else {
      throw ValidationError("--standby is 'synchronous' or 'asynchronous'")
    }
    if let servers, !(1...20).contains(servers) {
      throw ValidationError("--servers takes a number from 1 to 20")
    }
  }

  func run() async throws {
    let server = try Self.program(server)
    if let servers { return try await runFleets(servers, of: server) }
    var calls = 0
    var failures = 0
    for seed in seed..<seed + histories {
      let folder = try Self.folder()
      let run = HistoryRun(
        program: server, folder: "\(folder)/data", seed: seed, operations: operations)
      let outcome = try await run.run()
      calls += outcome.calls
      print(
        "seed \(seed): \(outcome.calls) calls, \(outcome.unknown) without an answer,"
          + " \(outcome.starts - 1) restarts, \(outcome.violations.count) violations")
      if try Self.conclude(outcome.violations, folder) { failures += 1 }
    }
    print("\(histories) histories, \(calls) calls, \(failures) wrong")
    if failures > 0 { throw ExitCode(1) }
  }

  private func runFleets(_ servers: Int, of server: String) async throws {
    #if os(Linux)
    guard let standby = Fleet.Standby(rawValue: standby) else { throw ExitCode(64) }
    var table = RecoveryTable()
    var (calls, failures, lost, unexplained) = (0, 0, 0, 0)
    for seed in seed..<seed + histories {
      let folder = try Self.folder()
      PlaceGuard.add(folder: folder)
      let outcome = try await FleetRun(
        program: server, folder: folder, seed: seed, operations: operations, servers: servers,
        standby: standby
      ).run()
      let seen = outcome.seen
      calls += seen.calls
      lost += outcome.lost
      unexplained += outcome.recovery.unexplained
      table.add(outcome.faults, outcome.recovery)
      print(
        "seed \(seed): \(seen.calls) calls, \(seen.unknown) without an answer,"
          + " \(outcome.faults.count) faults, \(seen.epochs.count) epochs,"
          + " \(seen.beginnings) readings from the start, \(outcome.lost) lost,"
          + " \(outcome.violations.count) violations")
      if verbose {
        for (index, fault) in outcome.faults.enumerated() {
          print(
            "  at \(RecoveryTable.seconds(fault.start)), until \(RecoveryTable.seconds(fault.end)):"
              + " \(fault.kind); without an answer for"
              + " \(outcome.recovery.spans[index].map(RecoveryTable.seconds) ?? "-"), slowest"
              + " \(RecoveryTable.seconds(outcome.recovery.waits[index]))")
        }
      }
      if try Self.conclude(outcome.violations, folder) { failures += 1 }
      PlaceGuard.remove(folder: folder)
    }
    print("\nHow long a client without a bad network was without an answer:")
    for line in table.lines { print(line) }
    print("\n\(unexplained) times without an answer although no fault explains it")
    print(
      "\(histories) histories, \(calls) calls, \(lost) acknowledged segments lost by a failover,"
        + " \(failures) wrong")
    if failures > 0 { throw ExitCode(1) }
    #else
    throw SyncError(.failure, "--servers needs Linux.")
    #endif
  }

  /// The absolute path of a program: servers run in folders of their own.
  private static func program(_ path: String) throws -> String {
    guard access(path, X_OK) == 0, let resolved = realpath(path, nil) else {
      throw SyncError(
        .failure, "There is no program at \(path).",
        hint: "Give --server the path of a built server.")
    }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// A new folder for temporary files.
  private static func folder() throws -> String {
    var template = Array("/tmp/cloudsync-histories-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else {
      throw SyncError(.failure, "Could not create a folder for temporary files.")
    }
    return String(cString: made)
  }

  /// Prints the violations of a history; without any, removes its folder.
  ///
  /// - Returns: Whether it is wrong.
  private static func conclude(_ violations: [Violation], _ folder: String) throws -> Bool {
    for violation in violations.prefix(20) { print("  \(violation)") }
    if violations.isEmpty {
      try remove(folder)
    } else {
      print("  what the server has left is in \(folder)")
    }
    // A run that is cut off has printed everything before it.
    fflush(nil)
    return !violations.isEmpty
  }

  private static func remove(_ folder: String) throws {
    guard let handle = opendir(folder) else { return }
    defer { closedir(handle) }
    while let entry = readdir(handle) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      guard name != ".", name != ".." else { continue }
      let path = "\(folder)/\(name)"
      if unlink(path) != 0 { try remove(path) }
    }
    rmdir(folder)
  }
}
