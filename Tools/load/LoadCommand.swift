import ArgumentParser
import SyncKitFormats
import RealServer
import SyncKit

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// `cloudsync-load`: puts a real server under load and reports how it coped.
@main
struct LoadCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cloudsync-load",
    abstract: "Put a server under load and report how it coped.",
    discussion: """
      poll      64 connections ask for changes, and there are none
      push      64 connections store segments of 10 changes, each durably
      mixed     64 connections: of ten requests eight ask, one stores, one fetches
      streams   10,000 streams wait for changes, then some arrive
      slow      1,000 slow clients alongside fast ones
      uploads   12 devices upload 30 MB each at the same time
      soak      a mix of all, with kills; only when named

      Measure a release build of the server, on an otherwise idle machine.
      Exit status: 0; 1 if the server failed a request or lost data; with --strict also if \
      a goal was missed.
      """)

  @Argument(
    help: "The scenarios: poll, push, mixed, streams, slow, uploads, soak. By default all but soak."
  )
  var scenarios: [ScenarioName] = []
  @Option(help: ArgumentHelp("The path of the cloudsync program to test.", valueName: "path"))
  var server: String?
  @Option(
    help: ArgumentHelp(
      "A running server, http://HOST:PORT; repeatable for servers of one database.",
      valueName: "url"))
  var url: [String] = []
  @Option(
    help: ArgumentHelp(
      "A token of that server with the scope manage; repeatable.", valueName: "token")
  )
  var token: [String] = []
  @Option(
    help: ArgumentHelp("The process of that server, to measure its memory.", valueName: "pid"))
  var process: Int32?
  @Option(help: "How many times to measure poll, push and slow.") var reps = 3
  @Option(help: "How long each measurement takes.") var seconds = 10
  @Option(help: "The number of concurrent connections.") var connections = 64
  @Option(help: "The number of event streams.") var streams = 10_000
  @Option(help: "The number of slow clients.") var slow = 1_000
  @Option(help: "How long the soak takes.") var minutes = 20
  @Option(help: "The seed of the kills.") var seed: UInt64 = 1
  @Flag(help: "Print JSON.") var json = false
  @Flag(help: "Fail if a goal is missed.") var strict = false

  func validate() throws {
    guard (server == nil) != url.isEmpty else {
      throw ValidationError("give either --server or --url")
    }
    guard url.isEmpty || !token.isEmpty else { throw ValidationError("--url needs --token") }
    guard url.isEmpty || !scenarios.contains(.soak) else {
      throw ValidationError("soak kills its server, so it needs --server")
    }
  }

  func run() async throws {
    Self.raiseFileLimit()
    var load = Load(
      seconds: seconds, repetitions: reps, connections: connections, streams: streams, slow: slow,
      minutes: minutes, seed: seed)
    let names = scenarios.isEmpty ? ScenarioName.quick : scenarios
    for name in names {
      let target = try target()
      do {
        try await name.scenario.run(target, &load)
      } catch {
        target.close()
        throw error
      }
      target.close()
    }
    print(json ? load.report.json.text(pretty: true) : load.report.table)
    if load.report.failures > 0 || strict && load.report.misses > 0 { throw ExitCode(1) }
  }

  private func target() throws -> LoadTarget {
    if let server { return try LoadTarget(starting: server, accounts: 25) }
    return try LoadTarget(at: url, tokens: token, process: process)
  }

  /// Allows as many connections as one process may have.
  private static func raiseFileLimit() {
    var limit = rlimit()
    #if canImport(Glibc)
    let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
    let kind = RLIMIT_NOFILE
    #endif
    guard getrlimit(kind, &limit) == 0, limit.rlim_cur < limit.rlim_max else { return }
    limit.rlim_cur = limit.rlim_max
    setrlimit(kind, &limit)
  }
}

/// The scenarios, as named on the command line.
enum ScenarioName: String, CaseIterable, ExpressibleByArgument {
  case poll, push, mixed, streams, slow, uploads, soak

  /// The scenarios that take minutes, not longer.
  static let quick: [ScenarioName] = [.poll, .push, .mixed, .streams, .slow, .uploads]

  var scenario: any Scenario {
    switch self {
    case .poll: PollScenario()
    case .push: PushScenario()
    case .mixed: MixedScenario()
    case .streams: StreamScenario()
    case .slow: SlowClientScenario()
    case .uploads: UploadScenario()
    case .soak: SoakScenario()
    }
  }
}

/// One scenario for a server.
protocol Scenario: Sendable {
  /// Runs it on the target, and adds the results to the report.
  func run(_ target: LoadTarget, _ load: inout Load) async throws
}

/// The size of the load, and the results so far.
struct Load {
  var seconds: Int
  var repetitions: Int
  var connections: Int
  var streams: Int
  var slow: Int
  var minutes: Int
  var seed: UInt64
  var report = LoadReport()
}
