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

/// `cloudsync-load`: asks much of a real server and says how it bore it.
@main
struct LoadCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cloudsync-load",
    abstract: "Asks much of a server and says how it bore it.",
    discussion: """
      poll      64 connections ask whether there is anything new, and there is nothing
      push      64 connections store segments of 10 changes, each durably
      streams   10,000 wait for news, then news come
      slow      1,000 slow clients beside others that are in a hurry
      uploads   12 devices bring 30 MB each at the same time
      soak      all of that mixed, with kills; only when it is named

      Measure with a release build of the server, and with nothing else on the machine.
      Exit status: 0; 1 when the server failed a request or lost something; with --strict also when \
      a goal was missed.
      """)

  @Argument(help: "What to try: poll, push, streams, slow, uploads, soak. All but soak by default.")
  var scenarios: [ScenarioName] = []
  @Option(help: ArgumentHelp("The cloudsync command whose server is tried.", valueName: "path"))
  var server: String?
  @Option(help: ArgumentHelp("A server that runs: http://HOST:PORT.", valueName: "url"))
  var url: String?
  @Option(
    help: ArgumentHelp("A token of that server with the scope manage; several.", valueName: "token")
  )
  var token: [String] = []
  @Option(
    help: ArgumentHelp("The process of that server, to look at its memory.", valueName: "pid"))
  var process: Int32?
  @Option(help: "How often poll, push and slow are measured.") var reps = 3
  @Option(help: "How long each measurement takes.") var seconds = 10
  @Option(help: "How many connections ask at once.") var connections = 64
  @Option(help: "How many event streams.") var streams = 10_000
  @Option(help: "How many slow clients.") var slow = 1_000
  @Option(help: "How long the soak takes.") var minutes = 20
  @Option(help: "The seed of the kills.") var seed: UInt64 = 1
  @Flag(help: "Print JSON.") var json = false
  @Flag(help: "Fail when a goal is missed.") var strict = false

  func validate() throws {
    guard (server == nil) != (url == nil) else {
      throw ValidationError("give either --server or --url")
    }
    guard url == nil || !token.isEmpty else { throw ValidationError("--url needs --token") }
    guard url == nil || !scenarios.contains(.soak) else {
      throw ValidationError("only a server of one's own is killed: soak needs --server")
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
    return try LoadTarget(at: url ?? "", tokens: token, process: process)
  }

  /// As many connections as the system lets one process have.
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

/// What can be tried, as the command line says it.
enum ScenarioName: String, CaseIterable, ExpressibleByArgument {
  case poll, push, streams, slow, uploads, soak

  /// What takes minutes and not long.
  static let quick: [ScenarioName] = [.poll, .push, .streams, .slow, .uploads]

  var scenario: any Scenario {
    switch self {
    case .poll: PollScenario()
    case .push: PushScenario()
    case .streams: StreamScenario()
    case .slow: SlowClientScenario()
    case .uploads: UploadScenario()
    case .soak: SoakScenario()
    }
  }
}

/// One thing that a server is asked to bear.
protocol Scenario: Sendable {
  /// Asks it of the target, and adds what came out to the report.
  func run(_ target: LoadTarget, _ load: inout Load) async throws
}

/// How much is asked, and what came out so far.
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
