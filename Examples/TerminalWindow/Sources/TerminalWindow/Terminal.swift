import Foundation

/// The screen and the keyboard of one window.
@MainActor public final class Terminal {
  /// What the person types, line by line, until the input ends.
  public let lines: AsyncStream<String>
  private let isScreen = isatty(STDOUT_FILENO) == 1
  private var shown: String?

  /// Begins to read the keyboard.
  public init() {
    let (lines, continuation) = AsyncStream<String>.makeStream()
    self.lines = lines
    // Reading waits for the person, so it has a thread of its own.
    Thread.detachNewThread {
      while let line = readLine() { continuation.yield(line) }
      continuation.finish()
    }
  }

  /// Shows a page, unless it is the one that is shown.
  ///
  /// A screen is cleared; a file gets one page after the other.
  public func show(_ page: String) {
    guard page != shown else { return }
    shown = page
    write(isScreen ? "\u{1B}[H\u{1B}[2J\(page)\n> " : "----\n\(page)\n")
  }

  /// Says something below the page.
  public func say(_ text: String) { write("\(text)\n\(isScreen ? "> " : "")") }

  private func write(_ text: String) { FileHandle.standardOutput.write(Data(text.utf8)) }
}
