import LocalMachine
import ArgumentParser
import CloudSyncServerCommands
import CloudSyncWebCommands
import CommandFoundation
import SyncKitFormats
import Synchronization

@testable import CloudSyncCommands

/// A command line for a test, with its own home folder and nothing of the real one.
struct TestMachine: Sendable {
  let home: TemporaryFolder
  var environment: [String: String] = [:]
  var input = ""
  var isTerminal = false
  var columns: Int?
  let clock = Clock()

  init(configuration: String? = nil) throws {
    // Whatever a test looks at first, the process is `cloudsync` with its domains.
    _ = CommandProgram.current
    home = try TemporaryFolder()
    if let configuration { try home.write(configuration, to: Self.file) }
  }

  static let file = ".config/cloudsync/config.yaml"

  /// A clock that moves only on request.
  final class Clock: Sendable {
    private let time = Mutex<Int64>(0)
    var now: Int64 { time.withLock { $0 } }
    func advance(by milliseconds: Int64) { time.withLock { $0 += milliseconds } }
  }

  /// The outcome of a run.
  struct Outcome {
    var status: Int32
    var output: String
    var error: String

    /// Standard output as JSON, null if it is not JSON.
    var document: JSON { (try? JSON(parsing: output)) ?? .null }
    /// Standard error as JSON, null if it is not JSON.
    var failure: JSON { (try? JSON(parsing: error)) ?? .null }
  }

  /// The path of the user's configuration.
  var configuration: String { "\(home.path)/\(Self.file)" }

  func terminal() -> Terminal {
    let rest = Mutex(Array(input.utf8))
    var environment = environment
    if environment["HOME"] == nil { environment["HOME"] = home.path }
    let clock = clock
    return Terminal(
      output: ByteSink(), error: ByteSink(),
      read: {
        // A terminal gives a line at a time.
        rest.withLock { rest in
          let end = isTerminal ? rest.firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } : nil
          let piece = Array(rest[..<(end ?? rest.count)])
          rest.removeFirst(piece.count)
          return piece
        }
      },
      isInputTerminal: isTerminal, isOutputTerminal: isTerminal, isErrorTerminal: isTerminal,
      columns: columns, errorColumns: { [columns] in columns }, environment: environment,
      workingDirectory: home.path,
      recordedHome: { nil }, now: { clock.now },
      become: { path, _ in SystemError("start \(path) in a test", number: 1) })
  }

  /// Runs `cloudsync` with arguments; commands that it forwards to other programs run here as well.
  func run(_ arguments: String...) async -> Outcome { await run(arguments) }

  func run(_ arguments: [String]) async -> Outcome {
    let terminal = terminal()
    let leads = try? CommandWords(arguments, root: CloudSync.self).command
    let root: any ParsableCommand.Type =
      !(leads is any ForwardedCommand.Type)
      ? CloudSync.self
      : leads?._commandName == SeparateProgram.webCommand.name
        ? CloudSyncWeb.self : CloudSyncServer.self
    let status = await CommandRun(root).run(["cloudsync"] + arguments, on: terminal)
    return Outcome(status: status, output: terminal.output.text, error: terminal.error.text)
  }

  /// The context of a command.
  func context(_ arguments: String...) throws -> CommandContext { try context(arguments) }

  func context(_ arguments: [String]) throws -> CommandContext {
    try CommandContext(try GlobalOptions.parse(arguments), terminal())
  }

  func loader() throws -> ConfigLoader {
    var loader = try ConfigLoader(context().directoryRequest)
    loader.systemFile = "\(home.path)/etc/config.yaml"
    return loader
  }

  func load() throws -> ResolvedConfiguration { try loader().load() }
}
