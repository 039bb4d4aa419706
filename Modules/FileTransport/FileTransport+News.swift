public import SyncKit

extension FileTransport: LiveTransport {
  /// The domains in whose folders something was put, as long as the folder is there.
  ///
  /// Where the system reports changes (Linux), nothing is read until it does; elsewhere the times of the
  /// folders are looked at every second. Neither reports what another machine does to a network share, so
  /// that listeners look from time to time. What this process stores is reported, too.
  public func news() -> AsyncThrowingStream<RemoteNews, any Error> {
    news(pollInterval: .milliseconds(200), isReported: true)
  }

  /// The same with a time between two looks, and with or without the system's help.
  func news(pollInterval: Duration, isReported: Bool) -> AsyncThrowingStream<RemoteNews, any Error>
  {
    let path = path
    return AsyncThrowingStream { continuation in
      let watching = Task {
        do {
          var changes = try FolderChanges(path, isReported: isReported)
          continuation.yield(RemoteNews(domain: nil))
          while true {
            try await Task.sleep(
              for: changes.isReported ? pollInterval : max(pollInterval * 5, pollInterval))
            for name in try changes.take() { continuation.yield(Self.news(of: name)) }
          }
        } catch {
          continuation.finish(throwing: error is CancellationError ? nil : error)
        }
      }
      continuation.onTermination = { _ in watching.cancel() }
    }
  }

  /// The domain that a name in the root is about, a provider's copy of its folder included.
  private static func news(of name: String) -> RemoteNews {
    let domain = name.prefix { $0 != " " && $0 != "." }.lowercased()
    return RemoteNews(domain: domain.isEmpty ? nil : domain)
  }
}
