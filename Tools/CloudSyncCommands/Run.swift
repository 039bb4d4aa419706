import ArgumentParser
import SyncKit

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Runs the command line as a process of its own: the one thing the executable does.
///
/// - Parameter arguments: All of them, the program's name first.
/// - Returns: The exit status; see `cloudsync help exit-codes`.
public func run(arguments: [String]) async -> Int32 {
  // Scripts ask this often, and the answer needs nothing of what follows.
  if arguments.count == 2, arguments[1] == "--version" { return Version.print() }
  StandardStreams.secure()
  Signals.install()
  return await run(arguments, on: .process())
}

/// Runs one command line, reading and writing only through a terminal.
///
/// - Parameters:
///   - arguments: All of them, the program's name first.
///   - terminal: The outside world.
/// - Returns: The exit status.
func run(_ arguments: [String], on terminal: Terminal) async -> Int32 {
  let words = Array(arguments.dropFirst())
  let report = ErrorReport(words, terminal)
  var status: Int32
  do {
    status = try await perform(words, on: terminal)
  } catch {
    status = report.print(error)
  }
  terminal.output.flush()
  if status == 0, let failure = terminal.output.failure {
    status = report.print(
      SyncError(.outputFailed, SystemError("write the output", number: failure).description))
  }
  return status
}

private func perform(_ words: [String], on terminal: Terminal) async throws -> Int32 {
  let words = try CommandWords(words, root: CloudSync.self).arranged
  let command: any ParsableCommand
  do {
    command = try await CloudSync.asyncParseAsRoot(words)
  } catch {
    return try printed(error, on: terminal)
  }
  do {
    if let command = command as? any ContextCommand {
      try await command.run(try CommandContext(command.global, terminal))
    } else if var command = command as? any AsyncParsableCommand {
      try await command.run()
    } else {
      var command = command
      try command.run()
    }
    return 0
  } catch let code as ExitCode {
    return code.rawValue
  } catch let error as SyncError {
    throw error
  } catch {
    guard CloudSync.exitCode(for: error) != .failure else { throw error }
    return try printed(error, on: terminal)
  }
}

/// Prints what the parser has to say when that is an answer (help, version, a completion script).
///
/// - Throws: ``SyncError`` `usage` when it is a complaint.
private func printed(_ error: any Error, on terminal: Terminal) throws -> Int32 {
  guard CloudSync.exitCode(for: error) == .success else {
    throw SyncError.usage(CloudSync.message(for: error), full: CloudSync.fullMessage(for: error))
  }
  terminal.output.write(CloudSync.fullMessage(for: error, columns: terminal.columns ?? 80) + "\n")
  return 0
}
