import Synchronization

/// One line on standard error that says how far a long step has come, and then goes away.
///
/// Nothing is shown in the first half second, nor more often than ten times a second; where progress is
/// not wanted, nothing at all. Without a terminal, as `--progress always` may have it, each text is a
/// line of its own, at most one a second.
package final class ProgressLine: Sendable {
  private struct State {
    var shownAt: Int64?
    var isVisible = false
  }

  private let context: CommandContext
  private let start: Int64
  private let state = Mutex(State())

  package init(_ context: CommandContext) {
    self.context = context
    start = context.terminal.now()
  }

  /// Shows how far it is; the text is made only when it is shown.
  package func show(_ text: @autoclosure () -> String) {
    guard context.showsProgress else { return }
    let now = context.terminal.now()
    let isTerminal = context.terminal.isErrorTerminal
    let pause: Int64 = isTerminal ? 100 : 1000
    let isDue = state.withLock { state in
      guard now - start >= 500, state.shownAt.map({ now - $0 >= pause }) ?? true else {
        return false
      }
      state.shownAt = now
      state.isVisible = isTerminal
      return true
    }
    guard isDue else { return }
    let line = Sanitized.line(text())
    context.terminal.error.write(isTerminal ? "\r\u{1B}[K\(line)" : "\(line)\n")
  }

  /// Takes the line away; call it before anything else is printed and at the end.
  package func clear() {
    let wasVisible = state.withLock { state in
      defer { state.isVisible = false }
      return state.isVisible
    }
    if wasVisible { context.terminal.error.write("\r\u{1B}[K") }
  }
}
