import ArgumentParser
import Formats
import SyncKit

/// Prints what went wrong, for people or for programs, and says the exit status.
struct ErrorReport {
  var terminal: Terminal
  /// Whether programs read along, so that the error is one object.
  var isJSON: Bool

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
    let paint = Paint(
      isOn: ColorChoice.usesColor(
        option: nil, environment: terminal.environment, isTerminal: terminal.isErrorTerminal))
    var text = "\(paint("cloudsync:", .bad)) \(Sanitized.block(error.message))\n"
    if let cause = error.cause { text += "  cause: \(Sanitized.line(cause))\n" }
    if let hint = error.hint { text += "  hint: \(Sanitized.block(hint))\n" }
    return text
  }
}

extension ErrorReport {
  /// Whether the raw words ask for JSON.
  ///
  /// An error of usage is met before the words are understood, so they are only looked over here.
  static func wantsJSON(_ words: [String], _ terminal: Terminal) -> Bool {
    let formats = ["json", "jsonl"]
    var wants = terminal.environment["CLOUDSYNC_OUTPUT"].map(formats.contains) ?? false
    let words = words.prefix { $0 != "--" }
    for (index, word) in words.enumerated() {
      switch word {
      case "--json": wants = true
      case "--plain": wants = false
      case "--output": wants = index + 1 < words.count && formats.contains(words[index + 1])
      case _ where word.hasPrefix("--output="): wants = formats.contains(String(word.dropFirst(9)))
      default: break
      }
    }
    return wants
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
    let help = full.split(separator: "\n").last { $0.contains("--help'") }
    let command = help?.split(separator: "'").dropFirst().first
    return SyncError(.usage, message, hint: command.map { "see '\($0)'" })
  }
}
