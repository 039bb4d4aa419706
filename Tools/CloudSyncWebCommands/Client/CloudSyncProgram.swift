import CommandFoundation
import LocalMachine
import Subprocess
import SyncKit
import SyncKitFormats
import SyncKitText

#if canImport(System)
import System
#else
import SystemPackage
#endif

/// The program `cloudsync`, which does what a page asks for.
///
/// Each call is a process of its own, so that a page has the rules, the warnings and the exit codes of the command, and
/// what goes wrong in it harms no other page.
struct CloudSyncProgram: Sendable {
  private let path: String
  private let options: [String]
  private let home: String?
  /// The time in milliseconds since 1970.
  let now: @Sendable () -> Int64
  /// The longest document that is taken.
  private static let longest = 64 << 20

  /// Looks for the program; every call gets the options besides its own words.
  ///
  /// - Throws: ``SyncError`` `program.missing`.
  init(_ terminal: Terminal, options: [String]) throws {
    guard let path = SeparateProgram.client.path(beside: ProgramPath.current, terminal.environment)
    else {
      throw SyncError(
        .programMissing, "The page needs the program cloudsync, which is not installed.",
        hint: "Install its package, or put it next to cloudsync-web or into a folder of PATH.")
    }
    self.path = path
    self.options = options
    home = terminal.environment["HOME"]
    now = terminal.now
  }

  /// Runs a command that prints a document.
  ///
  /// - Parameters:
  ///   - words: The command and its arguments.
  ///   - names: Arguments that come from a person and may begin with a dash.
  ///   - input: Its standard input.
  /// - Returns: What it has printed, also where it has failed.
  /// - Throws: ``WebFailure`` when it cannot be started or prints no end.
  func run(
    _ words: [String], names: [String] = [], input: [UInt8] = []
  ) async throws -> CommandOutcome {
    do {
      let result = try await Subprocess.run(
        .path(FilePath(path)), arguments: [InputWords.option],
        input: .array(call(words, names) + input),
        output: .bytes(limit: Self.longest), error: .string(limit: 1 << 20))
      return CommandOutcome(
        status: Self.status(result.terminationStatus), output: result.standardOutput,
        messages: result.standardError)
    } catch let error as SubprocessError {
      throw WebFailure(error)
    }
  }

  /// Runs a command that prints something of any length.
  ///
  /// - Parameters:
  ///   - words: The command and its arguments.
  ///   - names: Arguments that come from a person and may begin with a dash.
  ///   - file: Where it goes; nothing is there before, and only this person can read it.
  /// - Returns: How it has ended, without what it has printed.
  /// - Throws: ``WebFailure`` when it cannot be started, and what the system says of the file.
  func run(_ words: [String], names: [String] = [], to file: String) async throws -> CommandOutcome
  {
    let descriptor = try FileDescriptor.open(
      FilePath(file), .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec],
      permissions: .ownerReadWrite)
    do {
      let result = try await Subprocess.run(
        .path(FilePath(path)), arguments: [InputWords.option],
        input: .array(call(words, names)),
        output: .fileDescriptor(descriptor, closeAfterSpawningProcess: true),
        error: .string(limit: 1 << 20))
      return CommandOutcome(
        status: Self.status(result.terminationStatus), output: [], messages: result.standardError)
    } catch let error as SubprocessError {
      throw WebFailure(error)
    }
  }

  /// A path of the configuration, which may begin with `~/`.
  func expanded(_ path: String) -> String {
    guard path.hasPrefix("~/"), let home else { return path }
    return LocalFolder.path(home, String(path.dropFirst(2)))
  }

  /// A command line for the standard input of the program, where other users do not see it.
  private func call(_ words: [String], _ names: [String]) -> [UInt8] {
    InputWords.bytes(
      words + options + ["--json", "--no-input"] + (names.isEmpty ? [] : ["--"] + names))
  }

  private static func status(_ status: TerminationStatus) -> Int32 {
    switch status {
    case .exited(let code): Int32(code)
    case .signaled(let number): 128 + Int32(number)
    }
  }
}

/// How a command has ended.
struct CommandOutcome: Sendable {
  let status: Int32
  let output: [UInt8]
  /// What it has printed for people, or the document of its error.
  let messages: String

  /// The document that it has printed.
  var document: JSON? { try? JSON(parsing: output) }

  /// What it says of its failure; nil if it has succeeded.
  var failure: CommandFailure? {
    guard status != 0 else { return nil }
    for line in messages.split(separator: "\n").reversed() where line.hasPrefix("{") {
      if let error = try? JSON(parsing: String(line)), let message = error["message"]?.string {
        return CommandFailure(
          code: error["code"]?.string ?? "", message: message, hint: error["hint"]?.string)
      }
    }
    return CommandFailure(code: "", message: messages, hint: nil)
  }
}

/// Why a command has failed, in its own words.
struct CommandFailure: Error {
  let code: String
  let message: String
  let hint: String?
}

extension WebFailure {
  /// A program that could not be run to its end.
  fileprivate init(_ error: SubprocessError) {
    if error.code == .outputLimitExceeded {
      self.init(500, .tooLong)
    } else {
      self.init(500, "cloudsync could not be run: \(error)")
    }
  }
}
