import SyncKitFormats
import Synchronization

/// One line on standard error that says how far a long step has come, and then goes away.
///
/// Nothing is shown in the first half second, nor more often than ten times a second; where progress is
/// not wanted, nothing at all. The line is cut to the width of the terminal, so that it never wraps. Without a
/// terminal, as `--progress always` may have it, each text is a line of its own, at most one a second.
package final class ProgressLine: Sendable {
  private struct State {
    var shownAt: Int64?
    var isVisible = false
    /// What stands there.
    var line = ""
    /// What was said last, for steps that go on without a word.
    var text: (@Sendable () -> String)?
    var label = ""
    var samples: [ProgressText.Sample] = []
    var ticker: Task<Void, Never>?
  }

  private let context: CommandContext
  private let start: Int64
  private let state = Mutex(State())

  package init(_ context: CommandContext) {
    self.context = context
    start = context.terminal.now()
  }

  /// Shows a step that goes on without a word until the next one, or until ``clear()``.
  package func begin(_ text: String) {
    guard context.showsProgress else { return }
    state.withLock { state in
      state.text = { text }
      state.samples = []
      if state.ticker == nil {
        state.ticker = Task.detached { [weak self] in
          while !Task.isCancelled {
            try? await Task.sleep(for: .milliseconds(250))
            self?.render()
          }
        }
      }
    }
    render()
  }

  /// Shows a text; it is made only when it is shown.
  package func show(_ text: @autoclosure () -> String) {
    guard context.showsProgress else { return }
    state.withLock { state in
      state.text = nil
      guard let now = due(state) else { return }
      write(text(), at: now, &state)
    }
  }

  /// Shows how far a step has come, with its pace and the time that is left.
  ///
  /// - Parameters:
  ///   - label: The step, such as `airports: pulling`.
  ///   - done: How much is done.
  ///   - total: How much there is to do; nil when that is not known.
  ///   - unit: What is counted.
  package func show(
    _ label: @autoclosure () -> String, done: Int, of total: Int?, _ unit: ProgressText.Unit
  ) {
    guard context.showsProgress else { return }
    state.withLock { state in
      state.text = nil
      let now = context.terminal.now()
      let isDue = due(state) != nil
      guard isDue || state.samples.isEmpty else { return }
      let label = label()
      if label != state.label || done < state.samples.last?.done ?? 0 { state.samples = [] }
      state.label = label
      state.samples.append(ProgressText.Sample(at: now, done: done))
      if state.samples.count > Self.window { state.samples.remove(at: 0) }
      guard isDue else { return }
      write(ProgressText(label, unit, total: total).line(state.samples), at: now, &state)
    }
  }

  /// So many samples count for the pace: some ten seconds at the least.
  private static let window = 100

  /// Takes the line away; call it before anything else is printed and at the end.
  package func clear() {
    state.withLock { state in
      state.text = nil
      state.ticker?.cancel()
      state.ticker = nil
      if state.isVisible { context.terminal.error.write("\r\u{1B}[K") }
      state.isVisible = false
    }
  }

  private func render() {
    state.withLock { state in
      guard let text = state.text, let now = due(state) else { return }
      if state.isVisible, state.line == text() { return }
      write(text(), at: now, &state)
    }
  }

  /// The time, if something may be shown now.
  private func due(_ state: borrowing State) -> Int64? {
    let now = context.terminal.now()
    let pause: Int64 = context.terminal.isErrorTerminal ? 100 : 1000
    let isDue = now - start >= 500 && (state.shownAt.map { now - $0 >= pause } ?? true)
    return isDue ? now : nil
  }

  private func write(_ text: String, at now: Int64, _ state: inout State) {
    let isTerminal = context.terminal.isErrorTerminal
    state.shownAt = now
    state.isVisible = isTerminal
    state.line = text
    let line = Sanitized.line(text)
    guard isTerminal else { return context.terminal.error.write("\(line)\n") }
    // The last column stays free: some terminals wrap as soon as it is filled.
    let width = max(1, (context.terminal.errorColumns() ?? 80) - 1)
    context.terminal.error.write("\r\u{1B}[K\(DisplayWidth.truncated(line, to: width))")
  }
}
