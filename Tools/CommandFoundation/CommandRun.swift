import LocalMachine
import ArgumentParser
import SyncKitFormats
import SyncKit

/// Runs the command lines of a program, whose commands are a tree.
package struct CommandRun {
  private let root: any ParsableCommand.Type

  /// Takes the root of the tree.
  package init(_ root: any ParsableCommand.Type) { self.root = root }

  /// Runs the command line of this process.
  ///
  /// - Parameter arguments: All of them, the program's name first.
  /// - Returns: The exit status; see `cloudsync help exit-codes`.
  @MainActor package func process(_ arguments: [String]) async -> Int32 {
    StandardStreams.secure()
    Signals.install()
    let terminal = Terminal.process()
    do {
      return await run(try InputWords.resolved(arguments), on: terminal)
    } catch {
      return ErrorReport([], terminal).print(error)
    }
  }

  /// Runs one command line, reading and writing only through a terminal.
  ///
  /// - Parameters:
  ///   - arguments: All of them, the program's name first.
  ///   - terminal: The outside world.
  /// - Returns: The exit status.
  @MainActor package func run(_ arguments: [String], on terminal: Terminal) async -> Int32 {
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

  /// Prints the help page of a command, or becomes the program that has it.
  ///
  /// - Parameters:
  ///   - words: The words that lead to the command.
  ///   - terminal: Where to print.
  ///   - isJSON: Whether to print the page as a document for programs.
  /// - Throws: ``SyncError`` `usage` for a name that no command has, and what ``ForwardedCommand`` throws.
  package func printHelp(of words: [String], on terminal: Terminal, isJSON: Bool) throws {
    let found = try CommandWords(words, root: root)
    if let other = found.command as? any ForwardedCommand.Type {
      try other.forward(words + ["--help"] + (isJSON ? ["--json"] : []), on: terminal)
    }
    try printHelp(of: found, on: terminal, isJSON: isJSON)
  }

  private func printHelp(of words: CommandWords, on terminal: Terminal, isJSON: Bool) throws {
    let command = words.command
    if isJSON {
      let document = try CommandDocument(command, at: [root._commandName] + words.names)
      terminal.output.write(JSON.object(document.keys).text() + "\n")
      return
    }
    terminal.output.write(root.helpMessage(for: command, columns: terminal.columns ?? 80) + "\n")
  }

  @MainActor private func perform(_ given: [String], on terminal: Terminal) async throws -> Int32 {
    switch given.first {
    case Completion.request?: return try complete(given, on: terminal)
    case "--generate-completion-script"? where given.count == 2:
      guard let shell = CompletionScript.Shell(rawValue: given[1]) else { break }
      terminal.output.write(CompletionScript(shell, for: root._commandName).text)
      return 0
    default: break
    }
    let words = try CommandWords(given, root: root)
    if let other = words.command as? any ForwardedCommand.Type {
      try other.forward(given, on: terminal)
    }
    if words.wantsHelp {
      // A parser built for debugging checks the whole tree before it says as much.
      try printHelp(of: words, on: terminal, isJSON: RawOptions(given, [:]).wantsJSON)
      return 0
    }
    do {
      if let command = try parsed(words) as? any ContextCommand {
        try await command.run(try CommandContext(command.global, terminal))
      } else {
        // All that is left are the parser's own: a help page, a version, a completion script.
        var command = try root.parseAsRoot(words.arranged)
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

  /// Tells the script of a shell what fits; for a command of another program, that program does.
  private func complete(_ given: [String], on terminal: Terminal) throws -> Int32 {
    let words = Array(given.dropFirst())
    let line = try? CommandWords(Array(words.dropLast()), root: root)
    if let other = line?.command as? any ForwardedCommand.Type {
      try other.forward(given, on: terminal)
    }
    terminal.output.write(Completion(words, root: root).text)
    return 0
  }

  /// The command with its options.
  ///
  /// Its own parser takes half the time of the whole tree's, which reads the words once for each level on
  /// the way down; the tree knows better how to say what is wrong, and is asked when something is.
  private func parsed(_ words: CommandWords) throws -> any ParsableCommand {
    let command = try? words.command.parseAsRoot(words.ownWords)
    if let command, type(of: command) == words.command { return command }
    return try root.parseAsRoot(words.arranged)
  }

  /// Prints what the parser has to say when that is an answer (help, version, a completion script).
  ///
  /// - Throws: ``SyncError`` `usage` when it is a complaint, and errors of other kinds.
  private func printed(_ error: any Error, on terminal: Terminal) throws -> Int32 {
    switch root.exitCode(for: error) {
    case .success: break
    case .validationFailure:
      throw SyncError.usage(root.message(for: error), full: root.fullMessage(for: error))
    default: throw error
    }
    terminal.output.write(root.fullMessage(for: error, columns: terminal.columns ?? 80) + "\n")
    return 0
  }
}

/// A command of another program, which gets the same words.
package protocol ForwardedCommand: ParsableCommand {
  /// Becomes that program.
  ///
  /// - Throws: ``SyncError`` when it is not there.
  static func forward(_ words: [String], on terminal: Terminal) throws -> Never
}

extension SyncError.Code {
  /// Standard output could not be written, though its reader had not gone.
  package static let outputFailed = Self("output.failed", exit: 74)
}
