import SyncKit

extension CommandContext {
  /// Asks for a yes before something that cannot be undone.
  ///
  /// - Parameter question: A question without its mark's choices, such as "Remove the remote home?".
  /// - Returns: Whether the answer was yes; true at once with `--yes`.
  /// - Throws: ``SyncError`` `usage` when there is no person to ask.
  package func confirm(_ question: String) throws(SyncError) -> Bool {
    if assumesYes { return true }
    let answer = try ask(question, shows: "y/N").lowercased()
    return answer == "y" || answer == "yes"
  }

  /// Asks for a line of text.
  ///
  /// - Parameters:
  ///   - question: What is asked.
  ///   - fallback: What an empty answer means, and the answer with `--yes`.
  /// - Returns: The answer without spaces around it.
  /// - Throws: ``SyncError`` `usage` when there is no person to ask and no fallback.
  package func ask(_ question: String, fallback: String) throws(SyncError) -> String {
    if assumesYes || !mayAsk { return fallback }
    let answer = try ask(question, shows: fallback)
    return answer.isEmpty ? fallback : answer
  }

  private func ask(_ question: String, shows choices: String) throws(SyncError) -> String {
    guard mayAsk else {
      throw SyncError(
        .usage, "cannot ask without a terminal: \(Sanitized.line(question))",
        hint: "give --yes to go on without a question")
    }
    terminal.output.flush()
    terminal.error.write("\(Sanitized.line(question)) [\(Sanitized.line(choices))]: ")
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
    let blanks: Set<UInt8> = [0x20, 0x09, 0x0D]
    let line = bytes.prefix { $0 != UInt8(ascii: "\n") }.drop { blanks.contains($0) }
    let end = line.lastIndex { !blanks.contains($0) }
    return String(decoding: end.map { line[...$0] } ?? [], as: UTF8.self)
  }
}
