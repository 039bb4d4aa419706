import NIOPosix
import SyncKit
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Hears of the commits of all servers on one database, over a connection of its own.
///
/// - **None is missed in silence.** When the connection was lost, news of everything is told after the next one
///   listens.
/// - **A version for caches.** It is another one after each commit of whichever server. There is none unless the
///   database has answered within the last second.
final class PostgreSQLNews: Sendable {
  private struct State {
    var version: Int64 = 0
    /// When the database was last asked and has answered; nil when it does not.
    var heard: ContinuousClock.Instant?
    var isStopped = false
  }

  /// How often the database is asked whether it is there, in milliseconds.
  private static let beat: Int32 = 250
  /// How long an answer counts.
  private static let validity = Duration.milliseconds(900)

  private let link: PostgreSQLLink
  private let thread = NIOThreadPool(numberOfThreads: 1)
  private let state = Mutex(State())

  init(_ link: PostgreSQLLink) { self.link = link }

  /// What the database was like at this moment; nil when unknown.
  var version: Int64? {
    state.withLock { state in
      guard let heard = state.heard, heard.duration(to: .now) < Self.validity else { return nil }
      return state.version
    }
  }

  /// Notes a commit.
  func bump() { state.withLock { $0.version += 1 } }

  /// Listens until it is stopped; `tell` hears of what other servers have committed.
  func start(_ tell: @escaping @Sendable (StorageNews) -> Void) {
    thread.start()
    thread.submit { state in
      guard state == .active else { return }
      var isFirst = true
      while !self.isStopped {
        if let session = try? self.link.open() {
          try? self.listen(session, isFirst: isFirst, tell)
          isFirst = false
        }
        self.state.withLock { $0.heard = nil }
        if !self.isStopped { usleep(UInt32(Self.beat) * 1_000) }
      }
    }
  }

  /// Ends the listening and waits for its end.
  func stop() async throws {
    state.withLock { $0.isStopped = true }
    try await thread.shutdownGracefully()
  }

  private var isStopped: Bool { state.withLock { $0.isStopped } }

  private func listen(
    _ session: PostgreSQLSession, isFirst: Bool, _ tell: (StorageNews) -> Void
  ) throws {
    try session.run("LISTEN \(PostgreSQLWord.channel)")
    bump()
    if !isFirst { tell(.everything) }
    var asked: ContinuousClock.Instant?
    while !isStopped {
      if asked.map({ $0.duration(to: .now) >= .milliseconds(Int64(Self.beat)) }) ?? true {
        // What was committed before the question has been told before the answer.
        let now = ContinuousClock.now
        guard try PostgreSQLSchema.readOrigin(session) == link.origin else { throw link.lost() }
        hear(session, tell)
        state.withLock { $0.heard = now }
        asked = now
      }
      var wait = pollfd(fd: session.socket, events: Int16(POLLIN), revents: 0)
      guard poll(&wait, 1, Self.beat) > 0 else { continue }
      guard session.receive() else { throw link.lost() }
      hear(session, tell)
    }
  }

  private func hear(_ session: PostgreSQLSession, _ tell: (StorageNews) -> Void) {
    while let text = session.notification() {
      let (sender, news) = PostgreSQLWord.read(text)
      // A server's own commits are told before they are answered.
      guard sender != link.sender else { continue }
      bump()
      if !news.isEmpty { tell(news) }
    }
  }
}
