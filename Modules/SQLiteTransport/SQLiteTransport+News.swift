import SegmentFormat
public import SyncKit

extension SQLiteTransport: LiveTransport {
  /// The domains in which something has come, as long as the file stays the same.
  ///
  /// A few times a second SQLite is asked whether any process has written, which it keeps in memory that
  /// the processes share; only then is anything read. What this process stores is reported, too.
  public func news() -> AsyncThrowingStream<RemoteNews, any Error> {
    let file = SharedFile(path: file.path, patience: patience)
    let pollInterval = pollInterval
    return AsyncThrowingStream { continuation in
      let watching = Task {
        do {
          var known = try await file.read { try FeedCursor($0) }
          continuation.yield(RemoteNews(domain: nil))
          while true {
            try await Task.sleep(for: pollInterval)
            do {
              let version = try await file.read { try FeedCursor.version($0) }
              guard version != known.version else { continue }
              let (before, now) = (
                known, try await file.read { [known] in try FeedCursor($0, known) }
              )
              for news in now.news(since: before) { continuation.yield(news) }
              known = now
            } catch let error as SyncError where error.code == .remoteBusy {
              continue
            }
          }
        } catch {
          continuation.finish(throwing: error is CancellationError ? nil : error)
        }
      }
      continuation.onTermination = { _ in watching.cancel() }
    }
  }
}
