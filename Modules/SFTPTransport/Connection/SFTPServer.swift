import SyncKit
import Synchronization

/// A server and the one connection to it, which all remotes on it share.
///
/// The connection is opened at the first request and kept. One that broke is opened again; a call that it broke
/// in is tried again, at most three times.
public final class SFTPServer: Sendable {
  /// How it is reached.
  public let access: SFTPAccess

  private struct State {
    var connection: SFTPConnection?
    var opening: Task<SFTPConnection, any Error>?
  }

  private let state = Mutex(State())

  /// Prepares; nothing is started.
  public init(_ access: SFTPAccess) { self.access = access }

  deinit { state.withLock { $0.connection?.close() } }

  /// Ends the connection; the next call opens another one.
  public func close() {
    state.withLock { state in
      state.connection?.close()
      state.connection = nil
    }
  }

  /// How many requests the connection has sent; 0 when there is none.
  package var requestCount: Int { state.withLock { $0.connection?.requestCount ?? 0 } }

  /// Does something that may be done again when the connection breaks in it.
  ///
  /// - Throws: What `body` throws; ``SyncError`` for a connection that cannot be made or breaks each time.
  func perform<Outcome>(
    _ body: (SFTPConnection) async throws -> Outcome
  ) async throws -> Outcome {
    var number = 0
    while true {
      number += 1
      do {
        try Task.checkCancellation()
        return try await body(connection())
      } catch let end as SFTPEnd {
        try Task.checkCancellation()
        // Once one has stood, the server may be about to come back.
        let mayHelp = end.isPassing || number > 1 && end.error.code == .remoteUnavailable
        guard mayHelp, number < access.tries else { throw end.error }
        try await access.wait(access.pause(afterTry: number))
      }
    }
  }

  private func connection() async throws -> SFTPConnection {
    let access = access
    let (known, opening) = state.withLock { state in
      if let known = state.connection, known.isOpen {
        return (Optional(known), Task<SFTPConnection, any Error>?.none)
      }
      state.connection = nil
      let opening = state.opening ?? Task { try await SFTPConnection.open(access) }
      state.opening = opening
      return (nil, opening)
    }
    if let known { return known }
    guard let opening else { throw SyncError(.bug, "No connection is being opened.") }
    let result = await opening.result
    state.withLock { state in
      guard state.opening == opening else { return }
      state.opening = nil
      state.connection = try? result.get()
    }
    return try result.get()
  }
}
