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
@MainActor public func run(arguments: [String]) async -> Int32 {
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
@MainActor func run(_ arguments: [String], on terminal: Terminal) async -> Int32 {
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

@MainActor private func perform(_ words: [String], on terminal: Terminal) async throws -> Int32 {
  let words = try CommandWords(words, root: CloudSync.self)
  if words.wantsHelp {
    // A parser built for debugging checks the whole tree before it says as much.
    terminal.printHelp(of: words.command)
    return 0
  }
  do {
    if let command = try parsed(words) as? any ContextCommand {
      try await command.run(try CommandContext(command.global, terminal))
    } else {
      // All that is left are the parser's own: a help page, a version, a completion script.
      var command = try CloudSync.parseAsRoot(words.arranged)
      try command.run()
    }
    return 0
  } catch let code as ExitCode {
    return code.rawValue
  } catch let error as SyncError {
    throw error
  } catch {
    return try printed(error, on: terminal)
  }
}

/// The command with its options.
///
/// Its own parser takes half the time of the whole tree's, which reads the words once for each level on
/// the way down; the tree knows better how to say what is wrong, and is asked when something is.
private func parsed(_ words: CommandWords) throws -> any ParsableCommand {
  let command = try? words.command.parseAsRoot(words.ownWords)
  if let command, type(of: command) == words.command { return command }
  return try CloudSync.parseAsRoot(words.arranged)
}

/// Prints what the parser has to say when that is an answer (help, version, a completion script).
///
/// - Throws: ``SyncError`` `usage` when it is a complaint, and what is none of its own.
private func printed(_ error: any Error, on terminal: Terminal) throws -> Int32 {
  switch CloudSync.exitCode(for: error) {
  case .success: break
  case .validationFailure:
    throw SyncError.usage(CloudSync.message(for: error), full: CloudSync.fullMessage(for: error))
  default: throw error
  }
  terminal.output.write(CloudSync.fullMessage(for: error, columns: terminal.columns ?? 80) + "\n")
  return 0
}
