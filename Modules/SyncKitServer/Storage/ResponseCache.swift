import SyncKit
import SyncWire
import Synchronization

/// Answers that were read before, for as long as nothing whatever was written since.
///
/// Most requests ask whether there is anything new, and mostly nothing is. A storage tells in a moment
/// whether any process has written to it; if none has, the answer of before is what reading again would
/// give. SQLite knows at once, so that also a token that another process has ended a moment ago is
/// refused; of several servers each knows within a second, see ``PostgreSQLNews``.
/// What waits for a disk or a network stays with ``ReaderPool``.
final class ResponseCache: Sendable {
  /// What was asked, with all that the answer depends on besides the storage.
  enum Question: Hashable, Sendable {
    case identity(Asker)
    case feed(Asker, String, FeedQuestion)
  }

  /// The caller, as far as the request says.
  struct Asker: Hashable, Sendable {
    let token: String
    let digest: [UInt8]
    let needs: TokenScope

    init(_ caller: Caller) {
      token = caller.token
      digest = caller.digest
      needs = caller.needs
    }
  }

  /// What was answered.
  struct Answer: Sendable {
    var identity: Identity
    /// Of a feed; nil for a question of identity.
    var page: FeedPage?
  }

  /// What the storage was like; nil when unknown.
  struct Version: Sendable, Equatable {
    fileprivate let number: Int64
  }

  /// The most answers kept; each of them is short.
  private static let limit = 20_000

  /// The source is touched within the lock only.
  private struct State: @unchecked Sendable {
    var source: Source?
    var version: Version?
    var answers: [Question: Answer] = [:]

    /// Forgets everything if something was written.
    mutating func look() {
      let found = source?.version().map { Version(number: $0) }
      if found == nil || found != version { answers = [:] }
      version = found
    }
  }

  /// Who knows what the storage is like.
  struct Source {
    /// Another number after each commit; nil when unknown.
    var version: () -> Int64?
    var close: () -> Void = {}

    /// A connection to SQLite that nothing else uses.
    static func sqlite(_ tables: ServerTables) -> Source {
      Source(
        version: { try? tables.first("PRAGMA data_version") { try $0.int(0) } },
        close: { tables.close() })
    }
  }

  private let state: Mutex<State>

  /// Keeps answers for as long as a source says that nothing was written.
  init(_ source: sending Source) { state = Mutex(State(source: source)) }

  /// The answer that still holds, and the version to tell ``learn(_:_:since:)`` else.
  func answer(_ question: Question) -> (answer: Answer?, version: Version?) {
    state.withLock { state in
      state.look()
      return (state.answers[question], state.version)
    }
  }

  /// Keeps an answer, unless something was written since the storage was as it is said.
  func learn(_ question: Question, _ answer: Answer, since version: Version?) {
    guard let version else { return }
    state.withLock { state in
      state.look()
      guard state.version == version else { return }
      if state.answers.count >= Self.limit { state.answers = [:] }
      state.answers[question] = answer
    }
  }

  /// Forgets everything and closes the connection.
  func close() {
    state.withLock { state in
      state.source?.close()
      state = State()
    }
  }
}
