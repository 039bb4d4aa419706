import LocalMachine
import ArgumentParser
import SyncKitFormats
import SyncKit

/// Prints what went wrong, for people or for programs, and says the exit status.
package struct ErrorReport {
  private let terminal: Terminal
  /// Whether programs read along, so that the error is one object.
  private let isJSON: Bool
  private let paint: Paint

  /// Prepares for a command line that may not even be understood.
  ///
  /// - Parameters:
  ///   - words: The raw words, which are only looked over for the form that is asked for.
  ///   - terminal: Where to print.
  package init(_ words: [String], _ terminal: Terminal) {
    let raw = RawOptions(words, terminal.environment)
    self.terminal = terminal
    isJSON = raw.wantsJSON
    paint = Paint(
      isOn: ColorChoice.usesColor(
        option: raw.color, environment: terminal.environment, isTerminal: terminal.isErrorTerminal))
  }

  /// Prints an error to standard error.
  ///
  /// - Returns: The exit status that goes with it.
  package func print(_ error: any Error) -> Int32 {
    let error = Self.described(error)
    terminal.output.flush()
    if isJSON {
      terminal.error.write(JSON.object(Self.document(of: error)).text() + "\n")
    } else {
      terminal.error.write(text(of: error))
    }
    return error.code.exit
  }

  /// The error as ``SyncError``; an unforeseen one is a plain failure.
  ///
  /// A bug comes with the way to report it, which the place that finds it does not know.
  package static func described(_ error: any Error) -> SyncError {
    var error = known(error)
    if error.code.exit == SyncError.Code.bug.exit {
      let report =
        "please report it: 'cloudsync diagnose' makes a support bundle without private data"
      // Told already where a command has described it in its document.
      if error.hint?.hasSuffix(report) != true {
        error.hint = error.hint.map { "\($0)\n\(report)" } ?? report
      }
    }
    error.message = Program.words(error.message)
    error.hint = error.hint.map(Program.words)
    return error
  }

  private static func known(_ error: any Error) -> SyncError {
    switch error {
    case let error as SyncError: error
    case let error as SystemError: SyncError(error)
    case let problem as ConfigProblem: .invalidConfiguration([problem])
    default: unforeseen(error)
    }
  }

  /// An error that the program does not know.
  ///
  /// What a library says of it is for its developers, and stays out; its kind is enough to find the cause.
  private static func unforeseen(_ error: any Error) -> SyncError {
    let kind = String(reflecting: type(of: error))
    let module = kind.prefix { $0 != "." }
    guard !libraries.contains(where: { module.hasPrefix($0) }) else {
      return SyncError(
        .failure, "an unexpected error occurred",
        hint:
          "try again; if it happens again, please report it: 'cloudsync diagnose' makes a support bundle",
        isSafe: false)
    }
    return SyncError(.failure, "\(error)", isSafe: false)
  }

  /// How the names of modules begin that are not ours.
  private static let libraries = [
    "NIO", "AsyncHTTPClient", "Hummingbird", "HTTPTypes", "Crypto", "X509", "SwiftASN1",
    "Foundation",
    "ServiceLifecycle", "Swift", "Network", "_",
  ]

  /// The error as a document.
  package static func document(of error: SyncError) -> JSONObject {
    var document: JSONObject = [
      "schema": "cloudsync.error/1",
      "code": .string(error.code.name),
      "exit": .int(Int64(error.code.exit)),
      "message": .string(error.message),
      "hint": error.hint.map { .string($0) } ?? .null,
      "retryable": .bool(error.code.isRetryable),
      "safe": .bool(error.isSafe),
    ]
    if let cause = error.cause { document["cause"] = .string(cause) }
    return document
  }

  /// The error as a part of another document, which has a name of its own.
  package static func part(of error: SyncError) -> JSON {
    var document = document(of: error)
    document["schema"] = nil
    return .object(document)
  }

  private func text(of error: SyncError) -> String {
    var text = "\(paint("\(Program.current.name):", .bad)) \(Sanitized.block(error.message))\n"
    if let cause = error.cause { text += "  cause: \(Sanitized.line(cause))\n" }
    if let hint = error.hint { text += "  hint: \(Sanitized.block(hint))\n" }
    return text
  }
}

extension SyncError {
  /// What failed and why, in one sentence: for places that have no line of their own for the cause.
  package var sentence: String {
    guard let cause, !message.contains(cause) else { return message }
    return message.hasSuffix(".") ? "\(message.dropLast()): \(cause)" : "\(message) (\(cause))"
  }

  /// A complaint of the parser.
  ///
  /// - Parameters:
  ///   - message: What it says in one sentence, a suggestion included.
  ///   - full: The same with the usage, from which the way to the help page is taken.
  /// - Returns: The error to throw.
  package static func usage(_ message: String, full: String) -> SyncError {
    let line = full.split(separator: "\n").last { $0.contains("--help'") }
    let command = line?.split(separator: "'").dropFirst().first
    let help = command.map { "see '\($0)'" }
    let question = ". Did you mean "
    guard let place = message.firstRange(of: question) else {
      guard let guess = guess(message) else { return SyncError(.usage, message, hint: help) }
      return SyncError(.usage, message, hint: help.map { "\(guess) \($0)" } ?? guess)
    }
    let guess = "did you mean \(message[place.upperBound...])"
    return SyncError(
      .usage, String(message[..<place.lowerBound]), hint: help.map { "\(guess) \($0)" } ?? guess)
  }
  /// The value that was meant, of those that the parser lists after one that it does not know; or the
  /// global option, which it does not know before a command.
  private static func guess(_ message: String) -> String? {
    let words = message.split(separator: "'", omittingEmptySubsequences: false).map(String.init)
    if message.hasPrefix("The value '"), let list = message.firstRange(of: "Please provide one of ")
    {
      let known = message[list.upperBound...].split(
        separator: "'", omittingEmptySubsequences: false)
      let values = known.enumerated().filter { $0.offset % 2 == 1 }.map { String($0.element) }
      return NearestName.hint(for: words[1], among: values)
    }
    if message.hasPrefix("The value '"), message.hasSuffix("<time>'") {
      return "a time is \(TimeArgument.forms);"
    }
    guard message.hasPrefix("Unknown option '--"), words.count == 3 else { return nil }
    return NearestName.hint(for: words[1], among: CommandWords.globalOptions)
  }
}
