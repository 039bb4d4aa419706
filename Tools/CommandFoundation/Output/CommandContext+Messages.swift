import SyncKitFormats

/// How much a message matters.
package enum MessageLevel: String, Sendable {
  case warning, notice, info, debug
}

extension CommandContext {
  /// Says something that went wrong without stopping the command.
  package func warn(_ message: String) { say(message, .warning) }

  /// Says what happened; not in quiet runs.
  package func note(_ message: String) { say(message, .notice) }

  /// Says something on standard error, if it is wanted.
  ///
  /// In a JSON format nothing is said unless asked for with `-v`: an error is then the only thing on
  /// standard error, and warnings are part of the document.
  package func say(_ message: @autoclosure () -> String, _ level: MessageLevel) {
    guard isWanted(level) else { return }
    let text = Sanitized.block(Program.words(message()))
    switch logFormat {
    case .json:
      let line: JSON = [
        "time": .string(Timestamp.format(milliseconds: terminal.now())),
        "level": .string(level.rawValue), "message": .string(text),
      ]
      terminal.error.write(line.text() + "\n")
    case .text:
      let mark = level == .warning ? messagePaint("warning: ", .warning) : ""
      terminal.error.write("\(Program.current.name): \(mark)\(text)\n")
    }
  }

  private func isWanted(_ level: MessageLevel) -> Bool {
    switch level {
    case .warning: format.isJSON ? verbosity > 0 : !isQuiet
    case .notice: format.isJSON ? verbosity > 0 : !isQuiet
    case .info: verbosity > 0
    case .debug: verbosity > 1
    }
  }
}
