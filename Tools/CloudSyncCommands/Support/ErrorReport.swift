import ArgumentParser
import Formats
import SyncKit

/// Prints what went wrong, for people or for programs, and says the exit status.
struct ErrorReport {
  private let terminal: Terminal
  /// Whether programs read along, so that the error is one object.
  private let isJSON: Bool
  private let paint: Paint

  /// Prepares for a command line that may not even be understood.
  ///
  /// - Parameters:
  ///   - words: The raw words, which are only looked over for the form that is asked for.
  ///   - terminal: Where to print.
  init(_ words: [String], _ terminal: Terminal) {
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
  func print(_ error: any Error) -> Int32 {
    let error = Self.described(error)
    terminal.output.flush()
    if isJSON {
      terminal.error.write(JSON.object(Self.document(of: error)).text() + "\n")
    } else {
      terminal.error.write(text(of: error))
    }
    return error.code.exit
  }

  /// The error as ``SyncError``; one that nobody foresaw is a plain failure.
  static func described(_ error: any Error) -> SyncError {
    switch error {
    case let error as SyncError: error
    case let error as SystemError: SyncError(error)
    case let problem as ConfigProblem: .invalidConfiguration([problem])
    default: SyncError(.failure, "\(error)", isSafe: false)
    }
  }

  /// The error as a document.
  static func document(of error: SyncError) -> JSONObject {
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

  private func text(of error: SyncError) -> String {
    var text = "\(paint("cloudsync:", .bad)) \(Sanitized.block(error.message))\n"
    if let cause = error.cause { text += "  cause: \(Sanitized.line(cause))\n" }
    if let hint = error.hint { text += "  hint: \(Sanitized.block(hint))\n" }
    return text
  }
}

extension SyncError {
  /// A complaint of the parser.
  ///
  /// - Parameters:
  ///   - message: What it says in one sentence, a suggestion included.
  ///   - full: The same with the usage, from which the way to the help page is taken.
  /// - Returns: The error to throw.
  static func usage(_ message: String, full: String) -> SyncError {
    let line = full.split(separator: "\n").last { $0.contains("--help'") }
    let command = line?.split(separator: "'").dropFirst().first
    let help = command.map { "see '\($0)'" }
    let question = ". Did you mean "
    guard let place = message.firstRange(of: question) else {
      return SyncError(.usage, message, hint: help)
    }
    let guess = "did you mean \(message[place.upperBound...])"
    return SyncError(
      .usage, String(message[..<place.lowerBound]), hint: help.map { "\(guess) \($0)" } ?? guess)
  }
}
