import LocalMachine
import SyncKit

extension CommandContext {
  /// Asks for a yes before something that cannot be undone.
  ///
  /// - Parameter question: A question without its mark's choices, such as "Remove the remote home?".
  /// - Returns: Whether the answer was yes; true at once with `--yes`.
  /// - Throws: ``SyncError`` `usage` without a terminal to ask on.
  package func confirm(_ question: String) throws(SyncError) -> Bool {
    if assumesYes { return true }
    let answer = try ask(question, shows: "y/N")?.lowercased()
    return answer == "y" || answer == "yes"
  }

  /// Asks for a line of text.
  ///
  /// - Parameters:
  ///   - question: What is asked.
  ///   - fallback: What an empty answer means, and the answer with `--yes`.
  /// - Returns: The answer without spaces around it.
  /// - Throws: ``SyncError`` `usage` when the input ends before an answer.
  package func ask(_ question: String, fallback: String) throws(SyncError) -> String {
    try ask(question, fallback: fallback) { answer throws(SyncError) in answer }
  }

  /// Asks for a line of text until the answer is one that can be read.
  ///
  /// What is wrong with an answer is said before the question comes again. Without a terminal, and with `--yes`,
  /// the fallback is read once and nothing is asked.
  ///
  /// - Parameters:
  ///   - question: What is asked.
  ///   - fallback: What an empty answer means, and the answer with `--yes`.
  ///   - read: Makes a value of an answer, or throws what is wrong with it.
  /// - Returns: The value of the first answer that can be read.
  /// - Throws: ``SyncError`` `usage` when the input ends before an answer that can be read; what `read` throws
  ///   of the fallback when nothing is asked.
  package func ask<Value>(
    _ question: String, fallback: String, reading read: (String) throws(SyncError) -> Value
  ) throws(SyncError) -> Value {
    if assumesYes || !mayAsk { return try read(fallback) }
    while true {
      guard let answer = try ask(question, shows: fallback) else {
        throw SyncError(
          .usage, "the input ended before an answer: \(Sanitized.line(question))",
          hint: "answer it, or use --yes and options")
      }
      do throws(SyncError) {
        return try read(answer.isEmpty ? fallback : answer)
      } catch {
        terminal.error.write("\(Sanitized.block(Program.words(error.message)))\n")
        if let hint = error.hint {
          terminal.error.write("  \(Sanitized.block(Program.words(hint)))\n")
        }
      }
    }
  }

  /// The answer to a question; nil when the input has ended.
  private func ask(_ question: String, shows choices: String) throws(SyncError) -> String? {
    guard mayAsk else {
      throw SyncError(
        .usage, "cannot ask without a terminal: \(Sanitized.line(question))",
        hint: "give --yes to go on without a question")
    }
    terminal.output.flush()
    terminal.error.write("\(Sanitized.line(question)) [\(Sanitized.line(choices))]: ")
    guard let typed = try line() else { return nil }
    let blanks: Set<UInt8> = [0x20, 0x09, 0x0D]
    let line = typed.drop { blanks.contains($0) }
    let end = line.lastIndex { !blanks.contains($0) }
    return String(decoding: end.map { line[...$0] } ?? [], as: UTF8.self)
  }

  /// Asks for a secret, and shows nothing of what is typed.
  ///
  /// It is asked with `--yes` too, which is no answer to it.
  ///
  /// - Returns: The line as it was typed; nil without a terminal to ask on, or when the input has ended.
  /// - Throws: ``SyncError`` `store.io` when the terminal cannot be read.
  package func askSecret(_ question: String) throws(SyncError) -> String? {
    guard mayAsk else { return nil }
    terminal.output.flush()
    terminal.hideInput(true)
    defer { terminal.hideInput(false) }
    // Once nothing is shown: a fast hand does not wait for more than the question.
    terminal.error.write("\(Sanitized.line(question)): ")
    guard let typed = try line() else { return nil }
    return String(decoding: typed.prefix { $0 != UInt8(ascii: "\r") }, as: UTF8.self)
  }

  /// The next line of the input without its end; nil when the input has ended.
  private func line() throws(SyncError) -> [UInt8]? {
    var bytes: [UInt8] = []
    do throws(SystemError) {
      while !bytes.contains(UInt8(ascii: "\n")), bytes.count < 1 << 16 {
        let more = try terminal.read()
        if more.isEmpty { break }
        bytes += more
      }
    } catch {
      throw SyncError(error)
    }
    return bytes.isEmpty ? nil : Array(bytes.prefix { $0 != UInt8(ascii: "\n") })
  }
}
