import SQLiteFile
import SyncKit
import SyncWire
import Synchronization

/// Answers that were read before, for as long as nothing whatever was written since.
///
/// Most requests ask whether there is anything new, and mostly nothing is. SQLite tells in a moment
/// whether any connection of any process has written to the file; if none has, the answer of before is
/// what reading again would give: also a token that another process has ended a moment ago is refused.
/// What waits for a disk stays with ``ReaderPool``.
final class ResponseCache: Sendable {
  /// What was asked, with all that the answer depends on besides the file.
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

  /// What the file was like; nil when unknown.
  struct Version: Sendable, Equatable {
    fileprivate let number: Int64
  }

  /// The most answers kept; each of them is short.
  private static let limit = 20_000

  /// The connection is touched within the lock only.
  private struct State: @unchecked Sendable {
    var tables: ServerTables?
    var version: Version?
    var answers: [Question: Answer] = [:]

    /// Forgets everything if something was written.
    mutating func look() {
      let found = try? tables?.first("PRAGMA data_version") { Version(number: try $0.int(0)) }
      if found == nil || found != version { answers = [:] }
      version = found
    }
  }

  private let state: Mutex<State>

  /// Keeps answers about the file of a connection that nothing else uses.
  init(_ tables: ServerTables) { state = Mutex(State(tables: tables)) }

  /// The answer that still holds, and the version to tell ``learn(_:_:since:)`` else.
  func answer(_ question: Question) -> (answer: Answer?, version: Version?) {
    state.withLock { state in
      state.look()
      return (state.answers[question], state.version)
    }
  }

  /// Keeps an answer, unless something was written since the file was as it is said.
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
      state.tables?.close()
      state = State()
    }
  }
}
