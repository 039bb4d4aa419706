import ArgumentParser
import SyncKit

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
    abstract: "Run the server under kills, pauses and a bad network, and check what clients see.")

  @Option(help: "The path of the cloudsync program to test.") var server: String
  @Option(help: "The first seed.") var seed: UInt64 = 1
  @Option(help: "The number of histories.") var histories: UInt64 = 20
  @Option(help: "The approximate number of calls in each.") var operations = 2_000

  func run() async throws {
    var calls = 0
    var failures = 0
    for seed in seed..<seed + histories {
      var template = Array("/tmp/cloudsync-histories-XXXXXX".utf8CString)
      guard let made = mkdtemp(&template) else {
        throw SyncError(.failure, "Could not create a folder for temporary files.")
      }
      let folder = String(cString: made)
      let run = HistoryRun(
        program: server, folder: "\(folder)/data", seed: seed, operations: operations)
      let outcome = try await run.run()
      calls += outcome.calls
      print(
        "seed \(seed): \(outcome.calls) calls, \(outcome.unknown) without an answer,"
          + " \(outcome.starts - 1) restarts, \(outcome.violations.count) violations")
      for violation in outcome.violations.prefix(20) { print("  \(violation)") }
      // A run that is cut off has printed everything before it.
      fflush(nil)
      if outcome.violations.isEmpty {
        try Self.remove(folder)
      } else {
        print("  the server's data is in \(folder)")
        failures += 1
      }
    }
    print("\(histories) histories, \(calls) calls, \(failures) wrong")
    if failures > 0 { throw ExitCode(1) }
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
