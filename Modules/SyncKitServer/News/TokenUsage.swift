import SyncWire
import Synchronization

/// Remembers when tokens were last used, and writes it down now and then.
///
/// A use is written at most once a minute for each token, so that reading costs no write.
final class TokenUsage: Sendable {
  private static let interval: Int64 = 60_000

  private struct Book {
    var written: [String: Int64] = [:]
    var waiting: [String: Int64] = [:]
  }

  private let book = Mutex(Book())
  private let storage: any ServerStorage

  init(storage: any ServerStorage) { self.storage = storage }

  /// Notes a use.
  func note(_ token: String, at now: Int64) {
    let isDue = book.withLock { book -> Bool in
      if let last = book.written[token], now - last < Self.interval, now >= last { return false }
      book.written[token] = now
      if book.written.count > 50_000 { book.written = [token: now] }
      book.waiting[token] = now
      return book.waiting.count == 1
    }
    guard isDue else { return }
    Task { await flush() }
  }

  /// Writes down what waits; a failure costs nothing but the note.
  func flush() async {
    let waiting = book.withLock { book in
      defer { book.waiting = [:] }
      return book.waiting
    }
    guard !waiting.isEmpty else { return }
    try? await storage.note(uses: waiting)
  }
}
