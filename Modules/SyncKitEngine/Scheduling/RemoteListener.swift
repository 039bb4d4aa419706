import SyncKitModel
import SyncKitStore

/// Listens to a remote for as long as its stream has a reader.
///
/// After a lost connection it connects again, after a pause that grows with every failure.
package struct RemoteListener: Sendable {
  /// What it reports.
  package enum Event: Sendable {
    /// The connection stands; anything may have come before.
    case connected
    /// Something has come to a domain.
    case news(String)
    /// The connection is lost or cannot be made; the next try follows.
    case lost(SyncError?)
  }

  private let transport: any LiveTransport
  private let environment: SyncEnvironment
  private let sleep: @Sendable (Duration) async -> Void

  /// Listens to a transport; `sleep` ends early when the task is cancelled.
  package init(
    transport: any LiveTransport, environment: SyncEnvironment,
    sleep: @escaping @Sendable (Duration) async -> Void
  ) {
    self.transport = transport
    self.environment = environment
    self.sleep = sleep
  }

  /// Listens until the task is cancelled.
  package func run(_ tell: @Sendable (Event) -> Void) async {
    var failures = 0
    while !Task.isCancelled {
      var failure: SyncError?
      do {
        for try await news in transport.news() {
          failures = 0
          tell(news.domain.map { .news($0) } ?? .connected)
        }
      } catch {
        failure =
          error as? SyncError
          ?? SyncError(.failure, "The connection was lost.", cause: "\(error)")
      }
      guard !Task.isCancelled else { return }
      failures += 1
      tell(.lost(failure))
      // A server that restarts is back soon; one that shuts us out is asked seldom.
      let longest: Duration = failure?.code.isRetryable ?? true ? .seconds(30) : .seconds(300)
      let pause = SyncSchedule.pause(failures, upTo: longest, random: environment.random())
      await sleep(failures == 1 ? pause / 4 : pause)
    }
  }
}
